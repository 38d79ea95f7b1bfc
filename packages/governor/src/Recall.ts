/**
 * Recall: giving back elided bytes by address, through the policy of now (law 12). A refusal names the rule and the layer
 * that gave it to the operator alone; to the model it says no more than that it may not (IO-W20). What is given is checked against its digest, and is whole, whatever any view showed of it (law 2).
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { format, type RunAddress } from "@palimpsest/ledger/Address"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import { decodeUtf8, encodeUtf8, type Encoding } from "@palimpsest/ledger/Body"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Observation } from "@palimpsest/ledger/Observation"
import { bodiesOf } from "@palimpsest/ledger/Part"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { check, type CompiledPolicy } from "@palimpsest/policy/Check"
import * as Refusal from "@palimpsest/policy/Refusal"
import type { Verdict } from "@palimpsest/policy/Verdict"
import { observe } from "@palimpsest/transcript/Classify"
import * as Log from "./Log.ts"
import { find, type RunError } from "./Runs.ts"
import { blockBytes, blockText, fromStore, type Fault, type Reader } from "./Texts.ts"

/**
 * What was asked for: the whole body, or lines of it, or bytes of it. Lines are 1-based and both ends count; bytes are
 * 0-based, and the second end does not count.
 *
 * @since 0.1.0
 * @category models
 */
export type Part =
  | { readonly _tag: "Whole" }
  | { readonly _tag: "Lines"; readonly from: number; readonly to: number }
  | { readonly _tag: "Bytes"; readonly from: number; readonly to: number }

/**
 * Bytes, given back. `encoding` says what they are: `json` is an escaped text or a canonical value.
 *
 * @since 0.1.0
 * @category models
 */
export interface Recalled {
  readonly address: string
  readonly bytes: Uint8Array
  readonly encoding: Encoding
  readonly media: string
}

/**
 * The policy of now does not allow it. `ask` without an approver is a refusal too. `message` is for the operator, `told` for
 * the model.
 *
 * @since 0.1.0
 * @category errors
 */
export class RecallRefused extends Data.TaggedError("RecallRefused")<{
  readonly address: string
  readonly target: string
  readonly verdict: Verdict
}> {
  override get message(): string {
    const { layer, rule, ruling } = this.verdict
    const by = rule === undefined ? "by default" : `by rule ${rule} in layer ${layer ?? ""}`
    return `recall of ${this.address} refused: reading ${this.target} is ${ruling === "ask" ? "for a person to allow" : "denied"} ${by}`
  }
  get told(): string {
    return `recall of ${this.address} refused: ${Refusal.of("read", this.target, this.verdict).model}`
  }
}

/**
 * The address names nothing that can be given back.
 *
 * @since 0.1.0
 * @category errors
 */
export class NoSuchEntry extends Data.TaggedError("NoSuchEntry")<{ readonly address: string; readonly why: string }> {
  override get message(): string {
    return `${this.address}: ${this.why}`
  }
}

/**
 * Recalls an address. A result of several blocks comes back as these blocks, one behind the other.
 *
 * @since 0.1.0
 * @category recalling
 */
export const recall = (
  hash: Hasher,
  policy: CompiledPolicy,
  { address, run }: RunAddress,
  part: Part = { _tag: "Whole" }
): Effect.Effect<Recalled, RunError | RecallRefused | NoSuchEntry, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const name = `${run}${format(address)}`
    const found = yield* find(hash, run)
    const read = yield* Log.factAt(hash, run, address.seq)
    if (Option.isNone(read)) return yield* new NoSuchEntry({ address: name, why: `${run} has no event ${address.seq}` })
    const { fact } = read.value
    if (fact._tag !== "Entered") {
      return yield* new NoSuchEntry({ address: name, why: `event ${address.seq} is ${fact._tag}, not an entry` })
    }
    const reader = yield* fromStore(hash, found.tree)
    const refused = gate(policy, yield* observationOf(fact, reader))
    if (refused !== undefined) return yield* new RecallRefused({ address: name, ...refused })
    const blocks = bodiesOf(fact.part)
    if (address.block !== undefined && address.block > blocks.length) {
      return yield* new NoSuchEntry({ address: name, why: `the entry has ${blocks.length} block(s)` })
    }
    const wanted = address.block === undefined ? blocks.map((_, i) => i + 1) : [address.block]
    const bytes = concat(yield* Effect.forEach(wanted, (block) => blockBytes(reader, fact, block)))
    const body = blocks[wanted[0]! - 1]!
    const lines =
      address.lines === undefined ? part : ({ _tag: "Lines", from: address.lines[0], to: address.lines[1] } as const)
    return {
      address: name,
      bytes: cut(cut(bytes, lines), lines === part ? { _tag: "Whole" } : part),
      encoding: body.encoding,
      media: body.media
    }
  })

/**
 * Why what an observation is of may not be read under a policy; undefined where it may. What is of a file is gated at its
 * target and at every canonical subject of it, a search at every word of it; what a tool or the model said is of no file.
 *
 * @since 0.1.0
 * @category gates
 */
export const gate = (
  policy: CompiledPolicy,
  observation: Observation | undefined
): { readonly target: string; readonly verdict: Verdict } | undefined => {
  for (const target of targetsOf(observation)) {
    const verdict = check(policy, "read", target)
    if (verdict.ruling !== "allow") return { target, verdict }
  }
  return undefined
}

/** The arguments of a call can hold what a file holds (a write's contents), so they are gated as what they would bring. */
const observationOf = (entered: Entered, reader: Reader): Effect.Effect<Observation | undefined, Fault> => {
  const { observation, part } = entered
  if (part._tag !== "Call") return Effect.succeed(observation)
  return Effect.map(blockText(reader, entered), (args) => observe(part.name, parsed(args), false))
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A search may show what any file that it names holds: its words are all gated, as one cannot tell them apart. */
const targetsOf = (observation: Observation | undefined): ReadonlyArray<string> => {
  if (observation === undefined) return []
  const { also = [], kind, subject = "", target } = observation
  const named = target !== undefined && FILE_KINDS.has(kind) ? [target] : []
  const files = [subject, ...also].flatMap((one) => fileOf(one) ?? [])
  const searched = SEARCH_KINDS.has(kind) ? wordsOf(parsed(subject.slice(subject.indexOf(":") + 1))) : []
  return [...new Set([...named, ...files, ...searched])]
}

/**
 * The canonical path that a subject names; undefined where it is no file.
 *
 * @since 0.1.0
 * @category gates
 */
export const fileOf = (subject: string): string | undefined =>
  subject.startsWith(FILE) ? subject.slice(FILE.length) : undefined

/**
 * The subject that a canonical path is.
 *
 * @since 0.1.0
 * @category gates
 */
export const subjectOf = (path: string): string => `${FILE}${path}`

const wordsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return value === "" || value.startsWith("-") ? [] : [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(wordsOf) : []
}

const FILE = "file:"
const FILE_KINDS: ReadonlySet<string> = new Set(["read", "write", "error"])
const SEARCH_KINDS: ReadonlySet<string> = new Set(["grep", "find"])

const cut = (bytes: Uint8Array, part: Part): Uint8Array => {
  switch (part._tag) {
    case "Whole":
      return bytes
    case "Bytes":
      return bytes.subarray(part.from, part.to)
    case "Lines": {
      const lines = decodeUtf8(bytes).split("\n")
      const kept = lines.slice(part.from - 1, part.to).join("\n")
      return encodeUtf8(part.to < lines.length ? `${kept}\n` : kept)
    }
  }
}

const concat = (parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    out.set(part, at)
    at += part.length
  }
  return out
}
