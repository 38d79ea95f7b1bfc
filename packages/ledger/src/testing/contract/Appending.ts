/**
 * Appending: numbers, chains, expected heads, and several logs as one.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { EMPTY } from "../../Event.ts"
import type { EventStore } from "../../EventStore.ts"
import type { Hasher } from "../../Sha256.ts"
import { equal, failing, hold, type Check } from "../Contract.ts"
import { behind, bench, draft, drafts, headOf, next } from "./Bench.ts"

/**
 * @since 0.1.0
 * @category contracts
 */
export const appending = (hash: Hasher): ReadonlyArray<Check<EventStore>> => {
  const check = bench(hash)
  return [
    check("a log begins at one, behind genesis", ({ append, log, store, tree, whole }) =>
      Effect.gen(function* () {
        const run = log("run")
        yield* equal(yield* store.head(run), Option.none(), "the head of no log")
        const answer = yield* store.append(append("1", { log: run, expected: behind(EMPTY), drafts: drafts("a", "b") }))
        yield* equal(
          answer.writes.map((write) => [write.log, write.first, write.head.seq]),
          [[run, 1, 2]],
          "the answer"
        )
        yield* equal(
          Option.getOrUndefined(yield* store.head(run)),
          { log: run, tree, head: headOf(answer) },
          "the head"
        )
        const events = yield* whole(run)
        yield* equal(
          events.map(({ id, seq }) => [id, seq]),
          [
            ["a", 1],
            ["b", 2]
          ],
          "the events"
        )
        yield* equal(events[0]?.prev, EMPTY.digest, "what the first stands behind")
      })
    ),

    check("events come back as they were drafted", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const run = log("run")
        yield* store.append(append("1", { log: run, expected: next, drafts: drafts("a") }))
        const { at, kind, payload, version } = draft("a")
        const [event] = yield* whole(run)
        yield* equal([event?.at, event?.kind, event?.version], [at, kind, version], "the event")
        yield* equal(event?.payload, JSON.parse(payload), "the payload")
      })
    ),

    check("next stands behind whatever is there", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const run = log("run")
        const first = yield* store.append(append("1", { log: run, expected: next, drafts: drafts("a") }))
        const second = yield* store.append(append("2", { log: run, expected: next, drafts: drafts("b", "c") }))
        yield* equal([first.writes[0]?.first, second.writes[0]?.first, headOf(second).seq], [1, 2, 3], "the numbers")
        yield* equal(
          (yield* whole(run)).map(({ id }) => id),
          ["a", "b", "c"],
          "the events"
        )
      })
    ),

    check("a writer with the head goes on, a stale one learns the actual head", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const run = log("run")
        const first = headOf(
          yield* store.append(append("1", { log: run, expected: behind(EMPTY), drafts: drafts("a") }))
        )
        const write = (id: string, expected = behind(first)) => append(id, { log: run, expected, drafts: drafts(id) })
        const second = headOf(yield* store.append(write("b")))
        const stale = yield* failing(store.append(write("c")), "Conflict", "a stale head")
        yield* equal([stale.log, stale.expected, stale.actual], [run, first.digest, second], "the conflict")
        const late = yield* failing(store.append(write("d", behind(EMPTY))), "Conflict", "genesis")
        yield* equal(late.actual, second, "the actual head")
        yield* equal(
          (yield* whole(run)).map(({ id }) => id),
          ["a", "b"],
          "the events"
        )
      })
    ),

    check("a log that is not there has no head but genesis", ({ append, log, store }) =>
      Effect.gen(function* () {
        const run = log("run")
        const there = headOf(
          yield* store.append(append("1", { log: log("other"), expected: next, drafts: drafts("a") }))
        )
        const write = append("2", { log: run, expected: behind(there), drafts: drafts("a") })
        const conflict = yield* failing(store.append(write), "Conflict", "a head of another log")
        yield* equal(conflict.actual, EMPTY, "the actual head")
        yield* equal(yield* store.head(run), Option.none(), "the head of no log")
      })
    ),

    check("several logs are written as one", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const [run, account, inbox] = [log("run"), log("account"), log("inbox")]
        const both = yield* store.append(
          append(
            "1",
            { log: run, expected: next, drafts: drafts("a", "b") },
            { log: account, expected: behind(EMPTY), drafts: drafts("a") }
          )
        )
        yield* equal(
          both.writes.map((write) => [write.log, write.first, write.head.seq]),
          [
            [run, 1, 2],
            [account, 1, 1]
          ],
          "the answer"
        )
        yield* failing(
          store.append(
            append(
              "2",
              { log: inbox, expected: next, drafts: drafts("a") },
              { log: run, expected: next, drafts: drafts("c") },
              { log: account, expected: behind(EMPTY), drafts: drafts("b") }
            )
          ),
          "Conflict",
          "one stale head of three"
        )
        yield* equal(yield* store.head(inbox), Option.none(), "the head of the log that was not begun")
        yield* equal([(yield* whole(run)).length, (yield* whole(account)).length], [2, 1], "the lengths")
      })
    ),

    check("a refused id may be used again", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const run = log("run")
        const head = headOf(yield* store.append(append("1", { log: run, expected: next, drafts: drafts("a") })))
        const write = (expected = behind(EMPTY)) => append("2", { log: run, expected, drafts: drafts("b") })
        yield* failing(store.append(write()), "Conflict", "a stale head")
        yield* equal(headOf(yield* store.append(write(behind(head)))).seq, 2, "the new head")
        yield* equal((yield* whole(run)).length, 2, "the length")
      })
    ),

    check("a large batch is one append", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const ids = Array.from({ length: 1_200 }, (_, i) => `event ${i}`)
        const run = log("run")
        const answer = yield* store.append(append("1", { log: run, expected: next, drafts: drafts("first", ...ids) }))
        yield* equal([answer.writes[0]?.first, headOf(answer).seq], [1, 1_201], "the numbers")
        yield* hold(
          (yield* whole(run)).every(({ id }, i) => id === (i === 0 ? "first" : ids[i - 1])),
          "another order"
        )
      })
    )
  ]
}
