/** `view RUN --request N`: what the model saw, and with `--why` every difference from what happened. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { reasonOf } from "@palimpsest/compaction/Form"
import * as Runs from "@palimpsest/governor/Runs"
import * as ViewAt from "@palimpsest/governor/ViewAt"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import { fromError, unusable } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"

export const command = Command.make(
  "view",
  {
    run: Args.text({ name: "RUN" }),
    db: Database.option,
    json: Output.json,
    request: Options.integer("request").pipe(Options.withDescription("the number of the request, from 1")),
    why: Options.boolean("why").pipe(Options.withDescription("list the entries that are not shown whole, and why"))
  },
  ({ db, json, request, run, why }) =>
    Effect.gen(function* () {
      if (request < 1) return yield* unusable("--request: expected a number, at least 1")
      const found = yield* Effect.flatMap(Inputs.runId(run), (id) => Runs.find(hash, id))
      const view = yield* ViewAt.at(hash, found, request)
      yield* Output.line(json ? jsonOf(run, view) : why ? reasons(run, view) : messages(view))
    }).pipe(
      Effect.catchAll((error) => Effect.fail(fromError(error))),
      Effect.provide(Database.layer(db, "read"))
    )
).pipe(Command.withDescription("print a request as it was sent, or why it differs from what happened"))

const messages = (view: ViewAt.RequestView): string =>
  view._tag === "Refused" ? refusal(view) : view.messages.map((text) => pretty(JSON.parse(text))).join("\n\n")

const reasons = (run: string, view: ViewAt.RequestView): string => {
  if (view._tag === "Refused") return refusal(view)
  const changed = view.entries.filter(({ form }) => form._tag !== "Whole" && form._tag !== "Framed")
  if (changed.length === 0) return `request ${view.request}: everything is shown whole`
  return Output.table(
    ["address", "message", "form", "why", "of"],
    changed.map(({ form, message, part, seq, target }) => [
      `${run}@${seq}`,
      String(message + 1),
      form._tag.toLowerCase(),
      whyOf(form),
      target ?? part.toLowerCase()
    ])
  )
}

const jsonOf = (run: string, view: ViewAt.RequestView): string => {
  if (view._tag === "Refused") return JSON.stringify({ run, ...view.refused })
  const entries = view.entries.map(({ form, message, part, seq, target }) => ({
    address: `${run}@${seq}`,
    message,
    part,
    ...(target === undefined ? {} : { target }),
    form: form._tag,
    ...(reasonOf(form) === undefined ? {} : { why: reasonOf(form) })
  }))
  const head = JSON.stringify({
    run,
    request: view.request,
    rendering: view.rendering,
    estimatedTokens: view.estimate,
    entries
  })
  return `${head.slice(0, -1)},"messages":[${view.messages.join(",")}]}`
}

const whyOf = (form: ViewAt.Shown["form"]): string => {
  if (form._tag === "Bounded") return `larger than ${Output.count(form.cap)} chars at entry`
  if (form._tag === "Closed") return "its result never came"
  if (form._tag === "Pointer") return `the same as @${form.to}`
  if (!("why" in form)) return reasonOf(form) ?? ""
  return form.why._tag === "Superseded" || form.why._tag === "Invalidated"
    ? `${reasonOf(form)} by @${form.why.by}`
    : (reasonOf(form) ?? "")
}

const refusal = ({ refused }: ViewAt.RequestView & { readonly _tag: "Refused" }): string =>
  `request ${refused.request} was refused: ${refused.why}, it needs ${Output.count(refused.need)} tokens and has ${Output.count(refused.have)}`

const pretty = (message: { readonly role?: unknown; readonly content?: unknown }): string => {
  const { role, ...rest } = message
  const content = typeof rest.content === "string" ? rest.content : JSON.stringify(rest.content ?? rest, undefined, 2)
  return `--- ${String(role)}\n${content}`
}
