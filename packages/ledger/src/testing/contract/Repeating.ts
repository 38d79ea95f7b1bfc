/**
 * Repeating: an append whose answer was lost is sent again, and answers as the first did.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { EMPTY } from "../../Event.ts"
import type { Append, EventStore } from "../../EventStore.ts"
import { TreeId } from "../../Ids.ts"
import type { Hasher } from "../../Sha256.ts"
import { equal, failing, type Check } from "../Contract.ts"
import { behind, bench, draft, drafts, next } from "./Bench.ts"

/**
 * @since 0.1.0
 * @category contracts
 */
export const repeating = (hash: Hasher): ReadonlyArray<Check<EventStore>> => {
  const check = bench(hash)
  return [
    check("a repeat answers as the first did, whatever came since", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const [run, account] = [log("run"), log("account")]
        yield* store.append(append("0", { log: account, expected: next, drafts: drafts("z") }))
        const twice = append(
          "1",
          { log: run, expected: behind(EMPTY), drafts: drafts("a", "b") },
          { log: account, expected: next, drafts: drafts("a") }
        )
        const first = yield* store.append(twice)
        yield* equal(yield* store.append(twice), first, "the answer at once")
        yield* store.append(append("2", { log: run, expected: next, drafts: drafts("c") }))
        yield* equal(yield* store.append(twice), first, "the answer later")
        yield* equal(
          (yield* whole(run)).map(({ id }) => id),
          ["a", "b", "c"],
          "the run"
        )
        yield* equal(
          (yield* whole(account)).map(({ id }) => id),
          ["z", "a"],
          "the account"
        )
      })
    ),

    check("a repeat is known by its events, not by what it expects", ({ append, log, store }) =>
      Effect.gen(function* () {
        const run = log("run")
        const write = (expected = next) => append("1", { log: run, expected, drafts: drafts("a") })
        const first = yield* store.append(write())
        yield* equal(yield* store.append(write(behind(EMPTY))), first, "the answer")
      })
    ),

    check("an id is not used for anything else", ({ append, log, store, tree, whole }) =>
      Effect.gen(function* () {
        const [run, account] = [log("run"), log("account")]
        const write = { log: run, expected: next, drafts: drafts("a", "b") }
        const second = { log: account, expected: next, drafts: drafts("a") }
        yield* store.append(append("1", write, second))
        const change = (by: Partial<ReturnType<typeof draft>>): Append =>
          append("1", { ...write, drafts: [draft("a"), { ...draft("b"), ...by }] }, second)
        const others: ReadonlyArray<Append> = [
          change({ id: "c" }),
          change({ at: "" }),
          change({ kind: "Decided" }),
          change({ version: 2 }),
          change({ payload: "{}" }),
          append("1", { ...write, drafts: drafts("a") }, second),
          append("1", { ...write, drafts: drafts("a", "b", "c") }, second),
          append("1", { ...write, drafts: drafts("b", "a") }, second),
          append("1", second, write),
          append("1", write),
          append("1", write, second, { log: log("more"), expected: next, drafts: drafts("a") }),
          append("1", { ...write, log: log("else") }, second),
          append("1"),
          { ...append("1", write, second), tree: TreeId.make(`${tree}2`) }
        ]
        for (const other of others) yield* failing(store.append(other), "BadAppend", "the id of another append")
        yield* equal([(yield* whole(run)).length, (yield* whole(account)).length], [2, 1], "the lengths")
        yield* equal((yield* store.logs({ tree, after: "", limit: 10 })).length, 2, "the number of logs")
      })
    )
  ]
}
