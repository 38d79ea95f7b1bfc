/**
 * The audit: that a log is whole, that its bodies are the ones that its events name, and that every request renders to
 * the bytes that were written down. It needs the store and nothing else: no source file, no clock, no configuration of
 * the machine (laws 2, 3 and 7).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { BodyStore, type BodyFault } from "@palimpsest/ledger/BodyStore"
import { encodeUtf8, type Body } from "@palimpsest/ledger/Body"
import { EMPTY, type Head } from "@palimpsest/ledger/Event"
import { EventStore, type StoreError } from "@palimpsest/ledger/EventStore"
import type { Digest, LogId } from "@palimpsest/ledger/Ids"
import { bodiesOf } from "@palimpsest/ledger/Part"
import { storedUnder } from "@palimpsest/ledger/Resolve"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Config from "./Config.ts"
import type { Fact } from "./Fact.ts"
import * as Log from "./Log.ts"
import type { Run } from "./Runs.ts"
import * as Texts from "./Texts.ts"
import * as Walk from "./Walk.ts"

/**
 * Where a run is not what it should be. `seq` is the event that it concerns; 0 where it concerns a body that no event
 * names, or the store's list of logs.
 *
 * @since 0.1.0
 * @category models
 */
export interface Finding {
  readonly seq: number
  readonly why: string
}

/**
 * What an audit counted, and what it found. `head` is the one that the events lead to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Audited {
  readonly events: number
  readonly bodies: number
  readonly requests: number
  readonly differ: number
  readonly head: Digest
  readonly findings: ReadonlyArray<Finding>
}

/**
 * Audits a run. `known` is a head that is known elsewhere: it has to be the digest of one of the run's events.
 *
 * @since 0.1.0
 * @category auditing
 */
export const audit = (
  hash: Hasher,
  run: Run,
  known: Digest | undefined
): Effect.Effect<Audited, StoreError, EventStore | BodyStore> =>
  Effect.map(
    auditWith(hash, run, known, undefined, {
      fact: () => Effect.void,
      request: () => Effect.void
    }).pipe(Effect.catchAll((error) => (error._tag === "StoreError" ? Effect.fail(error) : Effect.die(error)))),
    ({ audit }) => audit
  )

/**
 * Audits a run, and takes a visitor along on the same walk.
 *
 * @since 0.1.0
 * @category auditing
 */
export const auditWith = <S, R>(
  hash: Hasher,
  run: Run,
  known: Digest | undefined,
  initial: S,
  visitor: Walk.Visitor<S, Texts.Fault, R>
): Effect.Effect<{ readonly audit: Audited; readonly state: S }, Walk.WalkError, R | EventStore | BodyStore> =>
  Effect.gen(function* () {
    const reader = yield* Texts.fromStore(hash, run.tree)
    const counts = new Counts()
    let state = initial
    let head: Head = EMPTY
    const walked = Walk.walk(run, reader, initial, {
      fact: (before, read) =>
        Effect.gen(function* () {
          head = { seq: read.seq, digest: hash(encodeUtf8("")) }
          yield* checkBodies(counts, read, reader)
          if (read.event.prev === known) counts.knownAt = read.seq - 1
          state = yield* visitor.fact(before, read)
          return state
        }),
      request: (before, passing) =>
        Effect.gen(function* () {
          counts.request(passing)
          state = yield* visitor.request(before, passing)
          return state
        })
    })
    const ended = yield* Effect.catchAll(walked, (error) => {
      if (error._tag === "StoreError") return Effect.fail(error)
      if (error._tag === "Broken" || error._tag === "UnknownFact") counts.find(error.seq, error.why)
      else if (counts.findings.length === 0) counts.find(head.seq, error.message)
      return Effect.succeed(undefined)
    })
    yield* checkStore(run.log, counts, ended?.head)
    if (ended !== undefined) {
      if (known !== undefined && known !== ended.head.digest && counts.knownAt === undefined) {
        counts.find(ended.head.seq + 1, `no event has the known head ${known}: the log was cut or written anew`)
      }
      yield* checkSource(hash, run, counts)
      yield* checkTree(run, counts)
    }
    return { audit: counts.audited(ended?.head.digest ?? EMPTY.digest, ended?.head.seq ?? head.seq), state }
  })

