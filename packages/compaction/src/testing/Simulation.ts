/**
 * Plays a script as a governor does: what is entered is folded, calls that wait are closed, new results are bounded, the
 * request is planned, and what was decided is folded as one event. Texts are held beside the view.
 *
 *     fold ─> close open calls ─> bound what is new ─> plan ─> Decided? ─> sent | refused
 *
 * @since 0.1.0
 */
import * as Attention from "../Attention.ts"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Plan } from "../Balanced.ts"
import type { Cause, Change, Decided } from "../Decision.ts"
import type { Marks } from "../Hysteresis.ts"
import { NO_RESULT } from "../Mark.ts"
import { empty, weigh, type Happening, type Item, type Message, type Transcript } from "../Transcript.ts"
import type { Rewrite } from "../Ladder.ts"
import * as Recap from "../Recap.ts"
import { endedIn } from "../Leaving.ts"
import type { Asked, Implementation } from "./Implementation.ts"
import { textOfMessage } from "./Rendered.ts"
import type { Script } from "./Script.ts"
import { Client } from "./Client.ts"

/**
 * One request: the view before any decision, with new results bounded (`admitted`), and as it is sent. `shown` is what the
 * request before it that was sent showed; `touched` says that the client changed its own history since. `standing` are the
 * entries that have to stand in it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Turned {
  readonly before: Transcript
  readonly admitted: Transcript
  readonly asked: Asked
  readonly plan: Plan | Rewrite
  readonly decided: Decided | undefined
  readonly view: Transcript
  readonly shown: ReadonlyArray<Message>
  readonly touched: boolean
  readonly standing: ReadonlySet<Seq>
}

/**
 * A played script.
 *
 * @since 0.1.0
 * @category models
 */
export interface Played {
  readonly marks: Marks
  readonly requests: ReadonlyArray<Turned>
  readonly happenings: ReadonlyArray<Happening>
  readonly texts: ReadonlyMap<Seq, readonly [string, ...ReadonlyArray<string>]>
}

/**
 * Whether a request was sent.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isSent = ({ plan }: Turned): boolean => plan._tag !== "Refuse"

/**
 * Plays a script under an implementation.
 *
 * @since 0.1.0
 * @category playing
 */
export const play = (implementation: Implementation, script: Script, marks: Marks): Played => {
  const client = new Client(script.shape)
  const happenings: Array<Happening> = []
  const requests: Array<Turned> = []
  let view = empty(script.shape)
  let attention = Attention.none
  let shown: ReadonlyArray<Message> = []
  let touched = false
  client.begin(script.task)
  for (const turn of script.turns) {
    client.say(turn, view)
    const arrived = client.take()
    happenings.push(...arrived.happenings)
    for (const one of arrived.happenings)
      if (one._tag === "Entered") attention = Attention.entered(attention, one.entered)
    touched ||= arrived.touched
    const before = implementation.evolve(view, arrived.happenings)
    const prepared = prepare(implementation, marks, client, before, shown, attention)
    const { decided } = prepared
    if (decided !== undefined) {
      happenings.push({ _tag: "Decided", decided })
      client.seq++
    }
    view = prepared.view
    requests.push({ ...prepared, before, shown, touched, standing: client.standing() })
    if (prepared.plan._tag !== "Refuse") {
      shown = view.messages
      touched = false
      client.sent()
    }
    client.seq++
    client.answer(turn)
  }
  return { marks, requests, happenings, texts: client.texts }
}

const prepare = (
  implementation: Implementation,
  marks: Marks,
  client: Client,
  before: Transcript,
  shown: ReadonlyArray<Message>,
  attention: Attention.Attention
): Pick<Turned, "admitted" | "asked" | "plan" | "decided" | "view"> => {
  const closed = before.open.map(({ seq }): Change => ({
    entries: [seq, seq],
    form: { _tag: "Closed", put: NO_RESULT }
  }))
  const cap = implementation.capOf(Math.min(marks.line, marks.ceiling ?? marks.line))
  const isNew = (item: Item): boolean =>
    item._tag === "Entry" && item.form._tag === "Whole" && weigh(item).scalars > cap
  const entering = before.messages.flatMap((message, i) => (message === shown[i] ? [] : message.items.filter(isNew)))
  const bound = (items: ReadonlyArray<Item>, to: number): ReadonlyArray<Change> =>
    items.flatMap((item) => boundOne(implementation, client, item, to))
  const entered = [...closed, ...bound(entering, cap)]
  const admitted = after(implementation, before, decision(undefined, entered))
  const asked = {
    step: client.step,
    cached: sameIn(admitted.messages, shown),
    attention,
    ended: endedIn(shown, admitted.messages)
  }
  const plan = implementation.plan(admitted, marks, asked)
  const those = (seqs: ReadonlyArray<Seq>): ReadonlyArray<Item> =>
    admitted.messages.flatMap(({ items }) => items.filter(({ seq }) => seqs.includes(seq)))
  const { epoch, rewritten } = changesOf(
    plan,
    (fresh, to) => bound(those(fresh), to),
    (calls) => those(calls).flatMap((item) => foldOne(implementation, client, item))
  )
  const recapped =
    plan._tag !== "Rewrite" || epoch === undefined
      ? rewritten
      : implementation.recap(
          admitted,
          rewritten,
          epoch,
          textsOf(client),
          roomOf(implementation, admitted, rewritten, marks)
        )
  const changes = [...entered, ...recapped]
  const view = after(implementation, before, decision(epoch, changes))
  if (epoch !== undefined || plan._tag === "Refuse" || isContinued(client, view.messages, shown))
    return { admitted, asked, plan, decided: decision(epoch, changes, worthOf(plan)), view }
  const decided = decision("client", changes)
  return { admitted, asked, plan, decided, view: after(implementation, before, decided) }
}

