/**
 * A compaction with its hooks (HA-23):
 *
 *     estimate ──> before: block │ modify │ go on ──> reminders ──> compact ──> snapshot ──> receipt ──> after
 *                    │                                  │ none due, refused or failed
 *                    └── Blocked                        └── NotDue, or the error; nothing was changed
 *
 * The snapshot is of the messages as they were, and is taken before anything is replaced. A hook after the fact sees the
 * receipt and cannot undo it. Events come in order and share one id.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { compact, type Compacted, type CompactionRefused, dueWindow } from "./Compact.ts"
import type { AutoCompactConfig, Strategy } from "./Config.ts"
import type { Message } from "./Message.ts"
import { type CompactionReceipt, type Occasion, receiptOf, type ReceiptId, type Trigger } from "./Receipt.ts"
import { afterCompaction, dedupe, type Reminder } from "./Reminder.ts"
import type { Host, StrategyFailed } from "./Strategy.ts"
import type { NotRecorded, Summarizer } from "./Summarizer.ts"
import { tokensOf } from "./TokenEstimate.ts"

/**
 * What a hook before a compaction may say.
 *
 * @since 0.1.0
 * @category models
 */
export type Ruling =
  | { readonly _tag: "Continue" }
  | { readonly _tag: "Block"; readonly reason: string }
  | {
      readonly _tag: "Modify"
      readonly keepLast?: number
      readonly targetTokens?: number
      readonly strategy?: Strategy
    }

/**
 * What the hook is asked about.
 *
 * @since 0.1.0
 * @category models
 */
export interface Proposal {
  readonly id: ReceiptId
  readonly trigger: Trigger
  readonly estimatedTokens: number
  readonly config: AutoCompactConfig
}

/**
 * What a host hears and may do on the way. `snapshot` keeps the source and answers with the name it is kept under.
 *
 * @since 0.1.0
 * @category models
 */
export interface Hooks {
  readonly before?: (proposal: Proposal) => Effect.Effect<Ruling>
  readonly snapshot?: (messages: ReadonlyArray<Message>) => Effect.Effect<string>
  readonly after?: (receipt: CompactionReceipt, done: Compacted) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category models
 */
export type Event =
  | { readonly type: "compaction_started"; readonly compaction_id: ReceiptId; readonly trigger: Trigger }
  | { readonly type: "compaction_blocked"; readonly compaction_id: ReceiptId; readonly reason: string }
  | { readonly type: "compaction_completed"; readonly compaction_id: ReceiptId; readonly receipt: CompactionReceipt }

/**
 * How it went. Only in the last the messages are other ones.
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome =
  | { readonly _tag: "Blocked"; readonly reason: string; readonly events: ReadonlyArray<Event> }
  | { readonly _tag: "NotDue"; readonly events: ReadonlyArray<Event> }
  | {
      readonly _tag: "Done"
      readonly done: Compacted
      readonly receipt: CompactionReceipt
      readonly reminders: ReadonlyArray<Reminder>
      readonly events: ReadonlyArray<Event>
    }

/**
 * What a lifecycle runs on.
 *
 * @since 0.1.0
 * @category models
 */
export interface Job {
  readonly messages: ReadonlyArray<Message>
  readonly config: AutoCompactConfig
  readonly host: Host
  readonly occasion: Occasion
  readonly trigger: Trigger
  readonly reminders?: ReadonlyArray<Reminder>
  readonly hooks?: Hooks
}

/**
 * One compaction from estimate to receipt.
 *
 * @since 0.1.0
 * @category running
 */
export const run = Effect.fn("harn.lifecycle")(function* ({ messages, host, occasion, trigger, ...job }: Job) {
  const { id } = occasion
  const hooks = job.hooks ?? {}
  const estimatedTokens = tokensOf(messages)
  const proposed = trigger === "threshold" ? job.config : { ...job.config, tokenThreshold: 0 }
  if (dueWindow(messages, proposed, estimatedTokens) === undefined) return notDue([])
  const ruling = yield* hooks.before?.({ id, trigger, estimatedTokens, config: proposed }) ?? GO_ON
  if (ruling._tag === "Block") {
    const events = [{ type: "compaction_blocked", compaction_id: id, reason: ruling.reason } as const]
    return { _tag: "Blocked", reason: ruling.reason, events } satisfies Outcome as Outcome
  }
  const config = ruling._tag === "Modify" ? modified(proposed, ruling) : proposed
  const reminders = dedupe(job.reminders ?? [])
  const started = { type: "compaction_started", compaction_id: id, trigger } as const
  const made = yield* compact(messages, config, { ...host, reminders: reminders.map(({ text }) => text) })
  if (Option.isNone(made)) return notDue([started])
  const snapshotAssetId = hooks.snapshot === undefined ? undefined : yield* hooks.snapshot(messages)
  const kept = snapshotAssetId === undefined ? occasion : { ...occasion, snapshotAssetId }
  const receipt = receiptOf(kept, config, made.value)
  yield* hooks.after?.(receipt, made.value) ?? Effect.void
  const events = [started, { type: "compaction_completed", compaction_id: id, receipt } as const]
  const done: Outcome = { _tag: "Done", done: made.value, receipt, reminders: afterCompaction(reminders), events }
  return done
}) satisfies (job: Job) => Effect.Effect<Outcome, CompactionRefused | StrategyFailed | NotRecorded, Summarizer>

/**
 * The settings with what a hook changed; the receipt names the hook as the source of the threshold.
 *
 * @since 0.1.0
 * @category hooks
 */
export const modified = (
  config: AutoCompactConfig,
  { keepLast, targetTokens, strategy }: Ruling & { readonly _tag: "Modify" }
): AutoCompactConfig => ({
  ...config,
  ...(keepLast === undefined ? {} : { keepLast }),
  ...(strategy === undefined ? {} : { compactStrategy: strategy }),
  ...(targetTokens === undefined ? {} : { tokenThreshold: targetTokens }),
  requestProvenance: {
    ...config.requestProvenance,
    ...(strategy === undefined ? {} : { requestedStrategy: strategy }),
    ...(targetTokens === undefined ? {} : { thresholdSource: "pre_compact_modify" as const })
  }
})

const GO_ON: Effect.Effect<Ruling> = Effect.succeed({ _tag: "Continue" })

const notDue = (events: ReadonlyArray<Event>): Outcome => ({ _tag: "NotDue", events })
