/**
 * Content-addressed results: the same bytes are carried once (CA-21 to CA-26). The call always runs; only then is what it
 * gave compared, so nothing that changed is ever answered from memory.
 *
 *     first sight ──────────────────────────────> whole, remembered
 *     seen, and that copy still stands ─────────> kept at a path, then a pointer to it; that copy is spent
 *     seen, and that copy is a stub ────────────> whole again, and the one to point at from now on
 *
 * 1. A pointer names the earliest copy that stands, never a pointer, and only with a path that was fixed before.
 * 2. It is shorter than the fact it stands for.
 * 3. Errors, results that more than text belongs to, calls without an id and bare job reports are always carried whole.
 *
 * Identity is the digest alone. Keeps CA-W15 (exact bytes) and CA-W16 (what was seen is never forgotten).
 *
 * @since 0.1.0
 */
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { encodeText } from "@palimpsest/ledger/Body"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { inherit, preserve, retired, used, type Decayer } from "./Decayer.ts"
import { isBlank, stripJobReport } from "./JobReport.ts"
import type { Call } from "./Message.ts"
import { joined, sized, type Sized } from "./Sized.ts"
import type { Spill } from "./Spill.ts"
import { callLabel, pointer } from "./Stubs.ts"

/**
 * The copy to point at, of each fact that was seen.
 *
 * @since 0.1.0
 * @category models
 */
export type Observations = HashMap.HashMap<Digest, Copy>

/**
 * Where a copy stands: its turn, the key of its message, and the path where its bytes are kept, once there is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Copy {
  readonly turn: number
  readonly key: string
  readonly label: Sized
  readonly path: string | undefined
}

/**
 * What a call gave.
 *
 * @since 0.1.0
 * @category models
 */
export interface Result {
  readonly content: string
  readonly isError?: boolean
  /** The harness appended a job report. */
  readonly reportedJobs?: boolean
  /** An image or the like follows, for which the text is only a caption. */
  readonly multimodal?: boolean
}

/**
 * What the transcript carries for a result. `copy` is what the pointer names, where it is one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Admitted {
  readonly decayer: Decayer
  readonly observations: Observations
  readonly put: Sized
  readonly copy: Copy | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const empty: Observations = HashMap.empty()

/**
 * Admits one finished call of a turn.
 *
 * @since 0.1.0
 * @category folding
 */
export const admit = (
  hash: Hasher,
  spill: Spill,
  { decayer, observations }: { readonly decayer: Decayer; readonly observations: Observations },
  turn: number,
  call: Call,
  result: Result
): Admitted => {
  const body = result.isError === true ? `ERROR: ${result.content}` : result.content
  const whole: Admitted = { decayer, observations, put: sized(body), copy: undefined }
  if (result.isError === true || result.multimodal === true || call.id === "") return whole
  const fact = result.reportedJobs === true ? stripJobReport(body) : body
  if (result.reportedJobs === true && isBlank(fact)) return whole
  const digest = digestOf(hash, fact)
  const here = (path: string | undefined): Copy => ({ turn, key: call.id, label: callLabel(call), path })
  const earlier = Option.getOrUndefined(HashMap.get(observations, digest))
  if (earlier === undefined) return { ...whole, observations: HashMap.set(observations, digest, here(undefined)) }
  const gone = retired(decayer, earlier.key)
  if (gone !== undefined) {
    const observationsNow = HashMap.set(observations, digest, here(gone.path))
    return { ...whole, decayer: inherit(decayer, call.id, gone.path), observations: observationsNow }
  }
  const kept =
    earlier.path === undefined ? preserve(decayer, spill, earlier.key, fact) : { decayer, path: earlier.path }
  const put = kept.path === undefined ? undefined : pointer(earlier.label, earlier.turn, kept.path)
  if (put === undefined || put.bytes >= sized(fact).bytes) {
    return { ...whole, decayer: kept.decayer, observations: HashMap.set(observations, digest, here(undefined)) }
  }
  const copy = { ...earlier, path: kept.path }
  return {
    decayer: used(kept.decayer, earlier.key),
    observations: HashMap.set(observations, digest, copy),
    put: joined(put, body.slice(fact.length)),
    copy
  }
}

/** SHA-256 of the bytes. Text that is not well formed has none; its escape is told apart by a byte that UTF-8 never has. */
const digestOf = (hash: Hasher, fact: string): Digest => {
  const { bytes, encoding } = encodeText(fact)
  return encoding === "utf8" ? hash(bytes) : hash(ILL_FORMED, bytes)
}

const ILL_FORMED = Uint8Array.of(0xff)
