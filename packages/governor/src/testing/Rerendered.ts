/**
 * Law 7: from the log alone, at any later time, each request renders to the bytes that were sent.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Memory from "@palimpsest/ledger/Memory"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import type { Law } from "@palimpsest/ledger/testing/Law"
import { compile } from "@palimpsest/policy/Check"
import { permissive } from "@palimpsest/policy/Policy"
import * as Workspace from "../Workspace.ts"
import { type Implementation, ours } from "./Implementation.ts"
import * as Script from "./Script.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const rerendered: Law<Implementation> = {
  number: 7,
  name: "each request renders from the log to the bytes that were sent, refreshed files and refusals included",
  property: ({ rendered }) =>
    FastCheck.property(Script.config, Script.script, FastCheck.boolean(), (config, script, hasWorkspace) => {
      const run = Effect.gen(function* () {
        const { sent } = yield* Script.play(config, ALL, script)
        return yield* Effect.forEach(sent, (messages, i) =>
          Effect.map(rendered(Script.RUN, i + 1), (again) => JSON.stringify(again) === JSON.stringify(messages))
        )
      })
      const files = Workspace.memory(Object.fromEntries(Script.FILES.map((file) => [file, `${file} as it is now\n`])))
      const played = hasWorkspace ? Effect.provide(run, files) : run
      return Effect.runSync(
        played.pipe(
          Effect.map((same) => same.every((one) => one)),
          Effect.orElseSucceed(() => false),
          Effect.provide(Memory.layer(hash))
        )
      )
    }),
  mutants: [
    {
      name: "an old request is rendered with what is known now",
      implementation: {
        ...ours,
        rendered: (run, request) => Effect.orElse(ours.rendered(run, request + 1), () => ours.rendered(run, request))
      }
    },
    changing("the name of the run is rendered", (messages) => [...messages, `{"role":"user","content":"run"}`]),
    changing("messages are written anew", (messages) =>
      messages.map((one) => JSON.stringify(JSON.parse(one), null, 1))
    ),
    changing("a message that was said twice is said once", (messages) => [...new Set(messages)].slice(-3))
  ]
}

const ALL = Either.getOrThrow(compile(permissive))

function changing(name: string, change: (messages: ReadonlyArray<string>) => ReadonlyArray<string>) {
  const rendered: Implementation["rendered"] = (run, request) =>
    Effect.map(ours.rendered(run, request), (messages) => (messages === undefined ? undefined : change(messages)))
  return { name, implementation: { ...ours, rendered } }
}
