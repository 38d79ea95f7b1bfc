/** Runs of a tree: dispatch, allotments, grants and ends. */
import * as Effect from "effect/Effect"
import type { Accounts } from "../../Accounts.ts"
import type { Check } from "../Contract.ts"
import { bench, call, child, held, refused, same, spent } from "./Bench.ts"

export const trees = (seed: number): ReadonlyArray<Check<Accounts>> => {
  const check = bench(seed)
  return [
    check("a child is checked before it exists, and a refusal leaves nothing behind", (bench) =>
      Effect.gen(function* () {
        const { accounts, id, open, root, sums } = bench
        yield* open({ depth: 1, children: 2 })
        const { depth } = yield* accounts.dispatch(id, { parent: root, child: child(1) })
        yield* accounts.dispatch(id, { parent: root, child: child(1) })
        yield* same(depth, 1, "the depth")
        const deep = accounts.dispatch(id, { parent: child(1), child: child(2) })
        yield* refused(deep, "LimitReached", "a child too deep")
        yield* refused(accounts.reading(id, { run: child(2) }), "UnknownRun", "the child that was refused")
        yield* same(yield* sums("children"), [1, 0], "the children")
        yield* accounts.dispatch(id, { parent: root, child: child(2) })
        yield* refused(accounts.dispatch(id, { parent: root, child: child(3) }), "LimitReached", "a third child")
      })
    ),

    check("a child's spending is its own and all above it", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 1_000 })
        yield* accounts.dispatch(id, { parent: root, child: child(1) })
        yield* accounts.dispatch(id, { parent: child(1), child: child(2) })
        for (const [n, run] of [
          [600, root],
          [500, child(1)],
          [400, child(2)]
        ] as const) {
          yield* accounts.record(id, { reservation: call(n), run, spend: spent(n) })
        }
        yield* same(yield* sums("tokens"), [1_500, 0], "the tree")
        yield* same(yield* sums("tokens", child(1)), [900, 0], "the child and its own")
        yield* same(yield* sums("tokens", child(2)), [400, 0], "the grandchild")
        const next = { reservation: call(1), run: child(2), hold: held(1) }
        yield* refused(accounts.reserve(id, next), "LimitReached", "a call of a deep run when the tree has run out")
      })
    ),

    check("children cannot be promised the same remainder", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 100 })
        const promise = (n: number) =>
          accounts.dispatch(id, { parent: root, child: child(n), allotment: { tokens: 50 } })
        yield* promise(1)
        yield* promise(2)
        yield* refused(promise(3), "LimitReached", "a third half")
        yield* same(yield* sums("tokens"), [0, 100], "what is set aside")
        const own = { reservation: call(0), run: root, hold: held(1) }
        yield* refused(accounts.reserve(id, own), "LimitReached", "a call of the parent")
        yield* accounts.reserve(id, { reservation: call(1), run: child(1), hold: held(50) })
        const more = { reservation: call(2), run: child(1), hold: held(1) }
        yield* refused(accounts.reserve(id, more), "LimitReached", "a child that wants more")
        yield* accounts.settle(id, { reservation: call(1), spend: spent(20) })
        yield* accounts.end(id, { run: child(1), epitaph: "final-response" })
        yield* accounts.reserve(id, { ...own, hold: held(30) })
        yield* refused(accounts.reserve(id, { ...more, run: root }), "LimitReached", "one token of the second child's")
      })
    ),

    check("a child's limits only narrow", ({ accounts, id, open, root }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 100 })
        const asked = { tokens: 5_000_000, calls: 3 }
        const { limits } = yield* accounts.dispatch(id, { parent: root, child: child(1), limits: asked })
        yield* same([limits.tokens, limits.calls], [100, 3], "the child's limits")
        yield* same(
          (yield* accounts.dispatch(id, { parent: root, child: child(2) })).limits,
          {},
          "none asked, none given"
        )
      })
    ),

    check("running out ends a run once, deposits once, and wakes nobody", ({ accounts, id, open, root }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 8 })
        yield* accounts.dispatch(id, { parent: root, child: child(1) })
        yield* refused(accounts.exhaust(id, { run: child(1) }), "BadCommand", "a run that has not run out")
        yield* accounts.record(id, { reservation: call(1), run: child(1), spend: spent(8) })
        const over = yield* accounts.exhaust(id, { run: child(1) })
        yield* same([over.epitaph, over.wakes], ["budget-exhausted", false], "the end")
        yield* same(
          [over.deposit?.to, over.deposit?.epitaph, over.deposit?.result],
          [root, "budget-exhausted", undefined],
          "the deposit"
        )
        yield* same((yield* accounts.exhaust(id, { run: child(1) })).deposit, undefined, "the deposit again")
        const next = { reservation: call(2), run: child(1), hold: held(1) }
        yield* refused(accounts.reserve(id, next), "RunOver", "a call after the end")
        const other = accounts.end(id, { run: child(1), epitaph: "stopped" })
        yield* refused(other, "RunOver", "another end")
        yield* same((yield* accounts.exhaust(id, { run: root })).deposit, undefined, "a root has no parent")
      })
    ),

    check("a grant raises a limit once, and lets a run go on", ({ accounts, id, open, root, sums }) =>
      Effect.gen(function* () {
        yield* open({ tokens: 8 })
        yield* accounts.record(id, { reservation: call(1), run: root, spend: spent(8) })
        yield* accounts.exhaust(id, { run: root })
        const grant = {
          grant: call("grant"),
          scope: root,
          raise: { tokens: 10 },
          resumes: [root],
          by: "me",
          why: "go on"
        }
        yield* accounts.grant(id, grant)
        yield* same((yield* accounts.grant(id, grant)).limits, { tokens: 18 }, "the limit")
        yield* accounts.reserve(id, { reservation: call(2), run: root, hold: held(10) })
        yield* same(yield* sums("tokens"), [8, 10], "the sums")
        const free = { ...grant, grant: call("free"), raise: { calls: 1 }, resumes: [] }
        yield* refused(accounts.grant(id, free), "BadCommand", "a limit that there is not")
      })
    )
  ]
}
