/**
 * Refusing: what can never be accepted leaves nothing behind, whatever else came with it.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Draft } from "../../Event.ts"
import type { EventStore } from "../../EventStore.ts"
import { TreeId } from "../../Ids.ts"
import type { Hasher } from "../../Sha256.ts"
import { equal, failing, type Check } from "../Contract.ts"
import { bench, draft, drafts, next } from "./Bench.ts"

/**
 * @since 0.1.0
 * @category contracts
 */
export const refusing = (hash: Hasher): ReadonlyArray<Check<EventStore>> => {
  const check = bench(hash)
  return [
    check("an event id is used once in its log", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const [run, account] = [log("run"), log("account")]
        yield* store.append(append("1", { log: run, expected: next, drafts: drafts("a", "b") }))
        const again = append(
          "2",
          { log: account, expected: next, drafts: drafts("a") },
          { log: run, expected: next, drafts: drafts("c", "b") }
        )
        yield* failing(store.append(again), "BadAppend", "an id of an earlier append")
        const twice = append("3", { log: run, expected: next, drafts: drafts("c", "c") })
        yield* failing(store.append(twice), "BadAppend", "an id twice in one batch")
        yield* store.append(append("4", { log: account, expected: next, drafts: drafts("a", "b") }))
        yield* equal(
          (yield* whole(run)).map(({ id }) => id),
          ["a", "b"],
          "the run"
        )
        yield* equal(
          (yield* whole(account)).map(({ id }) => id),
          ["a", "b"],
          "the account"
        )
      })
    ),

    check("a log stays in its tree", ({ append, log, store, tree, whole }) =>
      Effect.gen(function* () {
        const run = log("run")
        yield* store.append(append("1", { log: run, expected: next, drafts: drafts("a") }))
        const elsewhere = {
          ...append("2", { log: run, expected: next, drafts: drafts("b") }),
          tree: TreeId.make(`${tree}2`)
        }
        yield* failing(store.append(elsewhere), "BadAppend", "another tree")
        yield* equal((yield* whole(run)).length, 1, "the length")
        yield* equal(yield* store.logs({ tree: TreeId.make(`${tree}2`), after: "", limit: 10 }), [], "the other tree")
      })
    ),

    check("an append writes something, to each log once", ({ append, log, store, tree }) =>
      Effect.gen(function* () {
        const write = { log: log("run"), expected: next, drafts: drafts("a") }
        yield* failing(store.append(append("1")), "BadAppend", "no writes")
        yield* failing(store.append(append("2", write, { ...write, drafts: drafts("b") })), "BadAppend", "a log twice")
        yield* failing(store.append({ ...append("3", write), id: "" }), "BadAppend", "no id")
        yield* equal(yield* store.logs({ tree, after: "", limit: 10 }), [], "the logs")
      })
    ),

    check("an event that could not be opened again is not written", ({ append, log, store, tree }) =>
      Effect.gen(function* () {
        const flaws: ReadonlyArray<Partial<Draft>> = [
          { id: "" },
          { id: "\ud83d" },
          { id: "a\u0000" },
          { kind: "" },
          { kind: "\udc00" },
          { at: "\ud83d" },
          { version: 0 },
          { version: 1.5 },
          { payload: "" },
          { payload: "[]" },
          { payload: "{" },
          { payload: '{"b":1,"a":2}' },
          { payload: '{"a": 1}' },
          { payload: '{"a":1,"a":2}' },
          { payload: '{"a":9007199254740993}' },
          { payload: '{"a":"\\ud83d"}' },
          { payload: '{"a":1},"log":"other"' }
        ]
        for (const [i, flaw] of flaws.entries()) {
          const write = {
            log: log("run"),
            expected: next,
            drafts: [draft("good"), { ...draft("a"), ...flaw }] as const
          }
          yield* failing(store.append(append(`${i}`, write)), "BadAppend", JSON.stringify(flaw))
        }
        yield* equal(yield* store.logs({ tree, after: "", limit: 10 }), [], "the logs")
      })
    )
  ]
}
