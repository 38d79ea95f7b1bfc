/**
 * One recorded run under one configuration, in memory, through the preparation that a live turn and an import go through.
 *
 *     Entered ─> session          Asked ─> prepare ─> tally ─┬─ (open) ────────────────> go on
 *                                                            └─ (closed) each miss ─> call, result ─> prepare ─> tally
 *
 * 1. The accounting is `Economy`'s: the longest prefix of messages that a request shares with the run's request before it
 *    is read from the cache, the rest is written to it, or the whole goes uncached where that is cheaper.
 * 2. A use is a miss where no source of it is shown whole. In the closed loop a miss costs one more request, and a call of
 *    60 tokens of output at five times the price of input; what it brings back serves later uses as the source does.
 * 3. A request that is refused costs nothing, and everything that its answer used is missed.
 *
 * Source: the performance notes, section 4.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { PriceTable } from "@palimpsest/budget/Price"
import type { Digest, LogId, Seq, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Config } from "../Config.ts"
import * as Economy from "../Economy.ts"
import { sharedTokens, tokensBefore } from "../internal/shared.ts"
import { prepare, type Prepared } from "../Prepare.ts"
import * as SectionState from "../SectionState.ts"
import * as Session from "../Session.ts"
import type { Fault, Reader } from "../Texts.ts"
import * as Recording from "./Recording.ts"
import * as Restore from "./Restore.ts"
import * as Shown from "./Shown.ts"
import type { Use } from "./Uses.ts"

/**
 * How a run is driven: `fixed` is the tokens of system and tools in every request; without `recall` the loop is open.
 *
 * @since 0.1.0
 * @category models
 */
export interface Terms {
  readonly fixed: number
  readonly prices: PriceTable
  readonly recall?: Restore.Recall
}

/**
 * What driving a run came to. `costs` are those of its recorded requests, in order; `tally` has those of restores too,
 * and what their calls cost.
 *
 * @since 0.1.0
 * @category models
 */
export interface Driven {
  readonly tally: Economy.Tally
  readonly costs: ReadonlyArray<number>
  readonly uses: number
  readonly lost: number
  readonly rewrites: number
  readonly refused: number
}

/**
 * Drives a run.
 *
 * @since 0.1.0
 * @category driving
 */
export const drive = (
  hash: Hasher,
  recording: Recording.Recording,
  run: Recording.Run,
  uses: ReadonlyArray<Use>,
  config: Config,
  terms: Terms
): Effect.Effect<Driven, Fault> =>
  Effect.gen(function* () {
    const driver = new Driver(hash, recording, config, terms)
    const byRequest = new Map<number, Array<Use>>()
    for (const use of uses) byRequest.set(use.request, [...(byRequest.get(use.request) ?? []), use])
    for (const happened of run.happened) {
      if (happened._tag === "Entered") driver.enter(happened)
      else yield* driver.ask(byRequest)
    }
    return driver.driven(uses.length)
  })

type Came = Extract<Recording.Happened, { readonly _tag: "Entered" }>

interface Placed {
  readonly seq: Seq
  readonly came: Came
}

class Driver {
  private session: Session.Session
  private tally = Economy.zero
  private asked = 0
  private lost = 0
  private rewrites = 0
  private refused = 0
  private section = ""
  private restores = 0
  private known: { readonly session: Session.Session; readonly shown: Shown.Shown } | undefined
  private readonly costs: Array<number> = []
  private readonly entries: Array<Placed> = []
  private readonly copies = new Map<number, Array<Pick<Restore.Copy, "cut" | "texts"> & { readonly seq: Seq }>>()
  private readonly added = new Map<Digest, Uint8Array>()
  private readonly reader: Reader
  private readonly hash: Hasher
  private readonly terms: Terms

  constructor(hash: Hasher, recording: Recording.Recording, config: Config, terms: Terms) {
    this.hash = hash
    this.terms = terms
    this.reader = Recording.reader(hash, recording, this.added)
    this.session = Session.make(NAME as TreeId, NAME as LogId, config)
  }

  driven(uses: number): Driven {
    const { costs, lost, refused, rewrites, tally } = this
    return { tally, costs, uses, lost, rewrites, refused }
  }

