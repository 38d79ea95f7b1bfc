/**
 * One step of the loop of the preset `codeaf`, over values:
 *
 *     decayWithin → foldWithin → (the call) → bound each result → admit each → observe → actedPast → …
 *     └────────── prepare ──┘                └────────────────── settle ────────────────────────┘
 *
 * 1. Between rewrites a transcript only grows at its end: what one request sent is a prefix of the next (CA-29; law 6).
 * 2. A rewrite happens only on a turn that was over a budget, and is recorded there with its cause (CA-30).
 * 3. The bounds, the budgets and the path of a body are decided once for a run (CA-31; law 6).
 *
 * This is a conformance preset: its *text* breaks law 4 (paths instead of addresses, and sometimes neither), law 5 (it
 * counts only text of results and of the assistant), law 7 (paths name the leaf) and law 15 (labels are the model's own
 * words). What it changes is recorded all the same, for a decision that names the entries.
 *
 * @since 0.1.0
 */
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { enter, type Bounds } from "./Bounds.ts"
import { decayWithin } from "./Decay.ts"
import * as Decayer from "./Decayer.ts"
import { foldWithin } from "./Fold.ts"
import type { Call, Message } from "./Message.ts"
import * as Observations from "./Observations.ts"
import type { Rewrite } from "./Pass.ts"
import { sized } from "./Sized.ts"
import type { Spill } from "./Spill.ts"
import { callLabel } from "./Stubs.ts"

/**
 * What stays as it is for a run. Budgets are bytes: those of `observationWindow` and `observationSafetyWindow`. `save` is
 * for results that are too large at entry, by their number in the run.
 *
 * @since 0.1.0
 * @category models
 */
export interface Settings {
  readonly working: number
  readonly safety: number
  readonly bounds: Bounds
  readonly hash: Hasher
  readonly spill: Spill
  readonly save: (count: number, content: string) => string | undefined
}

/**
 * A run between two steps. `turn` is the number of the last answer, `saved` how many results were kept at entry.
 *
 * @since 0.1.0
 * @category models
 */
export interface Run {
  readonly messages: ReadonlyArray<Message>
  readonly decayer: Decayer.Decayer
  readonly observations: Observations.Observations
  readonly turn: number
  readonly saved: number
}

/**
 * What a step did to what was sent before. `note` is the line for the trace of that turn; absent where nothing changed.
 *
 * @since 0.1.0
 * @category models
 */
export interface Prepared {
  readonly run: Run
  readonly rewrites: ReadonlyArray<Rewrite>
  readonly cause: "schedule" | "ceiling" | undefined
  readonly note: string | undefined
}

/**
 * An answer of the model, what its calls gave, and the revision of the workspace before and after they ran. A result may
 * bring a user message (an image) that follows all results.
 *
 * @since 0.1.0
 * @category models
 */
export interface Answer {
  readonly text: string
  readonly results: ReadonlyArray<{ readonly call: Call; readonly result: Incoming }>
  readonly revision: { readonly before: number; readonly after: number }
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Incoming extends Observations.Result {
  readonly shape?: "read" | "command"
  readonly bounded?: boolean
  /** The state of background jobs, which follows what the tool said after an empty line, outside its bounds. */
  readonly report?: string
  readonly followup?: Message
}

/**
 * A pointer that was put in place of a result, for a decision.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pointed {
  readonly index: number
  readonly to: Observations.Copy
}

/**
 * A run that has said nothing yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const begin = (messages: ReadonlyArray<Message>): Run => ({
  messages,
  decayer: Decayer.empty,
  observations: Observations.empty,
  turn: 0,
  saved: 0
})

/**
 * Before a request: decay, then fold.
 *
 * @since 0.1.0
 * @category steps
 */
export const prepare = ({ safety, spill, working }: Settings, run: Run): Prepared => {
  const decayed = decayWithin(run.decayer, run.messages, working, safety, spill)
  const folded = foldWithin(decayed.decayer, decayed.messages, working, safety, spill)
  const causes = [decayed.cause, folded.cause]
  return {
    run: { ...run, decayer: folded.decayer, messages: folded.messages },
    rewrites: [...decayed.rewrites, ...folded.rewrites],
    cause: causes.includes("ceiling") ? "ceiling" : (decayed.cause ?? folded.cause),
    note: noteOf(decayed.rewrites.length, folded.rewrites.length)
  }
}

/**
 * After an answer: its results are bounded, admitted and measured, and, where the workspace changed, all that stood before
 * the answer is spent.
 *
 * @since 0.1.0
 * @category steps
 */
export const settle = (
  settings: Settings,
  run: Run,
  { results, revision, text }: Answer
): { readonly run: Run; readonly pointed: ReadonlyArray<Pointed> } => {
  const turn = run.turn + 1
  const messages: Array<Message> = [...run.messages]
  const pointed: Array<Pointed> = []
  messages.push({ role: "assistant", ...sized(text), calls: results.map(({ call }) => call) })
  let { decayer, observations, saved } = run
  let inflow = 0
  for (const { call, result } of results) {
    const { bounded, content } = enter(settings.bounds, result, (whole) => settings.save(saved + 1, whole))
    if (bounded && result.bounded !== true) saved++
    const isFooted = result.report !== undefined && result.report !== ""
    const admitted = Observations.admit(settings.hash, settings.spill, { decayer, observations }, turn, call, {
      ...result,
      content: isFooted ? `${content}\n\n${result.report}` : content,
      reportedJobs: result.reportedJobs === true || isFooted,
      multimodal: result.multimodal === true || result.followup !== undefined
    })
    decayer = admitted.decayer
    observations = admitted.observations
    inflow += admitted.put.bytes
    if (admitted.copy !== undefined) pointed.push({ index: messages.length, to: admitted.copy })
    messages.push({ role: "tool", ...admitted.put, answers: call.id, label: callLabel(call) })
  }
  decayer = Decayer.observe(decayer, inflow)
  if (revision.after > revision.before) decayer = Decayer.actedPast(decayer, run.messages.length)
  for (const { result } of results) {
    if (result.followup !== undefined && result.isError !== true) messages.push(result.followup)
  }
  return { run: { messages, decayer, observations, turn, saved }, pointed }
}

/**
 * An answer settled, and the next request prepared.
 *
 * @since 0.1.0
 * @category steps
 */
export const step = (
  settings: Settings,
  run: Run,
  answer: Answer
): Prepared & { readonly pointed: ReadonlyArray<Pointed> } => {
  const settled = settle(settings, run, answer)
  return { ...prepare(settings, settled.run), pointed: settled.pointed }
}

/**
 * The share of a prompt that came from the cache, in whole percent, 0 to 100 whatever was reported. Recorded every turn.
 *
 * @since 0.1.0
 * @category records
 */
export const hitPercent = (cached: number, prompt: number): number =>
  prompt <= 0 || cached <= 0 ? 0 : Math.trunc((Math.min(cached, prompt) * 100) / prompt)

const noteOf = (retired: number, folded: number): string | undefined =>
  retired === 0 && folded === 0
    ? undefined
    : `prefix rewritten — ${retired} observation(s) retired, ${folded} turn(s) folded; this turn re-reads cold`
