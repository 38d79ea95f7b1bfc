/**
 * The transcript: a view as messages, in the roles and the order that a provider accepts.
 *
 *     file order:   A1(call a)  R(a)  A1(call b)  R(b)  user text         (one assistant message, split over lines)
 *     messages:     [assistant: call a, call b] [user: result a, result b, text]
 *
 * 1. The parts of one message stand together, whatever stood between them; a result stands behind the message of its
 *    call, in the order of the calls, before anything else that the user said (law 8).
 * 2. Between decisions a view only grows at its end (law 6), and the words of the user and of the system prompt are
 *    never touched (law 9).
 * 3. `evolve` is all there is: live, in a replay and in an audit (law 7). An old view stays as it was (law 1).
 * 4. A view holds forms and weights, no text.
 *
 * 5. What leaves with its message is hidden under the words that stand for it, and returns to its place when a decision
 *    makes it whole.
 *
 * A result whose call is not in the view is not sent, as every provider refuses it; it stays in the ledger.
 *
 * @since 0.1.0
 */
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Cause, Decided } from "./Decision.ts"
import type { Form, Hiding, Reason } from "./Form.ts"
import { TranscriptDraft } from "./internal/TranscriptDraft.ts"
import type { Splice } from "./Splice.ts"

export { weigh } from "./internal/Weight.ts"

/**
 * The shape of the source's messages.
 *
 * @since 0.1.0
 * @category models
 */
export type Shape = "anthropic" | "openai-chat"

/**
 * One thing in a message: an entry in a form, the answer that closes a call whose result never came, or the words that
 * stand for entries which left with their messages; `seq` is the first of those.
 *
 * @since 0.1.0
 * @category models
 */
export type Item =
  | { readonly _tag: "Entry"; readonly seq: Seq; readonly entered: Entered; readonly form: Form }
  | { readonly _tag: "Closed"; readonly seq: Seq; readonly call: string; readonly put: Splice }
  | { readonly _tag: "Words"; readonly seq: Seq; readonly form: Hiding; readonly put: Splice }

/**
 * An entry that stands in no message, and where it stood: so that it can return.
 *
 * @since 0.1.0
 * @category models
 */
export interface Hidden {
  readonly seq: Seq
  readonly entered: Entered
  readonly form: Hiding
}

/**
 * One message of the view. The same object stands for the same bytes, so a renderer may remember it by identity.
 * `hidden` are the entries that its words stand for, or that left it without words.
 *
 * @since 0.1.0
 * @category models
 */
export interface Message {
  readonly key: string
  readonly role: "system" | "user" | "assistant" | "tool"
  readonly items: readonly [Item, ...ReadonlyArray<Item>]
  readonly hidden: ReadonlyArray<Hidden>
  readonly tokens: number
  readonly scalars: number
}

/**
 * The messages, their tokens together, the calls that wait for a result, and where the last epoch left off: `settled`
 * is the tokens right after it. `gone` counts the hidden entries by reason.
 *
 * @since 0.1.0
 * @category models
 */
export interface Transcript {
  readonly shape: Shape
  readonly messages: ReadonlyArray<Message>
  readonly tokens: number
  readonly scalars: number
  readonly open: ReadonlyArray<OpenCall>
  readonly epochs: number
  readonly settled: number
  readonly gone: Gone
}

/**
 * Counts of hidden entries by the reason that they left for.
 *
 * @since 0.1.0
 * @category models
 */
export type Gone = Readonly<Partial<Record<Reason, number>>>

/**
 * A call without a result yet.
 *
 * @since 0.1.0
 * @category models
 */
export interface OpenCall {
  readonly call: string
  readonly seq: Seq
  readonly message: string
}

/**
 * What happened to a transcript: the facts that change it, each with its place in the log.
 *
 * @since 0.1.0
 * @category models
 */
export type Happening =
  | { readonly _tag: "Entered"; readonly seq: Seq; readonly entered: Entered }
  | { readonly _tag: "Decided"; readonly decided: Decided }
  | { readonly _tag: "Restarted"; readonly keeps: ReadonlyArray<Seq> }
  | { readonly _tag: "Cleared"; readonly entries: ReadonlyArray<Seq>; readonly put: string }

/**
 * A view without messages.
 *
 * @since 0.1.0
 * @category constructors
 */
export const empty = (shape: Shape): Transcript => ({
  shape,
  messages: [],
  tokens: 0,
  scalars: 0,
  open: [],
  epochs: 0,
  settled: 0,
  gone: {}
})

/**
 * The view after a batch of happenings, in order.
 *
 * @since 0.1.0
 * @category folding
 */
export const evolve = (view: Transcript, happenings: ReadonlyArray<Happening>): Transcript => {
  if (happenings.length === 0) return view
  const draft = new TranscriptDraft(view)
  for (const happening of happenings) {
    switch (happening._tag) {
      case "Entered":
        draft.enter(happening.seq, happening.entered)
        break
      case "Decided":
        for (const { entries, form } of happening.decided.changes) draft.change(entries, form)
        if (happening.decided.epoch !== undefined) draft.begin(isRewrite(happening.decided.epoch))
        break
      case "Restarted":
        draft.restart(happening.keeps)
        break
      case "Cleared":
        for (const seq of happening.entries) draft.clear(seq, happening.put)
        break
    }
  }
  return draft.finish()
}

/** The client's own epochs are not ours to settle. */
const isRewrite = (epoch: Cause): boolean => epoch !== "client"