  enter(came: Came): void {
    const step = Session.stepOf(this.session)
    this.session = Session.record(this.session, { _tag: "Entered", step, ...came.entry })
    this.entries.push({ seq: this.session.seq as Seq, came })
  }

  ask(uses: ReadonlyMap<number, ReadonlyArray<Use>>): Effect.Effect<void, Fault> {
    return Effect.gen(this, function* () {
      const before = this.tally.cost
      let isSent = yield* this.request()
      this.costs.push(this.tally.cost - before)
      for (const use of uses.get(++this.asked) ?? []) {
        if (isSent && this.isServed(use)) continue
        this.lost++
        if (this.terms.recall !== undefined && isSent) isSent = yield* this.restore(use, this.terms.recall)
      }
    })
  }

  private request(): Effect.Effect<boolean, Fault> {
    return Effect.gen(this, function* () {
      const { facts, session } = yield* prepare(this.session, this.reader)
      this.session = session
      this.rewrites += facts.filter(isRewrite).length
      const last = facts.at(-1)
      if (last?._tag !== "Requested") {
        this.refused++
        return false
      }
      const sent = { tokens: last.estimate, shared: yield* this.shared(last.from) }
      this.tally = Economy.add(this.tally, sent, this.terms.fixed, this.terms.prices)
      return true
    })
  }

  private shared(from: number): Effect.Effect<number, Fault> {
    const { view } = this.session
    if (view._tag === "Transcript") return Effect.succeed(tokensBefore(view.transcript.messages, from))
    return Effect.map(SectionState.text(view.section, this.reader), (section) => {
      const shared = sharedTokens(this.section, section)
      this.section = section
      return shared
    })
  }

  private isServed({ sources }: Use): boolean {
    const shown = this.shown()
    return sources.some((source) => {
      const placed = this.entries[source.entry]
      if (placed === undefined) return false
      if (source.kind === "edit") return shown.get(placed.seq) === "whole"
      if (Shown.holds(shown, placed.seq, placed.came.texts, source)) return true
      return (this.copies.get(source.entry) ?? []).some((copy) => {
        const place = Restore.placeIn(copy, source)
        return place !== undefined && Shown.holds(shown, copy.seq, copy.texts, place)
      })
    })
  }

  private shown(): Shown.Shown {
    if (this.known?.session !== this.session) this.known = { session: this.session, shown: Shown.of(this.session) }
    return this.known.shown
  }

  /** The newest result that would have done is asked for, and comes. */
  private restore({ sources }: Use, recall: Restore.Recall): Effect.Effect<boolean, Fault> {
    const source = sources.filter(({ kind }) => kind === "result").sort((a, b) => b.entry - a.entry)[0]
    const placed = source === undefined ? undefined : this.entries[source.entry]
    const part = placed?.came.entry.part
    if (source === undefined || placed === undefined || part?._tag !== "Result") return Effect.succeed(true)
    const of = { entry: placed.came.entry, part, texts: placed.came.texts }
    const copy = Restore.copyOf(this.hash, ++this.restores, placed.seq, of, source, recall)
    for (const { bytes, digest } of copy.bodies) this.added.set(digest, bytes)
    const step = Session.stepOf(this.session)
    this.session = Session.record(this.session, Restore.entered(copy.call, step))
    this.session = Session.record(this.session, Restore.entered(copy.result, step))
    const known = this.copies.get(source.entry) ?? []
    this.copies.set(source.entry, [...known, { cut: copy.cut, texts: copy.texts, seq: this.session.seq as Seq }])
    const output = CALL_TOKENS * OUTPUT_PRICE * this.terms.prices.uncached
    this.tally = { ...this.tally, cost: this.tally.cost + output }
    return this.request()
  }
}

const isRewrite = (fact: Prepared["facts"][number]): boolean =>
  fact._tag === "Decided" && fact.epoch !== undefined && fact.epoch !== "client"

/** No log is written, so its name is of no account. */
const NAME = "compared"
/** What the model writes to ask for something again (tokens). */
const CALL_TOKENS = 60
/** The price of output, in that of uncached input. */
const OUTPUT_PRICE = 5
