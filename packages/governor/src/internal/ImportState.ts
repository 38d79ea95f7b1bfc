/** The runs of one source while it is imported: a session each, and the drafts and bodies that the next append takes. */
import * as Effect from "effect/Effect"
import { BodyFault, BodyStore } from "@palimpsest/ledger/BodyStore"
import { digestOf, TEXT, type Body, type Stored } from "@palimpsest/ledger/Body"
import type { NotCanonical } from "@palimpsest/ledger/Canonical"
import { EventStore, type BadAppend, type Conflict, type StoreError } from "@palimpsest/ledger/EventStore"
import type { Entered } from "@palimpsest/ledger/Fact"
import { bodiesOf } from "@palimpsest/ledger/Part"
import { Step, type Digest, type LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { fromAnthropic, fromOpenAiChat } from "@palimpsest/budget/Usage"
import type { Input } from "@palimpsest/transcript/Decoder"
import type { Move } from "@palimpsest/transcript/Move"
import * as Config from "../Config.ts"
import { draft, type Fact } from "../Fact.ts"
import { prepare } from "../Prepare.ts"
import * as Session from "../Session.ts"
import * as Texts from "../Texts.ts"
import { RunState, type Parent } from "./RunState.ts"

/** The media type of a source record: bytes as they came. */
export const RECORD_MEDIA = "application/octet-stream"

export class ImportState {
  readonly names: Config.Names
  readonly runs = new Map<string, RunState>()
  fresh = 0
  private readonly hash: Hasher
  private readonly config: Config.Config
  private readonly parent: Parent | undefined
  private readonly records = new Map<Digest, Uint8Array>()
  private readonly reader: Texts.Reader
  private bodies: Array<Stored> = []
  private lines: readonly [number, number] | undefined
  private waiting = 0
  private isLate = false

  /** `parent` began the main run, where the source is a sub-agent's own file. */
  constructor(hash: Hasher, names: Config.Names, config: Config.Config, parent?: Parent) {
    this.hash = hash
    this.names = names
    this.config = config
    this.parent = parent
    this.remember(digestOf(hash, TEXT, EMPTY_TEXT), EMPTY_TEXT)
    this.reader = Texts.make(hash, (digest) => {
      const bytes = this.records.get(digest)
      return bytes === undefined ? Effect.fail(new BodyFault({ digest, why: "missing" })) : Effect.succeed(bytes)
    })
  }

  /** Keeps a record at hand for rendering. Records are views into the file's bytes: nothing is copied. */
  remember(digest: Digest, bytes: Uint8Array): void {
    this.records.set(digest, bytes)
  }

  run(key: string): RunState {
    const known = this.runs.get(key)
    if (known !== undefined) return known
    const { names } = this
    const made = new RunState(Session.make(names.tree, names.run(key), this.config))
    this.runs.set(key, made)
    return made
  }

  isFull(): boolean {
    return this.waiting >= BATCH
  }

  /**
   * Of what a stored record brings, the moves of runs that are not stored as far as it: an earlier version of this program
   * saw no run there.
   */
  late(line: number, moves: ReadonlyArray<Move>): ReadonlyArray<Move> {
    const late = moves.filter((move) => (this.runs.get(move.run)?.line ?? 0) < line)
    if (late.length > 0) this.isLate = true
    return late
  }

  /** The call with this id, in whatever run of the source it stands, the main run first. */
  callOf(call: string): Parent | undefined {
    for (const key of ["main", ...this.runs.keys()]) {
      const run = this.runs.get(key)
      const seq = run?.calls.get(call)
      if (run !== undefined && seq !== undefined) return { log: run.session.log, call: seq }
    }
    return undefined
  }

  /** What one record brings, as drafts of its runs. */
  read(record: Input, moves: ReadonlyArray<Move>): Effect.Effect<void, Texts.Fault | NotCanonical> {
    this.remember(record.digest, record.bytes)
    this.bodies.push({ digest: record.digest, media: RECORD_MEDIA, bytes: record.bytes })
    this.lines = [this.lines?.[0] ?? record.line, record.line]
    const counts = new Map<string, number>()
    return Effect.forEach(moves, (move) => this.take(record, move, counts), { discard: true })
  }

  /** Bodies first, then the events that name them, of all runs in one append. */
  commit(): Effect.Effect<void, BadAppend | Conflict | StoreError, EventStore | BodyStore> {
    const { bodies, lines, names } = this
    const writes = [...this.runs.values()].flatMap((run) => {
      const [first, ...rest] = run.drafts
      const expected = { _tag: "Head", digest: run.stored.digest } as const
      return first === undefined ? [] : [{ run, log: run.session.log, expected, drafts: [first, ...rest] as const }]
    })
    if (writes.length === 0 || lines === undefined) return Effect.void
    return Effect.gen(this, function* () {
      const store = yield* EventStore
      yield* (yield* BodyStore).put(names.tree, bodies)
      const id = `${names.base}:${lines[0]}-${lines[1]}${this.isLate ? lateMark(writes[0]) : ""}`
      const appended = yield* store.append({
        id,
        tree: names.tree,
        writes: writes.map(({ drafts, expected, log }) => ({ drafts, expected, log }))
      })
      appended.writes.forEach(({ head }, i) => {
        const { run } = writes[i]!
        run.stored = head
        this.fresh += run.drafts.length
        run.drafts = []
      })
      this.bodies = []
      this.lines = undefined
      this.waiting = 0
      this.isLate = false
    })
  }

  private take(
    record: Input,
    move: Move,
    counts: Map<string, number>
  ): Effect.Effect<void, Texts.Fault | NotCanonical> {
    const run = this.run(move.run)
    const add = (fact: Fact): Effect.Effect<void, NotCanonical> => {
      const count = (counts.get(move.run) ?? 0) + 1
      counts.set(move.run, count)
      run.record(fact)
      this.waiting++
      return Effect.map(draft(`${record.line}.${count}`, move.at, fact), (made) => {
        run.drafts.push(made)
      })
    }
    const began = run.session.seq === 0 ? add(this.began(move)) : Effect.void
    if (move._tag !== "Prompted") {
      return Effect.zipRight(began, Effect.forEach(this.factsOf(record, move, run), add, { discard: true }))
    }
    return Effect.gen(this, function* () {
      yield* began
      const prepared = yield* prepare(run.session, this.reader)
      for (const fact of prepared.facts) yield* add(fact)
      run.session = prepared.session
    })
  }

  private began(move: Move): Fact {
    const { body, stored } = Config.bodyOf(this.hash, this.config)
    this.bodies.push(stored)
    const call = move._tag === "Opened" && move.parentCall !== undefined ? this.callOf(move.parentCall) : undefined
    const parent = move.run === "main" ? this.parent : call
    return { _tag: "Began", step: Step.make(0), ...(parent === undefined ? {} : { parent }), config: body }
  }

  /** The one body of an entry that lies in no record is the empty text of a result without content. */
  private keepEmpty({ part }: Pick<Entered, "part">): void {
    for (const { at, digest, media, size } of bodiesOf(part)) {
      if (at._tag !== "Own" || size.bytes > 0) continue
      this.bodies.push({ digest, media, bytes: EMPTY_TEXT })
    }
  }

  private factsOf(
    record: Input,
    move: Exclude<Move, { readonly _tag: "Prompted" }>,
    run: RunState
  ): ReadonlyArray<Fact> {
    const step = Session.stepOf(run.session)
    switch (move._tag) {
      case "Opened":
        return []
      case "Entered":
        this.keepEmpty(move.entry)
        return [{ _tag: "Entered", step, ...move.entry }]
      case "Aside":
        return [{ _tag: "Aside", step, type: move.type, record: recordBody(record), line: record.line }]
      case "Restarted":
        return [
          { _tag: "Restarted", step, why: move.why, keeps: move.keeps.flatMap((key) => run.messages.get(key) ?? []) }
        ]
      case "Cleared": {
        const [first, ...rest] = move.calls.flatMap((call) => run.results.get(call) ?? [])
        return first === undefined ? [] : [{ _tag: "Cleared", step, entries: [first, ...rest], put: move.put }]
      }
      case "Reported": {
        const usage = this.config.shape === "anthropic" ? fromAnthropic(move.usage) : fromOpenAiChat(move.usage)
        return [{ _tag: "Reported", step, request: run.session.requests, usage }]
      }
    }
  }
}

const recordBody = (record: Input): Body => ({
  digest: record.digest,
  encoding: "bytes",
  media: RECORD_MEDIA,
  size: { bytes: record.bytes.length, scalars: 0 },
  at: { _tag: "Own" }
})

/** Lines that were appended before are appended under another id, by the place that this batch begins at. */
const lateMark = (write: { readonly log: LogId; readonly run: RunState } | undefined): string =>
  write === undefined ? "" : `+${write.log}.${write.run.stored.seq}`

const EMPTY_TEXT = new Uint8Array()

/** Drafts in one append: small enough that no other writer waits long, large enough to be quick. */
const BATCH = 256
