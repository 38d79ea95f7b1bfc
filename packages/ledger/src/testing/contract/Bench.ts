/**
 * What the checks of the event store share: a tree of their own, drafts, and the reading of a whole, verified log.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { EMPTY, open, type Draft, type Event, type Head } from "../../Event.ts"
import { EventStore, type Append, type Appended, type Expected } from "../../EventStore.ts"
import { LogId, TreeId } from "../../Ids.ts"
import type { Hasher } from "../../Sha256.ts"
import { equal, type Check, Violation } from "../Contract.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Bench {
  readonly store: EventStore["Type"]
  readonly tree: TreeId
  /** A log of this check. */
  readonly log: (name: string) => LogId
  /** An append of this check; its id is the check's own. */
  readonly append: (id: string, ...writes: Append["writes"]) => Append
  /** All events of a log, their chain verified up to the stored head, which `inspect` finds nothing against. */
  readonly whole: (log: LogId) => Effect.Effect<ReadonlyArray<Event>, unknown>
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const bench =
  (hash: Hasher) =>
  (name: string, run: (bench: Bench) => Effect.Effect<void, unknown>): Check<EventStore> => ({
    name,
    check: Effect.flatMap(EventStore, (store) => {
      const tree = TreeId.make(name.replaceAll(/[^a-z]+/g, "-"))
      return run({
        store,
        tree,
        log: (log) => LogId.make(`${tree}.${log}`),
        append: (id, ...writes) => ({ id: `${tree}/${id}`, tree, writes }),
        whole: (log) => whole(hash, store, log)
      })
    })
  })

/**
 * Drafts with the given event ids.
 *
 * @since 0.1.0
 * @category constructors
 */
export const drafts = (first: string, ...ids: ReadonlyArray<string>): readonly [Draft, ...ReadonlyArray<Draft>] => [
  draft(first),
  ...ids.map(draft)
]

/**
 * @since 0.1.0
 * @category constructors
 */
export const draft = (id: string): Draft => ({
  id,
  at: "2026-01-01T00:00:00Z",
  kind: "Entered",
  version: 1,
  payload: JSON.stringify({ said: `${id} 😀 \u0000` })
})

/**
 * @since 0.1.0
 * @category constructors
 */
export const next: Expected = { _tag: "Next" }

/**
 * @since 0.1.0
 * @category constructors
 */
export const behind = ({ digest }: Head): Expected => ({ _tag: "Head", digest })

/**
 * The head that the answer to an append gives for its first write, or for another.
 *
 * @since 0.1.0
 * @category accessors
 */
export const headOf = (answer: Appended, write = 0): Head => answer.writes[write]!.head

const whole = (hash: Hasher, store: EventStore["Type"], log: LogId): Effect.Effect<ReadonlyArray<Event>, unknown> =>
  Effect.gen(function* () {
    const events: Array<Event> = []
    let head = EMPTY
    for (;;) {
      const page = yield* store.read(log, head.seq, 7)
      for (const sealed of page) {
        const opened = open(hash, log, head, sealed)
        if (Either.isLeft(opened)) return yield* new Violation({ why: opened.left.message })
        events.push(opened.right)
        head = { seq: sealed.seq, digest: sealed.digest }
      }
      if (page.length < 7) break
    }
    yield* equal(
      (yield* store.head(log)).pipe((found) => (found._tag === "Some" ? found.value.head : EMPTY)),
      head,
      "the head"
    )
    yield* equal(yield* store.inspect(log), [], "what inspect finds")
    return events
  })
