import * as Effect from "effect/Effect"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import * as Memory from "@palimpsest/ledger/Memory"
import * as Sha256 from "@palimpsest/ledger/Sha256"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import { called, result, said } from "../src/Draft.ts"
import * as Governor from "../src/Governor.ts"

const read = { kind: "read", target: "a.ts", subject: "file:a.ts", covers: { _tag: "All" }, classifier: "host" } as const

export const turn = Effect.gen(function* () {
  const policy = yield* compile(Policy.builtin)
  const config = { preset: "balanced", shape: "anthropic", line: 50_000, lowWater: 30_000 } as const
  const run = yield* Governor.begin({
    tree: TreeId.make("demo"),
    log: LogId.make("demo"),
    config,
    policy,
    hash: Sha256.pure
  })
  yield* Governor.observe(run, [
    said("user", "u1", "What does a.ts export?"),
    called("a1", "call-1", "Read", { file_path: "a.ts" }),
    result("r1", "call-1", "export const answer = 42\n", read)
  ])
  return yield* Governor.prepare(run)
})

export const program = Effect.provide(turn, Memory.layer(Sha256.pure))
