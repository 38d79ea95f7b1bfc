/**
 * What was mended, what still fails and what goes round in circles, as data below a summary. It is made from typed
 * receipts on messages, never from what a tool or a model wrote: without the receipt of an applied mutation there is none.
 *
 *     receipt, no failure lines ──> unverified ── a later verification succeeds ──> verified-good
 *     failure lines of a result ──> current    ── its tool runs again, or any verification succeeds ──> gone
 *
 * 1. Fixes and diagnostics are of archived messages; messages that stay only verify and clear.
 * 2. At most 8 fixes (verified ones leave first, then the oldest), 12 diagnostics (the newest), 220 bytes each.
 * 3. Three unverified fixes of one file are a loop.
 *
 * HA-W18 is mended where a receipt has the exit status of the tool, which then decides; without one, phrases do, as in the
 * seed (kept).
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { head } from "./Bytes.ts"
import { failureLines } from "./FailureLines.ts"
import { answersOf, bodyOf, callsOf, type Message } from "./Message.ts"

/**
 * @since 0.1.0
 * @category constants
 */
export const REPAIR_LEDGER_SCHEMA = "harn.agent.repair_ledger.v1"

/**
 * @since 0.1.0
 * @category models
 */
export const RepairLedger = Schema.Struct({
  schema: Schema.Literal(REPAIR_LEDGER_SCHEMA),
  fixes: Schema.Array(Schema.Struct({ path: Schema.String, status: Schema.Literal("unverified", "verified-good") })),
  current_diagnostics: Schema.Array(Schema.String),
  open_loops: Schema.Array(
    Schema.Struct({ kind: Schema.Literal("repeated-unverified-fix"), path: Schema.String, count: Schema.Int })
  )
})
/** @since 0.1.0 */
export interface RepairLedger extends Schema.Schema.Type<typeof RepairLedger> {}

/**
 * The ledger of archived messages, as seen with those that stay; undefined where there is nothing to say.
 *
 * @since 0.1.0
 * @category folding
 */
export const ledgerOf = (
  archived: ReadonlyArray<Message>,
  retained: ReadonlyArray<Message> = []
): RepairLedger | undefined => {
  const names = toolNames([...archived, ...retained])
  let fixes: ReadonlyArray<Fix> = []
  const failing = new Map<string, ReadonlyArray<string>>()
  for (const [at, message] of [...archived, ...retained].entries()) {
    const tool = names(message)
    const seen = evidenceOf(message, tool)
    const isArchived = at < archived.length
    if (seen._tag === "Succeeded") {
      fixes = fixes.map((fix) => ({ ...fix, status: "verified-good" }))
      failing.clear()
    }
    if (isArchived && seen._tag !== "Failed") {
      fixes = [...fixes, ...seen.changed.map((path): Fix => ({ path: clip(path), status: "unverified" }))]
    }
    if (seen._tag !== "Failed") continue
    if (isArchived) failing.set(tool, seen.lines.map(clip))
    else failing.delete(tool)
  }
  if (fixes.length === 0) return undefined
  return {
    schema: REPAIR_LEDGER_SCHEMA,
    fixes: bound(fixes),
    current_diagnostics: [...new Set([...failing.values()].flat())].slice(-MAX_DIAGNOSTICS),
    open_loops: loopsOf(fixes)
  }
}

/**
 * The ledger as text: its heading, and fenced JSON that holds no fence.
 *
 * @since 0.1.0
 * @category rendering
 */
export const render = (ledger: RepairLedger): string =>
  `[repair-ledger ${ledger.schema}]\n\`\`\`json\n${JSON.stringify(ledger).replaceAll("`", "\\u0060")}\n\`\`\``

type Fix = RepairLedger["fixes"][number]

const MAX_FIXES = 8
const MAX_DIAGNOSTICS = 12
const MAX_TEXT = 220
const LOOP = 3

const clip = (text: string): string => head(text.trim(), MAX_TEXT)

const Mutation = Schema.Struct({
  mutation_status: Schema.Literal("applied"),
  changed_paths: Schema.NonEmptyArray(Schema.NonEmptyTrimmedString)
})
const Exit = Schema.Struct({ exit_code: Schema.Int })
const decodeMutation = Schema.decodeUnknownOption(Mutation)
const decodeExit = Schema.decodeUnknownOption(Exit)

/** What one message shows: a failure, the success of a verification, or neither; and what it changed. */
type Evidence =
  | { readonly _tag: "Failed"; readonly lines: ReadonlyArray<string> }
  | { readonly _tag: "Succeeded" | "Neither"; readonly changed: ReadonlyArray<string> }

const evidenceOf = (message: Message, tool: string): Evidence => {
  if (message.role === "assistant" || message.role === "system") return { _tag: "Neither", changed: [] }
  const body = bodyOf(message)
  const exit = Option.getOrUndefined(decodeExit(message.data))?.exit_code
  const lines = failureLines(body).map(({ text }) => text)
  const failed = exit === undefined ? lines.length > 0 || FAILURE.test(body) : exit !== 0
  if (failed) return { _tag: "Failed", lines: lines.length > 0 ? lines : [body.split("\n")[0] ?? ""] }
  const changed = Option.match(decodeMutation(message.data), {
    onNone: () => [],
    onSome: ({ changed_paths }) => changed_paths
  })
  const verifies = VERIFIERS.test(tool) || SUCCESS.test(body)
  const succeeded = verifies && (exit === 0 || SUCCESS.test(body))
  return { _tag: succeeded ? "Succeeded" : "Neither", changed }
}

const VERIFIERS = /verify|test|check|build|run|exec|shell|command/i
const SUCCESS =
  /\bexit (code|status):? 0\b|\b(all )?tests? passed\b|\b[1-9]\d* passed\b|\bbuild succeeded\b|\btest result: ok\b|\b0 errors\b/i
const FAILURE = /\bexit (code|status):? [1-9]/i

/** The tool that a message answers: its own name, or the name in the call. */
const toolNames = (messages: ReadonlyArray<Message>): ((message: Message) => string) => {
  const byCall = new Map<string, string>()
  for (const message of messages) {
    for (const { id, name } of callsOf(message)) if (id !== undefined) byCall.set(id, name)
  }
  return (message) =>
    message.name ??
    answersOf(message)
      .map((id) => (id === undefined ? "" : (byCall.get(id) ?? "")))
      .join(" ")
}

const bound = (fixes: ReadonlyArray<Fix>): ReadonlyArray<Fix> => {
  let over = Math.max(0, fixes.length - MAX_FIXES)
  const open = fixes.filter(({ status }) => status === "unverified" || over-- <= 0)
  return open.slice(-MAX_FIXES)
}

const loopsOf = (fixes: ReadonlyArray<Fix>): RepairLedger["open_loops"] => {
  const counts = new Map<string, number>()
  for (const { path, status } of fixes) if (status === "unverified") counts.set(path, (counts.get(path) ?? 0) + 1)
  return [...counts].flatMap(([path, count]) =>
    count >= LOOP ? [{ kind: "repeated-unverified-fix" as const, path, count }] : []
  )
}
