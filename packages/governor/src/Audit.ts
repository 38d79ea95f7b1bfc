/**
 * The audit: that a log is whole, that its bodies are the ones that its events name, and that every request renders to
 * the bytes that were written down. It needs the store and nothing else: no source file, no clock, no configuration of
 * the machine (laws 2, 3 and 7).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { BodyStore, type BodyFault } from "@palimpsest/ledger/BodyStore"
import { encodeUtf8 } from "@palimpsest/ledger/Body"
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
 * Where a run is not what it should be. `seq` is the event that it concerns, of `log` where that is another one of the
 * run's tree; 0 where it concerns a body that no event names.
 *
 * @since 0.1.0
 * @category models
 */
export interface Finding {
  readonly log?: LogId
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
 * Audits a run, and takes a visitor along on the same walk. Runs of one tree share bodies: give them one set of digests,
 * and a body that no event of theirs names is checked once.
 *
 * @since 0.1.0
 * @category auditing
 */
export const auditWith = <S, R>(
  hash: Hasher,
  run: Run,
  known: Digest | undefined,
  initial: S,
  visitor: Walk.Visitor<S, Texts.Fault, R>,
  checked: Set<Digest> = new Set()
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
    yield* checkStore(run.log, run.log, counts, ended?.head)
    if (ended !== undefined) {
      if (known !== undefined && known !== ended.head.digest && counts.knownAt === undefined) {
        counts.find(ended.head.seq + 1, `no event has the known head ${known}: the log was cut or written anew`)
      }
      yield* checkPolicy(run, counts, reader)
      yield* checkSource(hash, run, counts)
      yield* checkTree(run, counts, checked)
    }
    return { audit: counts.audited(ended?.head.digest ?? EMPTY.digest, ended?.head.seq ?? head.seq), state }
  })

class Counts {
  readonly bodies = new Set<Digest>()
  readonly findings: Array<Finding> = []
  knownAt: number | undefined
  private requests = 0
  private differ = 0

  find(seq: number, why: string, log?: LogId): void {
    this.findings.push({ ...(log === undefined ? {} : { log }), seq, why })
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
const checkBodies = (
  counts: Counts,
  { fact, seq }: Log.Read,
  reader: Texts.Reader,
  log?: LogId
): Effect.Effect<void, StoreError> =>
  Effect.forEach(
    checksOf(fact, reader),
    ({ check, digests }) =>
      check.pipe(
        Effect.tap(() => Effect.sync(() => digests.forEach((digest) => counts.bodies.add(digest)))),
        Effect.catchTag("BodyFault", (fault) => Effect.sync(() => counts.find(seq, fault.message, log)))
      ),
    { discard: true }
  )

interface BodyCheck {
  readonly digests: ReadonlyArray<Digest>
  readonly check: Effect.Effect<unknown, BodyFault | StoreError>
}

const checksOf = (fact: Fact, reader: Texts.Reader): ReadonlyArray<BodyCheck> => {
  const stored = ({ digest }: { readonly digest: Digest }): BodyCheck => ({
    digests: [digest],
    check: reader.stored(digest)
  })
  switch (fact._tag) {
    case "Entered": {
      // A text that is known already may lie in a record that is not: what is stored is looked at each time.
      const blocks = bodiesOf(fact.part).map((body, i): BodyCheck => ({
        digests: [body.digest, storedUnder(body)],
        check: Effect.zipRight(reader.stored(storedUnder(body)), Texts.blockBytes(reader, fact, i + 1))
      }))
      const { origin } = fact
      const isElsewhere = origin._tag === "Read" && blocks.every(({ digests }) => !digests.includes(origin.record))
      return isElsewhere ? [stored({ digest: origin.record }), ...blocks] : blocks
    }
    case "Aside":
      return [stored(fact.record)]
    case "Began":
      return [stored(fact.config)]
    case "Sourced":
      return [stored(fact.tail)]
    default:
      return []
  }
}

/** The store's own records of a log, and the head that it believes in. */
const checkStore = (
  run: LogId,
  log: LogId,
  counts: Counts,
  ended: Head | undefined
): Effect.Effect<void, StoreError, EventStore> =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const other = log === run ? undefined : log
    for (const { seq, why } of yield* store.inspect(log)) {
      counts.find(seq, seq === 0 ? `event 0 of ${log}: ${why}` : why, other)
    }
    const info = yield* store.head(log)
    const stored = info._tag === "Some" ? info.value.head : EMPTY
    if (ended === undefined || (stored.seq === ended.seq && stored.digest === ended.digest)) return
    counts.find(
      stored.seq === ended.seq ? ended.seq : Math.min(stored.seq, ended.seq) + 1,
      `the store's head is event ${stored.seq}, the events lead to ${ended.seq}`,
      other
    )
  })

/** The policy that a live run began under: named in its configuration, so no event names it. */
const checkPolicy = (
  { config: { policy } }: Run,
  counts: Counts,
  reader: Texts.Reader
): Effect.Effect<void, StoreError> =>
  policy === undefined
    ? Effect.void
    : Effect.catchTag(Effect.asVoid(reader.stored(policy)), "BodyFault", (fault) =>
        Effect.sync(() => counts.find(1, fault.message))
      )

/** The log beside the run that says how far its source was read. */
const checkSource = (hash: Hasher, run: Run, counts: Counts): Effect.Effect<void, StoreError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const log = Config.sourceLogOf(run.base)
    const reader = yield* Texts.fromStore(hash, run.tree)
    const damaged = ({ seq, why }: { readonly seq: number; readonly why: string }) =>
      Effect.sync(() => (counts.find(seq, why, log), undefined))
    const ended = yield* Log.fold(hash, log, undefined, (_, read) =>
      Effect.as(checkBodies(counts, read, reader, log), undefined)
    ).pipe(
      Effect.map(({ head }) => head),
      Effect.catchTags({ Broken: damaged, UnknownFact: damaged })
    )
    yield* checkStore(run.log, log, counts, ended)
  })

/** Logs of the tree that have no event, and bodies that no event names: nothing in a tree is other than it says. */
const checkTree = (
  run: Run,
  counts: Counts,
  checked: Set<Digest>
): Effect.Effect<void, StoreError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const events = yield* EventStore
    for (const { head, log } of yield* Log.allOf(run.tree)) {
      const isKnown = log === run.log || log === Config.sourceLogOf(run.base)
      if (isKnown || (yield* events.read(log, 0, 1)).length > 0) continue
      counts.find(1, `missing; the head is event ${head.seq}`, log)
    }
    const store = yield* BodyStore
    for (let after = ""; ;) {
      const page = yield* store.list(run.tree, after, PAGE)
      for (const digest of page) {
        if (counts.bodies.has(digest) || checked.has(digest)) continue
        checked.add(digest)
        yield* Effect.catchTag(Effect.asVoid(store.get(run.tree, digest)), "BodyFault", (fault) =>
          Effect.sync(() => counts.find(0, fault.message))
        )
      }
      if (page.length < PAGE) return
      after = page.at(-1) ?? ""
    }
  })

const PAGE = 500
