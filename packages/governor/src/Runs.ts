/**
 * The runs of a store: what each is called, where it stands, under which configuration it was governed.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import { Broken, type Head } from "@palimpsest/ledger/Event"
import { EventStore, type StoreError } from "@palimpsest/ledger/EventStore"
import { Seq, type LogId, type TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Resolve from "@palimpsest/ledger/Resolve"
import * as Config from "./Config.ts"
import type { UnknownFact } from "./Fact.ts"
import * as Log from "./Log.ts"
import { blockText, fromStore, type Fault } from "./Texts.ts"

/**
 * A run, found.
 *
 * @since 0.1.0
 * @category models
 */
export interface Run {
  readonly tree: TreeId
  readonly log: LogId
  readonly base: LogId
  readonly config: Config.Config
  readonly parent: LogId | undefined
  readonly head: Head
}

/**
 * No run has this name.
 *
 * @since 0.1.0
 * @category errors
 */
export class NoRun extends Data.TaggedError("NoRun")<{ readonly run: string; readonly why: string }> {
  override get message(): string {
    return `${this.run}: ${this.why}`
  }
}

/** @since 0.1.0 */
export type RunError = Broken | Fault | NoRun | StoreError | UnknownFact

/**
 * Finds a run by its name and reads how it began.
 *
 * @since 0.1.0
 * @category finding
 */
export const find = (hash: Hasher, log: LogId): Effect.Effect<Run, RunError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const info = yield* store.head(log)
    if (Log.isSourceLog(log)) return yield* new NoRun({ run: log, why: "no run has this name" })
    if (Option.isNone(info)) {
      // A run whose head was removed is not a run that never was.
      const [left] = yield* store.inspect(log)
      return yield* left === undefined
        ? new NoRun({ run: log, why: "no run has this name" })
        : new Broken({ log, ...left })
    }
    const { head, tree } = info.value
    const first = yield* Log.factAt(hash, log, Seq.make(1))
    if (Option.isNone(first)) return yield* new Broken({ log, seq: 1, why: `missing; the head is event ${head.seq}` })
    if (first.value.fact._tag !== "Began") {
      return yield* new NoRun({ run: log, why: "its first event does not begin a run" })
    }
    const began = first.value.fact
    const config = yield* Effect.flatMap(Resolve.fetch(hash, tree, began.config), Config.fromBytes).pipe(
      Effect.mapError((error) => {
        if (typeof error !== "string" && error._tag === "StoreError") return error
        const why = typeof error === "string" ? `body ${began.config.digest} is unreadable` : error.message
        return new Broken({ log, seq: 1, why })
      })
    )
    const base = Config.baseOf(log)
    return { tree, log, base, config, parent: began.parent?.log, head }
  })

/**
 * What a list of runs shows of one: its title (the first words of the user), when it began, how many requests it made.
 *
 * @since 0.1.0
 * @category listing
 */
export interface Summary {
  readonly run: LogId
  readonly parent?: LogId
  readonly preset: string
  readonly title: string
  readonly began: string
  readonly requests: number
  readonly events: number
}

/**
 * Summarises a run in one reading of its log.
 *
 * @since 0.1.0
 * @category listing
 */
export const summary = (hash: Hasher, run: Run): Effect.Effect<Summary, RunError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const reader = yield* fromStore(hash, run.tree)
    const start = { title: "", began: "", requests: 0 }
    const { state } = yield* Log.fold(hash, run.log, start, (sum, { event, fact }) =>
      Effect.gen(function* () {
        const began = sum.began === "" ? event.at : sum.began
        if (fact._tag === "Requested" || fact._tag === "Refused") return { ...sum, began, requests: fact.request }
        const isWords = fact._tag === "Entered" && fact.role === "user" && fact.part._tag === "Text"
        if (!isWords || sum.title !== "") return { ...sum, began }
        const text = (yield* blockText(reader, fact)).trim()
        return { ...sum, began, title: text.startsWith("<") ? "" : firstLine(text) }
      })
    )
    const { config, head, log, parent } = run
    return { run: log, ...(parent === undefined ? {} : { parent }), preset: config.preset, ...state, events: head.seq }
  })

/**
 * All runs of the store.
 *
 * @since 0.1.0
 * @category listing
 */
export const all = (hash: Hasher): Effect.Effect<ReadonlyArray<Run>, RunError, EventStore | BodyStore> =>
  Effect.flatMap(Log.allOf(), (logs) =>
    Effect.forEach(
      logs.filter(({ log }) => !Log.isSourceLog(log) && !Log.isNoteLog(log)),
      ({ log }) => find(hash, log)
    )
  )

const firstLine = (text: string): string => {
  const [line = ""] = text.split("\n")
  const chars = [...line]
  return chars.length > TITLE_CHARS ? `${chars.slice(0, TITLE_CHARS - 3).join("")}...` : line
}

const TITLE_CHARS = 72