const changesOf = (
  plan: Plan | Rewrite,
  bound: (fresh: ReadonlyArray<Seq>, cap: number) => ReadonlyArray<Change>,
  fold: (calls: ReadonlyArray<Seq>) => ReadonlyArray<Change>
): { readonly epoch: Cause | undefined; readonly rewritten: ReadonlyArray<Change> } => {
  switch (plan._tag) {
    case "Batch":
      return { epoch: plan.cause, rewritten: plan.changes }
    case "Rewrite":
      return { epoch: plan.cause, rewritten: [...plan.changes, ...fold(plan.folds)] }
    case "Squeeze":
      return { epoch: "ceiling", rewritten: [...plan.changes, ...bound(plan.fresh, plan.cap)] }
    default:
      return { epoch: undefined, rewritten: [] }
  }
}

/** Only results are bounded, and of those only the ones that are text. */
const boundOne = (implementation: Implementation, client: Client, item: Item, cap: number): ReadonlyArray<Change> => {
  const texts = client.texts.get(item.seq)
  if (item._tag !== "Entry" || item.entered.part._tag !== "Result" || texts === undefined) return []
  if (item.entered.part.blocks.some(({ encoding }) => encoding === "bytes")) return []
  return [{ entries: [item.seq, item.seq], form: implementation.bound(item.seq, texts, cap) }]
}

const foldOne = (implementation: Implementation, client: Client, { seq }: Item): ReadonlyArray<Change> => {
  const form = implementation.fold(seq, client.texts.get(seq)?.[0] ?? "", LEAST_FOLD)
  return form === undefined ? [] : [{ entries: [seq, seq], form }]
}

const textsOf = (client: Client): Recap.Texts => new Map([...client.texts].map(([seq, texts]) => [seq, texts.join("")]))

const roomOf = (
  implementation: Implementation,
  view: Transcript,
  changes: ReadonlyArray<Change>,
  { ceiling }: Marks
): number =>
  ceiling === undefined
    ? Number.POSITIVE_INFINITY
    : Recap.roomIn(ceiling - after(implementation, view, decision(undefined, changes)).tokens)

/** The leading messages that the last request showed too. */
const sameIn = (now: ReadonlyArray<Message>, shown: ReadonlyArray<Message>): number => {
  const differs = shown.findIndex((message, i) => now[i] !== message)
  return differs < 0 ? shown.length : differs
}

const worthOf = (plan: Plan | Rewrite): Decided["worth"] =>
  plan._tag === "Rewrite"
    ? { frees: plan.priced.frees, rebills: Math.round(plan.priced.rebills), saves: Math.round(plan.priced.net) }
    : undefined

const LEAST_FOLD = 80

const isContinued = (client: Client, now: ReadonlyArray<Message>, shown: ReadonlyArray<Message>): boolean =>
  shown.every(
    (message, i) =>
      now[i] !== undefined &&
      (now[i] === message || textOfMessage(client.texts, now[i]) === textOfMessage(client.texts, message))
  )

const decision = (
  epoch: Cause | undefined,
  changes: ReadonlyArray<Change>,
  worth?: Decided["worth"]
): Decided | undefined =>
  changes.length === 0 && epoch === undefined
    ? undefined
    : {
        _tag: "Decided",
        step: 1 as Step,
        ...(epoch === undefined ? {} : { epoch }),
        changes,
        ...(worth === undefined ? {} : { worth })
      }

const after = ({ evolve }: Implementation, view: Transcript, decided: Decided | undefined): Transcript =>
  decided === undefined ? view : evolve(view, [{ _tag: "Decided", decided }])
