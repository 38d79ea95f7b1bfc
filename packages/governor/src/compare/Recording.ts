/**
 * A recorded session as it is compared: its runs, each as requests and the entries between them, in order.
 *
 *     bytes ─> records ─> moves ─> Asked, Entered, …      the client's own compactions and forks are undone
 *
 * 1. Text and arguments only: reasoning, media and what is opaque are left out, and of a result its blocks of bytes.
 * 2. Nothing leaves by the client's hand: where it began anew or blanked results, all earlier messages stay.
 * 3. An agent with a file of its own is read from that file alone, so nothing it spent is told twice (law 10).
 *
 * Every text is read once, and stands under its own digest from then on.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { digestOf, encodeUtf8, ownText, type Body } from "@palimpsest/ledger/Body"
import { BodyFault } from "@palimpsest/ledger/BodyStore"
import type { Entered } from "@palimpsest/ledger/Fact"
import { Step, type Digest } from "@palimpsest/ledger/Ids"
import type { Part } from "@palimpsest/ledger/Part"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Agents from "@palimpsest/transcript/Agents"
import * as Decoder from "@palimpsest/transcript/Decoder"
import type { Format } from "@palimpsest/transcript/Format"
import type { Entry, Move } from "@palimpsest/transcript/Move"
import { split } from "@palimpsest/transcript/Records"
import type { AgentSource } from "../ImportTree.ts"
import * as Texts from "../Texts.ts"

/**
 * A session's file, and those of its sub-agents.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source {
  readonly format: Format
  readonly bytes: Uint8Array
  readonly agents?: ReadonlyArray<AgentSource>
}

/**
 * One thing in a run: a request was made, or a part entered. `texts` are those of its bodies, in order.
 *
 * @since 0.1.0
 * @category models
 */
export type Happened =
  | { readonly _tag: "Asked" }
  | { readonly _tag: "Entered"; readonly entry: Entry; readonly texts: ReadonlyArray<string> }

/**
 * A run: its key in its file, and what happened, in order. Entries are numbered from 0.
 *
 * @since 0.1.0
 * @category models
 */
export interface Run {
  readonly key: string
  readonly happened: ReadonlyArray<Happened>
}

/**
 * The runs of a session in the order in which they began, and the bodies of their entries.
 *
 * @since 0.1.0
 * @category models
 */
export interface Recording {
  readonly runs: ReadonlyArray<Run>
  readonly bodies: ReadonlyMap<Digest, Uint8Array>
}

/**
 * Reads a session. Runs that made no request are left out.
 *
 * @since 0.1.0
 * @category reading
 */
export const read = (hash: Hasher, source: Source): Effect.Effect<Recording, Texts.Fault> =>
  Effect.gen(function* () {
    const bodies = new Map<Digest, Uint8Array>()
    const main = split(source.format, source.bytes).records
    const files = (source.agents ?? []).map(({ bytes, meta }) => ({
      meta,
      records: split(source.format, bytes).records
    }))
    const linked = source.format === "claude-code" ? Agents.link(hash, main, files).agents : []
    const elsewhere = new Set(linked.map(({ name }) => `agent-${name}`))
    const runs = [...(yield* runsOf(hash, source.format, main, bodies))].filter(({ key }) => !elsewhere.has(key))
    for (const { file, name } of linked) {
      const own = yield* runsOf(hash, source.format, files[file]?.records ?? [], bodies)
      runs.push(
        ...own.map((run) => ({ ...run, key: run.key === "main" ? `agent-${name}` : `agent-${name}~${run.key}` }))
      )
    }
    return { runs: runs.filter(({ happened }) => happened.some(({ _tag }) => _tag === "Asked")), bodies }
  })

/**
 * A reader of the bodies of a recording, and of those that were added to it since.
 *
 * @since 0.1.0
 * @category reading
 */
export const reader = (hash: Hasher, { bodies }: Recording, added: ReadonlyMap<Digest, Uint8Array>): Texts.Reader =>
  Texts.make(hash, (digest) => {
    const bytes = bodies.get(digest) ?? added.get(digest)
    return bytes === undefined ? Effect.fail(new BodyFault({ digest, why: "missing" })) : Effect.succeed(bytes)
  })

const runsOf = (
  hash: Hasher,
  format: Format,
  records: ReadonlyArray<{ readonly line: number; readonly bytes: Uint8Array }>,
  bodies: Map<Digest, Uint8Array>
): Effect.Effect<ReadonlyArray<Run>, Texts.Fault> =>
  Effect.gen(function* () {
    const decoder = Decoder.make(format, hash)
    const runs = new Map<string, Array<Happened>>()
    for (const { bytes, line } of records) {
      const digest = digestOf(hash, RECORD_MEDIA, bytes)
      const known = new Map([[digest, bytes], ...Decoder.owned(hash).map((own) => [own.digest, own.bytes] as const)])
      const here = Texts.make(hash, (wanted) => {
        const found = known.get(wanted)
        return found === undefined
          ? Effect.fail(new BodyFault({ digest: wanted, why: "missing" }))
          : Effect.succeed(found)
      })
      for (const move of decoder.next({ line, bytes, digest })) {
        const happened = yield* happenedOf(hash, move, here, bodies)
        if (happened === undefined) continue
        const run = runs.get(move.run)
        if (run === undefined) runs.set(move.run, [happened])
        else run.push(happened)
      }
    }
    return [...runs].map(([key, happened]) => ({ key, happened }))
  })

const happenedOf = (
  hash: Hasher,
  move: Move,
  reader: Texts.Reader,
  bodies: Map<Digest, Uint8Array>
): Effect.Effect<Happened | undefined, Texts.Fault> =>
  Effect.gen(function* () {
    if (move._tag === "Prompted") return { _tag: "Asked" }
    if (move._tag !== "Entered") return undefined
    const { entry } = move
    const texts: Array<string> = []
    const own = (body: Body, block: number) =>
      Effect.gen(function* () {
        const whole: Entered = { _tag: "Entered", step: NO_STEP, ...entry }
        const bytes = yield* Texts.blockBytes(reader, whole, block)
        texts.push(yield* Texts.blockText(reader, whole, block))
        bodies.set(body.digest, bytes)
        return { ...body, at: { _tag: "Own" } } satisfies Body
      })
    const part = yield* partOf(hash, entry.part, own, bodies)
    if (part === undefined) return undefined
    return { _tag: "Entered", entry: { ...entry, part, origin: { _tag: "Made" } }, texts }
  })

/** The part without what is left out, its bodies standing under their own digests; undefined where nothing is left. */
const partOf = (
  hash: Hasher,
  part: Part,
  own: (body: Body, block: number) => Effect.Effect<Body, Texts.Fault>,
  bodies: Map<Digest, Uint8Array>
): Effect.Effect<Part | undefined, Texts.Fault> =>
  Effect.gen(function* () {
    switch (part._tag) {
      case "Text":
        return { ...part, body: yield* own(part.body, 1) }
      case "Call":
        return { ...part, args: yield* own(part.args, 1) }
      case "Result": {
        const blocks: Array<Body> = []
        for (const [i, block] of part.blocks.entries()) {
          if (block.encoding !== "bytes") blocks.push(yield* own(block, i + 1))
        }
        const [first, ...rest] = blocks
        if (first !== undefined) return { ...part, blocks: [first, ...rest] }
        const empty = ownText(hash, "")
        bodies.set(empty.body.digest, encodeUtf8(""))
        return { ...part, blocks: [empty.body] }
      }
      default:
        return undefined
    }
  })

const NO_STEP = Step.make(0)
const RECORD_MEDIA = "application/octet-stream"
