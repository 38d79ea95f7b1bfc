/**
 * Racing: fibers with unequal batches. Nothing is lost, doubled or partial, and the chain is whole.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { EMPTY } from "../../Event.ts"
import type { Appended, BadAppend, Conflict, EventStore, StoreError } from "../../EventStore.ts"
import type { Hasher } from "../../Sha256.ts"
import { equal, hold, type Check } from "../Contract.ts"
import { behind, bench, drafts, headOf, next, type Bench } from "./Bench.ts"

/**
 * @since 0.1.0
 * @category contracts
 */
export const racing = (hash: Hasher): ReadonlyArray<Check<EventStore>> => {
  const check = bench(hash)
  return [
    check("fibers that take what is next", (bench) =>
      Effect.gen(function* () {
        const { append, log, store } = bench
        const answers = yield* race((writer) =>
          store.append(
            append(
              `${writer}`,
              { log: log("run"), expected: next, drafts: batch(writer) },
              { log: log("account"), expected: next, drafts: drafts(`${writer}`) }
            )
          )
        )
        yield* allThere(bench, answers)
        yield* equal((yield* bench.whole(log("account"))).length, WRITERS, "the length of the account")
      })
    ),

    check("fibers that hold a head", (bench) =>
      Effect.gen(function* () {
        const { append, log, store } = bench
        const persist = (
          writer: number,
          head = EMPTY,
          patience = 10 * WRITERS
        ): Effect.Effect<Appended, Conflict | BadAppend | StoreError> =>
          store.append(append(`${writer}`, { log: log("run"), expected: behind(head), drafts: batch(writer) })).pipe(
            Effect.tap(() => Effect.yieldNow()),
            Effect.catchTag("Conflict", (stale) =>
              patience === 0 ? Effect.fail(stale) : persist(writer, stale.actual, patience - 1)
            )
          )
        yield* allThere(bench, yield* race((writer) => persist(writer)))
      })
    ),

    check("fibers that repeat one append", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const once = append("1", { log: log("run"), expected: next, drafts: batch(3) })
        const answers = yield* race(() => store.append(once))
        for (const answer of answers) yield* equal(answer, answers[0], "the answer")
        yield* equal((yield* whole(log("run"))).length, batch(3).length, "the length")
      })
    )
  ]
}

const WRITERS = 24

const race = <A, E>(write: (writer: number) => Effect.Effect<A, E>): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.forEach(
    Array.from({ length: WRITERS }, (_, writer) => writer),
    write,
    { concurrency: "unbounded" }
  )

/** One to seven events, named after their writer. */
const batch = (writer: number) =>
  drafts(`${writer}/0`, ...Array.from({ length: writer % 7 }, (_, i) => `${writer}/${i + 1}`))

const allThere = ({ log, whole }: Bench, answers: ReadonlyArray<Appended>) =>
  Effect.gen(function* () {
    const events = yield* whole(log("run"))
    yield* hold(new Set(events.map(({ id }) => id)).size === events.length, "an event is there twice")
    let count = 0
    for (const [writer, answer] of answers.entries()) {
      const wanted = batch(writer).map(({ id }) => id)
      const first = answer.writes[0]!.first
      const found = events.slice(first - 1, headOf(answer).seq).map(({ id }) => id)
      yield* equal(found, wanted, `the batch of writer ${writer}`)
      count += wanted.length
    }
    yield* equal(events.length, count, "the length of the run")
  })
