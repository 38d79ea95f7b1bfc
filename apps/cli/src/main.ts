/** The command line: thin commands over the governor. Exit 0: done, or done in part and said so; 1: a check failed; 2: bad
 * usage or input. */
import * as CliConfig from "@effect/cli/CliConfig"
import * as Command from "@effect/cli/Command"
import * as ValidationError from "@effect/cli/ValidationError"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as ask from "./commands/ask.ts"
import * as audit from "./commands/audit.ts"
import * as budget from "./commands/budget.ts"
import * as compare from "./commands/compare.ts"
import * as entries from "./commands/entries.ts"
import * as exported from "./commands/export.ts"
import * as govern from "./commands/govern.ts"
import * as governing from "./commands/governing.ts"
import * as notes from "./commands/notes.ts"
import * as pins from "./commands/pins.ts"
import * as policy from "./commands/policy.ts"
import * as recall from "./commands/recall.ts"
import * as runs from "./commands/runs.ts"
import * as serve from "./commands/serve.ts"
import * as undo from "./commands/undo.ts"
import * as view from "./commands/view.ts"
import * as why from "./commands/why.ts"
import { Failure } from "./Failure.ts"
import * as Output from "./Output.ts"

const VERSION = "0.1.0"

const palimpsest = Command.make("palimpsest").pipe(
  Command.withDescription("governs what a long-running agent sees, and proves what it saw"),
  Command.withSubcommands([
    govern.command,
    compare.command,
    runs.command,
    budget.command,
    view.command,
    audit.command,
    recall.command,
    exported.command,
    entries.command,
    why.command,
    ...pins.commands,
    ...governing.commands,
    ask.command,
    undo.command,
    notes.command,
    policy.command,
    serve.command
  ])
)

const program = Command.run(palimpsest, { name: "palimpsest", version: VERSION })(process.argv).pipe(
  Effect.provide(Layer.merge(NodeContext.layer, CliConfig.layer({ showBuiltIns: false })))
)

const exitCode = (exit: Exit.Exit<void, unknown>): Effect.Effect<number> => {
  if (Exit.isSuccess(exit)) return Effect.succeed(0)
  if (Cause.isInterruptedOnly(exit.cause)) return Effect.succeed(130)
  const failure = Option.getOrUndefined(Cause.failureOption(exit.cause))
  if (failure instanceof Failure) return Effect.as(Output.note(`palimpsest: ${failure.message}`), failure.code)
  if (ValidationError.isValidationError(failure)) return Effect.succeed(2)
  return Effect.as(Output.note(`palimpsest: this is a fault of the program: ${Cause.pretty(exit.cause)}`), 2)
}

const fiber = Effect.runFork(Effect.flatMap(Effect.exit(program), exitCode))
process.on("SIGINT", () => fiber.unsafeInterruptAsFork(fiber.id()))
process.on("SIGTERM", () => fiber.unsafeInterruptAsFork(fiber.id()))
fiber.addObserver((exit) => {
  process.exitCode = Exit.isSuccess(exit) ? exit.value : 130
})
