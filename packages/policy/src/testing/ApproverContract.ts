/**
 * What any `Approver` must do: answer, in words that can be kept, and never grant past what it was asked (law 12).
 *
 * An approver that waits for a person is to be run with one who answers; `Defer` is an answer.
 *
 * @since 0.1.0
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Act from "../Act.ts"
import * as Approval from "../Approval.ts"
import { Approver } from "../Approver.ts"
import { compile } from "../Check.ts"
import * as Policy from "../Policy.ts"
import { type Check, hold } from "./Contract.ts"

/**
 * The contract. `requests` stand beside ours, where an approver is only asked about some things.
 *
 * @since 0.1.0
 * @category contracts
 */
export const checks = (requests: ReadonlyArray<Approval.Asked> = []): ReadonlyArray<Check<Approver>> => {
  const all = [...requests, ...TARGETS.map(asked)]
  const each = (
    name: string,
    hold: (request: Approval.Asked, answer: Approval.Answer) => Effect.Effect<void, unknown>
  ) => ({
    name,
    check: Effect.flatMap(Approver, ({ decide }) =>
      Effect.forEach(all, (request) => Effect.flatMap(answered(decide, request), (answer) => hold(request, answer)), {
        discard: true
      })
    )
  })
  return [
    each("every request gets an answer, whatever its target is called", () => Effect.void),

    each("an answer can be written down and read back", (request, answer) =>
      hold(
        answer._tag === "Defer" || Either.isRight(decodeClosing(JSON.parse(JSON.stringify(answer)))),
        `${words(request)}: ${JSON.stringify(answer)} is no answer`
      )
    ),

    each("nobody says `Remembered`: what an earlier answer covers is found in the log", (request, answer) =>
      hold(`${answer._tag}` !== "Remembered", `${words(request)}: only the log remembers`)
    ),

    each("a pattern to remember is well-formed, and matches what was asked for", (request, answer) => {
      if (answer._tag !== "Remember") return Effect.void
      const { verdict } = Approval.judge(permissive, request, answer)
      return hold(verdict.ruling === "allow", `${words(request)}: ${answer.pattern} does not cover it`)
    }),

    each("a denial says why, for the model", (request, answer) =>
      hold(answer._tag !== "Deny" || answer.reason.trim() !== "", `${words(request)}: denied without a reason`)
    ),

    {
      name: "requests that come at the same time are all answered",
      check: Effect.flatMap(Approver, ({ decide }) =>
        Effect.forEach(all, (request) => answered(decide, request), { concurrency: "unbounded", discard: true })
      )
    }
  ]
}

const answered = (decide: Approver["Type"]["decide"], request: Approval.Asked) =>
  Effect.suspend(() => decide(request)).pipe(
    Effect.catchAllDefect((defect) => Effect.fail(`${words(request)}: it broke (${Cause.pretty(Cause.die(defect))})`))
  )

const words = ({ act, target }: Approval.Asked): string => `${act} ${JSON.stringify(target)}`

const asked = (target: string, i: number): Approval.Asked => ({
  _tag: "Asked",
  step: i,
  act: Act.all[i % Act.all.length] ?? "read",
  target,
  purpose: "call",
  verdict: { ruling: "ask" }
})

const TARGETS = [
  "src/a.ts",
  "a b/[c]",
  "npm",
  "example.com:443",
  ".",
  "*",
  "a\nb",
  "[::1]:80",
  "/",
  "é😀",
  "rm -rf",
  "h"
]

const permissive = Either.getOrThrow(compile(Policy.permissive))
const decodeClosing = Schema.decodeUnknownEither(Approval.Closing)
