/**
 * Reading: pages of events, pages of logs, and what was handed out.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { EventStore, LogInfo } from "../../EventStore.ts"
import { TreeId } from "../../Ids.ts"
import type { Hasher } from "../../Sha256.ts"
import { equal, hold, type Check } from "../Contract.ts"
import { bench, drafts, headOf, next } from "./Bench.ts"

/**
 * @since 0.1.0
 * @category contracts
 */
export const reading = (hash: Hasher): ReadonlyArray<Check<EventStore>> => {
  const check = bench(hash)
  return [
    check("a log is read in pages", ({ append, log, store }) =>
      Effect.gen(function* () {
        const run = log("run")
        yield* store.append(append("1", { log: run, expected: next, drafts: drafts("a", "b", "c", "d", "e") }))
        const seqs = (after: number, limit: number) =>
          Effect.map(store.read(run, after, limit), (page) => page.map(({ seq }) => seq))
        yield* equal(yield* seqs(0, 2), [1, 2], "the first page")
        yield* equal(yield* seqs(2, 2), [3, 4], "the second page")
        yield* equal(yield* seqs(4, 2), [5], "the last page")
        yield* equal(yield* seqs(5, 2), [], "behind the end")
        yield* equal(yield* seqs(0, 0), [], "a page of none")
        yield* equal(yield* seqs(0, Number.MAX_SAFE_INTEGER), [1, 2, 3, 4, 5], "all")
        yield* equal(yield* store.read(log("none"), 0, 9), [], "no log")
        yield* equal(yield* store.inspect(log("none")), [], "what inspect finds against no log")
      })
    ),

    check("the logs of a tree are listed in pages, by name", ({ append, log, store, tree }) =>
      Effect.gen(function* () {
        const names = ["c", "a", "b", "B", "a~source"].map(log)
        const infos: Array<LogInfo> = []
        for (const name of names) {
          const answer = yield* store.append(append(name, { log: name, expected: next, drafts: drafts("a", "b") }))
          infos.push({ log: name, tree, head: headOf(answer) })
        }
        const neighbour = {
          ...append("n", { log: log("aa"), expected: next, drafts: drafts("a") }),
          tree: TreeId.make(`${tree}-n`)
        }
        yield* store.append(neighbour)
        infos.sort((a, b) => (a.log < b.log ? -1 : 1))
        yield* equal(yield* store.logs({ tree, after: "", limit: 10 }), infos, "all of the tree")
        yield* equal(yield* store.logs({ tree, after: "", limit: 2 }), infos.slice(0, 2), "the first page")
        yield* equal(yield* store.logs({ tree, after: infos[1]!.log, limit: 9 }), infos.slice(2), "the rest")
        yield* equal(yield* store.logs({ tree, after: "", limit: 0 }), [], "a page of none")
        const everywhere = yield* store.logs({ after: `${tree}.`, limit: 6 })
        yield* equal(
          everywhere.map((info) => info.log),
          [...names, log("aa")].sort(),
          "all trees"
        )
        yield* equal(everywhere.find((info) => info.log === log("aa"))?.tree, `${tree}-n`, "the neighbour's tree")
      })
    ),

    check("events that were handed out are not those that are kept", ({ append, log, store, whole }) =>
      Effect.gen(function* () {
        const run = log("run")
        yield* store.append(append("1", { log: run, expected: next, drafts: drafts("a") }))
        for (const { bytes } of yield* store.read(run, 0, 1)) bytes.fill(0)
        yield* hold((yield* whole(run)).length === 1, "the event was changed")
      })
    )
  ]
}
