/** A live run for the tests: what a host would say to it, in few words. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as SynchronizedRef from "effect/SynchronizedRef"
import type { Observation } from "@palimpsest/ledger/Observation"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import type { Config } from "../../src/Config.ts"
import * as Draft from "../../src/Draft.ts"
import * as Governor from "../../src/Governor.ts"
import { hash } from "./Hash.ts"

export const RUN = LogId.make("run")
export const TREE = TreeId.make("tree")

export const begin = (config: Config, policy: Policy.Policy = Policy.permissive) =>
  Governor.begin({ tree: TREE, log: RUN, config, policy: Either.getOrThrow(compile(policy)), hash })

/** Another handle on the same log, standing where this one stands. */
export const twin = (live: Governor.Live): Effect.Effect<Governor.Live> =>
  Effect.gen(function* () {
    const state = yield* SynchronizedRef.make(yield* SynchronizedRef.get(live.state))
    return { ...live, state }
  })

export const observed = (kind: Observation["kind"], target: string, subject = `file:${target}`): Observation => ({
  kind,
  target,
  subject,
  covers: { _tag: "All" },
  classifier: "test"
})

export const user = (text: string, message = "u1"): Draft.EntryDraft => Draft.said("user", message, text)

/** A call and its result. The call's id is the message of the call as well. */
export const read = (call: string, target: string, text: string, subject?: string): ReadonlyArray<Draft.EntryDraft> =>
  acted(call, "Read", target, text, observed("read", target, subject))

export const write = (call: string, target: string, text = "done", subject?: string): ReadonlyArray<Draft.EntryDraft> =>
  acted(call, "Write", target, text, observed("write", target, subject))

export const acted = (
  call: string,
  name: string,
  target: string,
  text: string,
  observation: Observation
): ReadonlyArray<Draft.EntryDraft> => [
  Draft.called(`m-${call}`, call, name, { file_path: target }),
  Draft.result(`r-${call}`, call, text, observation)
]

/** What a turn sends; the test fails where it sends nothing. */
export const sent = (live: Governor.Live) =>
  Effect.flatMap(Governor.prepare(live), (turn) =>
    turn._tag === "Send" ? Effect.succeed(turn) : Effect.dieMessage(`refused: ${turn.need} of ${turn.have}`)
  )

/** The text of the one message that a section is. */
export const sectionText = (messages: ReadonlyArray<string>): string => {
  const parsed: unknown = JSON.parse(messages[0] ?? "{}")
  return typeof parsed === "object" && parsed !== null && "content" in parsed ? String(parsed.content) : ""
}