class Counts {
  readonly bodies = new Set<Digest>()
  readonly findings: Array<Finding> = []
  knownAt: number | undefined
  private requests = 0
  private differ = 0

  find(seq: number, why: string): void {
    this.findings.push({ seq, why })
  }

  request({ fact, sent, seq }: Walk.Passing): void {
    if (sent === undefined) return
    this.requests++
    if (sent.differs === undefined) return
    this.differ++
    this.find(seq, `request ${fact.request}: message ${sent.differs + 1} does not render to the bytes that were sent`)
  }

  audited(head: Digest, events: number): Audited {
    const { bodies, differ, findings, requests } = this
    return { events, bodies: bodies.size, requests, differ, head, findings }
  }
}

/** Every body that a fact names must be there and be the one that it names. */
const checkBodies = (counts: Counts, { fact, seq }: Log.Read, reader: Texts.Reader): Effect.Effect<void, StoreError> =>
  Effect.forEach(
    checksOf(fact, reader),
    ({ body, check }) =>
      check.pipe(
        Effect.tap(() => Effect.sync(() => counts.bodies.add(body.digest).add(storedUnder(body)))),
        Effect.catchTag("BodyFault", (fault) => Effect.sync(() => counts.find(seq, fault.message)))
      ),
    { discard: true }
  )

const checksOf = (
  fact: Fact,
  reader: Texts.Reader
): ReadonlyArray<{ readonly body: Body; readonly check: Effect.Effect<unknown, BodyFault | StoreError> }> => {
  switch (fact._tag) {
    case "Entered":
      return bodiesOf(fact.part).map((body, i) => ({ body, check: Texts.blockBytes(reader, fact, i + 1) }))
    case "Aside":
      return [{ body: fact.record, check: reader.stored(fact.record.digest) }]
    case "Began":
      return [{ body: fact.config, check: reader.stored(fact.config.digest) }]
    case "Sourced":
      return [{ body: fact.tail, check: reader.stored(fact.tail.digest) }]
    default:
      return []
  }
}

/** The store's own records of the log, and the head that it believes in. */
const checkStore = (log: LogId, counts: Counts, ended: Head | undefined): Effect.Effect<void, StoreError, EventStore> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    for (const { seq, why } of yield* store.inspect(log)) counts.find(seq, why)
    const info = yield* store.head(log)
    const stored = info._tag === "Some" ? info.value.head : EMPTY
    if (ended === undefined || (stored.seq === ended.seq && stored.digest === ended.digest)) return
    counts.find(
      Math.min(stored.seq, ended.seq) + 1,
      `the store's head is event ${stored.seq}, the events lead to ${ended.seq}`
    )
  })

/** The log beside the run that says how far its source was read. */
const checkSource = (hash: Hasher, run: Run, counts: Counts): Effect.Effect<void, StoreError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const log = Config.sourceLogOf(run.base)
    const reader = yield* Texts.fromStore(hash, run.tree)
    const ended = yield* Log.fold(hash, log, undefined, (_, read) =>
      Effect.as(checkBodies(counts, read, reader), undefined)
    ).pipe(
      Effect.map(({ head }) => head),
      Effect.catchTags({
        Broken: (error) => Effect.sync(() => (counts.find(error.seq, error.message), undefined)),
        UnknownFact: (error) => Effect.sync(() => (counts.find(error.seq, error.message), undefined))
      })
    )
    if (ended !== undefined && ended.seq > 0) yield* checkStore(log, counts, ended)
  })

/** Bodies that no event names have to be whole too: nothing in a tree is other than its digest says. */
const checkTree = (run: Run, counts: Counts): Effect.Effect<void, StoreError, BodyStore> =>
  Effect.gen(function* () {
    const store = yield* BodyStore
    for (let after = ""; ;) {
      const page = yield* store.list(run.tree, after, PAGE)
      for (const digest of page) {
        if (counts.bodies.has(digest)) continue
        yield* Effect.catchTag(Effect.asVoid(store.get(run.tree, digest)), "BodyFault", (fault) =>
          Effect.sync(() => counts.find(0, fault.message))
        )
      }
      if (page.length < PAGE) return
      after = page.at(-1) ?? ""
    }
  })

const PAGE = 500
