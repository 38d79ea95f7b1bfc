/** A live run over files on the disk: what a host would say to it, in few words. */
import type { Config } from "@palimpsest/governor/Config"
import * as Draft from "@palimpsest/governor/Draft"
import * as Governor from "@palimpsest/governor/Governor"
import * as Log from "@palimpsest/governor/Log"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import * as Memory from "@palimpsest/ledger/Memory"
import type { Observation } from "@palimpsest/ledger/Observation"
import * as Sha256 from "@palimpsest/ledger/Sha256"
import type * as Policy from "@palimpsest/policy/Policy"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Answer from "../../src/Answer.ts"
import * as Workspace from "../../src/Layer.ts"
import * as Disk from "./Disk.ts"

const hash = Sha256.pure
export const RUN = LogId.make("run")

export const BALANCED: Config = { preset: "balanced", shape: "anthropic", line: 50_000, lowWater: 30_000 }
export const SECTION: Config = { preset: "io-harness", shape: "anthropic", maxTokens: 24_000 }

/** The ports of a run, over a root; what was refused is told to `refused`. */
export const ports = (root: string, policy: Policy.Policy, refused: Array<Answer.Refused> = []) =>
  Layer.merge(
    Memory.layer(hash),
    Workspace.layer({
      root,
      policy: Disk.compiled(policy),
      refused: (one) => Effect.sync(() => void refused.push(one))
    })
  )

/** A run that read a file and then wrote it: its next request finds the read stale. */
export const stale = (config: Config, policy: Policy.Policy, target: string) =>
  Effect.gen(function* () {
    const live = yield* Governor.begin({
      tree: TreeId.make("tree"),
      log: RUN,
      config,
      policy: Disk.compiled(policy),
      hash
    })
    yield* Governor.observe(live, [
      Draft.said("user", "u1", "Mend it."),
      ...acted("c1", "Read", "read", target, "old\n")
    ])
    yield* sent(live)
    yield* Governor.observe(live, acted("c2", "Write", "write", target, "done"))
    return live
  })

/** The whole text of what the next request sends. */
export const sent = (live: Governor.Live) =>
  Effect.flatMap(Governor.prepare(live), (turn) =>
    turn._tag === "Send"
      ? Effect.succeed(turn.messages.map(contentOf).join("\n"))
      : Effect.dieMessage(`refused: ${turn.need} of ${turn.have}`)
  )

/** The facts of the run so far. */
export const facts = Effect.suspend(() => {
  const all: Array<Log.Read["fact"]> = []
  return Effect.as(
    Log.fold(hash, RUN, undefined, (_, { fact }) => Effect.sync(() => void all.push(fact))),
    all
  )
})

const acted = (call: string, name: string, kind: Observation["kind"], target: string, text: string) => [
  Draft.called(`m-${call}`, call, name, { file_path: target }),
  Draft.result(`r-${call}`, call, text, {
    kind,
    target,
    subject: `file:${target}`,
    covers: { _tag: "All" },
    classifier: "test"
  })
]

/** All strings of a message, one behind the other, as the model reads them. */
const contentOf = (message: string): string => strings(JSON.parse(message)).join("\n")

const strings = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(strings) : []
}
