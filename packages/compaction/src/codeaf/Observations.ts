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
 * The copy to point at, of each fact that was seen, by the fact's identity: a digest of it.
 *
 * @since 0.1.0
 * @category models
 */
export type Observations = HashMap.HashMap<string, Copy>

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
export interface Admitted extends Places {
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
  { decayer, observations }: Places,
  turn: number,
  call: Call,
  result: Result
): Admitted => {
  const body = result.isError === true ? `ERROR: ${result.content}` : result.content
  const whole: Admitted = { decayer, observations, put: sized(body), copy: undefined }
  if (result.isError === true || result.multimodal === true || call.id === "") return whole
  const fact = result.reportedJobs === true ? stripJobReport(body) : body
  if (result.reportedJobs === true && isBlank(fact)) return whole
  const here: Copy = { turn, key: call.id, label: callLabel(call), path: undefined }
  const placed = place(spill, { decayer, observations }, digestOf(hash, fact), here, sized(fact))
  return placed.pointed === undefined
    ? { ...placed, put: whole.put, copy: undefined }
    : { ...placed, put: joined(placed.pointed.put, body.slice(fact.length)), copy: placed.pointed.copy }
}

/**
 * What was decided of a fact: carried whole, or a pointer (without any report) to an earlier copy.
 *
 * @since 0.1.0
 * @category models
 */
export interface Placed extends Places {
  readonly pointed: { readonly copy: Copy; readonly put: Sized } | undefined
}

/**
 * The two halves of what admission remembers.
 *
 * @since 0.1.0
 * @category models
 */
export interface Places {
  readonly decayer: Decayer
  readonly observations: Observations
}

/**
 * Places a fact by its identity: `here` is what it would be remembered as. The text of the fact is only handed to `spill`.
 *
 * @since 0.1.0
 * @category folding
 */
export const place = (spill: Spill, places: Places, identity: string, here: Copy, fact: Sized): Placed => {
  const earlier = copyOf(places, identity)
  if (earlier === undefined || retired(places.decayer, earlier.key) !== undefined) {
    return { ...remembered(places, identity, here), pointed: undefined }
  }
  const kept =
    earlier.path === undefined
      ? preserve(places.decayer, spill, earlier.key, fact.text)
      : { decayer: places.decayer, path: earlier.path }
  const now = { ...places, decayer: kept.decayer }
  const put = kept.path === undefined ? undefined : pointer(earlier.label, earlier.turn, kept.path)
  if (kept.path === undefined || put === undefined || put.bytes >= fact.bytes) {
    return { ...remembered(now, identity, here), pointed: undefined }
  }
  return {
    ...pointedAt(now, identity, earlier, kept.path),
    pointed: { copy: { ...earlier, path: kept.path }, put }
  }
}

/**
 * After a fact was carried whole: it is the copy to point at, under the path of an earlier one that is a stub by now.
 *
 * @since 0.1.0
 * @category folding
 */
export const remembered = (places: Places, identity: string, here: Copy): Places => {
  const earlier = copyOf(places, identity)
  const gone = earlier === undefined ? undefined : retired(places.decayer, earlier.key)
  return {
    decayer: gone === undefined ? places.decayer : inherit(places.decayer, here.key, gone.path),
    observations: HashMap.set(places.observations, identity, { ...here, path: gone?.path })
  }
}

/**
 * After a pointer to an earlier copy, which is kept at the path that the pointer names, and is spent.
 *
 * @since 0.1.0
 * @category folding
 */
export const pointedAt = ({ decayer, observations }: Places, identity: string, copy: Copy, path: string): Places => ({
  decayer: used(inherit(decayer, copy.key, path), copy.key),
  observations: HashMap.set(observations, identity, { ...copy, path })
})

/**
 * The copy to point at of a fact that was seen.
 *
 * @since 0.1.0
 * @category accessors
 */
export const copyOf = ({ observations }: Places, identity: string): Copy | undefined =>
  Option.getOrUndefined(HashMap.get(observations, identity))

/** SHA-256 of the bytes. Text that is not well formed has none; its escape is told apart by a byte that UTF-8 never has. */
const digestOf = (hash: Hasher, fact: string): Digest => {
  const { bytes, encoding } = encodeText(fact)
  return encoding === "utf8" ? hash(bytes) : hash(ILL_FORMED, bytes)
}

const ILL_FORMED = Uint8Array.of(0xff)
