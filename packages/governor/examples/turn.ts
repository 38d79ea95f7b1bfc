import * as Effect from "effect/Effect"
import * as Governor from "@palimpsest/governor/Governor"
import { called, result, said } from "@palimpsest/governor/Draft"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import * as Memory from "@palimpsest/ledger/Memory"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import { compile } from "@palimpsest/policy/Check"
import { builtin } from "@palimpsest/policy/Policy"

const tree = TreeId.make("demo")
const log = LogId.make("demo")
const config = { preset: "balanced", shape: "anthropic", line: 50_000, lowWater: 30_000 } as const
const file = {
  kind: "read",
  target: "a.ts",
  subject: "file:a.ts",
  covers: { _tag: "All" },
  classifier: "host"
} as const

const turn = Effect.gen(function* () {
  const policy = yield* compile(builtin)
  const run = yield* Governor.begin({ tree, log, config, policy, hash })
  yield* Governor.observe(run, [
    said("user", "u1", "What does a.ts export?"),
    called("a1", "call-1", "Read", { file_path: "a.ts" }),
    result("r1", "call-1", "export const answer = 42\n", file)
  ])
  return yield* Governor.prepare(run)
})

export const program = Effect.provide(turn, Memory.layer(hash))
