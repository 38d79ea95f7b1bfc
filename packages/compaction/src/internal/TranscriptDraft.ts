/** The working copy behind one `evolve`: messages are replaced, never changed, so that older views keep theirs. */
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Form } from "../Form.ts"
import type { Item, Message, OpenCall, Shape, Transcript } from "../Transcript.ts"
import { weigh } from "./Weight.ts"

/** What one medium is charged (tokens), as its size in a request does not follow its bytes. */
export const MEDIA_TOKENS = 1_500

export class TranscriptDraft {
  private readonly shape: Shape
  private messages: Array<Message>
  private open: ReadonlyArray<OpenCall>
  private tokens: number
  private scalars: number
  private epochs: number
  private settled: number

  constructor(view: Transcript) {
    this.shape = view.shape
    this.messages = view.messages.slice()
    this.open = view.open
    this.tokens = view.tokens
    this.scalars = view.scalars
    this.epochs = view.epochs
    this.settled = view.settled
  }

  finish(): Transcript {
    const { epochs, messages, open, scalars, settled, shape, tokens } = this
    return { shape, messages, tokens, scalars, open, epochs, settled }
  }

  enter(seq: Seq, entered: Entered): void {
    const item: Item = { _tag: "Entry", seq, entered, form: { _tag: "Whole" } }
    const { part } = entered
    if (part._tag === "Result") return this.answer(part.call, item, entered.message)
    if (part._tag === "Call") this.open = [...this.open, { call: part.call, seq, message: entered.message }]
    const role = entered.role === "tool" ? "user" : entered.role
    const at = this.placeOf(role, entered.message)
    if (at === undefined) this.push(role, entered.message, item)
    else this.replace(at, [...this.messages[at]!.items, item])
  }

  change(entries: readonly [Seq, Seq], form: Form): void {
    if (form._tag === "Closed") return this.close(entries[0], form)
    for (let i = this.messages.length - 1, left = entries[1] - entries[0] + 1; i >= 0 && left > 0; i--) {
      const message = this.messages[i]!
      const touched = message.items.filter((item) => within(item, entries)).length
      if (touched === 0) continue
      left -= touched
      this.replace(
        i,
        mapItems(message.items, (item) => (item._tag === "Entry" && within(item, entries) ? { ...item, form } : item))
      )
    }
  }

  clear(seq: Seq, put: string): void {
    this.change([seq, seq], { _tag: "Framed", put: [put] })
  }

  /** The client began anew: what it keeps stays, in the order it names. */
  restart(keeps: ReadonlyArray<Seq>): void {
    const kept = new Map<Seq, Item>()
    for (const message of this.messages)
      for (const item of message.items) if (item._tag === "Entry") kept.set(item.seq, item)
    this.messages = []
    this.open = []
    this.tokens = 0
    this.scalars = 0
    this.settled = 0
    for (const seq of keeps) {
      const item = kept.get(seq)
      if (item?._tag !== "Entry") continue
      this.enter(seq, item.entered)
      if (item.form._tag !== "Whole") this.change([seq, seq], item.form)
    }
  }

  /** An epoch begins; after a rewrite of ours, the next one waits for what comes in from here. */
  begin(isRewrite: boolean): void {
    this.epochs++
    if (isRewrite) this.settled = this.tokens
  }

  private answer(call: string, item: Item, key: string): void {
    const asked = this.messageOfCall(call)
    if (asked === undefined) return
    this.open = this.open.filter((waiting) => waiting.call !== call)
    if (this.shape === "openai-chat") return this.answerInChat(call, asked, item, key)
    const next = this.messages[asked + 1]
    if (next?.role !== "user") return this.insert(asked + 1, "user", key, item)
    const others = next.items.filter((other) => callAnsweredBy(other) !== call)
    const order = callsOf(this.messages[asked]!)
    const rank = (other: Item): number => {
      const answered = callAnsweredBy(other)
      return answered === undefined ? Number.POSITIVE_INFINITY : order.indexOf(answered)
    }
    const mine = order.indexOf(call)
    const at = others.findIndex((other) => rank(other) > mine)
    const where = at < 0 ? others.length : at
    this.replace(asked + 1, nonEmpty([...others.slice(0, where), item, ...others.slice(where)]))
  }

  private answerInChat(call: string, asked: number, item: Item, key: string): void {
    for (let i = asked + 1; i < this.messages.length && this.messages[i]!.role === "tool"; i++) {
      const [only] = this.messages[i]!.items
      if (callAnsweredBy(only) === call) return this.replace(i, [item], key)
    }
    const order = callsOf(this.messages[asked]!)
    const mine = order.indexOf(call)
    let at = asked + 1
    for (let next = this.messages[at]; next?.role === "tool"; next = this.messages[++at]) {
      if (order.indexOf(callAnsweredBy(next.items[0]) ?? "") > mine) break
    }
    this.insert(at, "tool", key, item)
  }

  private close(seq: Seq, form: Form & { readonly _tag: "Closed" }): void {
    const waiting = this.open.find((call) => call.seq === seq)
    if (waiting === undefined) return
    this.answer(waiting.call, { _tag: "Closed", seq, call: waiting.call, put: form.put }, `closed-${waiting.seq}`)
  }

  private placeOf(role: Message["role"], key: string): number | undefined {
    const last = this.messages.length - 1
    if (role === "user" && this.shape === "anthropic") return this.messages[last]?.role === "user" ? last : undefined
    for (let i = last; i >= 0; i--) {
      const message = this.messages[i]!
      if (message.role === role && message.key === key) return i
      if (role === "assistant" && message.role === "assistant") return undefined
    }
    return undefined
  }

  private messageOfCall(call: string): number | undefined {
    for (let i = this.messages.length - 1; i >= 0; i--) {
      const message = this.messages[i]!
      if (message.role === "assistant" && callsOf(message).includes(call)) return i
    }
    return undefined
  }

  private push(role: Message["role"], key: string, item: Item): void {
    this.insert(this.messages.length, role, key, item)
  }

  private insert(at: number, role: Message["role"], key: string, item: Item): void {
    const message = build(role, key, [item])
    this.messages.splice(at, 0, message)
    this.charge(message, 1)
  }

  private replace(at: number, items: readonly [Item, ...ReadonlyArray<Item>], key?: string): void {
    const before = this.messages[at]!
    const after = build(before.role, key ?? before.key, items)
    this.messages[at] = after
    this.charge(before, -1)
    this.charge(after, 1)
  }

  private charge(message: Message, sign: 1 | -1): void {
    this.tokens += sign * message.tokens
    this.scalars += sign * message.scalars
  }
}

const build = (role: Message["role"], key: string, items: Message["items"]): Message => {
  let scalars = 0
  let media = 0
  for (const item of items) {
    const weight = weigh(item)
    scalars += weight.scalars
    media += weight.media
  }
  return { key, role, items, scalars, tokens: Math.ceil(scalars / 4) + media * MEDIA_TOKENS }
}

const within = (item: Item, [from, to]: readonly [Seq, Seq]): boolean =>
  item._tag === "Entry" && item.seq >= from && item.seq <= to

const callsOf = (message: Message): ReadonlyArray<string> =>
  message.items.flatMap((item) =>
    item._tag === "Entry" && item.entered.part._tag === "Call" ? [item.entered.part.call] : []
  )

const callAnsweredBy = (item: Item): string | undefined => {
  if (item._tag === "Closed") return item.call
  return item.entered.part._tag === "Result" ? item.entered.part.call : undefined
}

const mapItems = (items: Message["items"], f: (item: Item) => Item): Message["items"] => nonEmpty(items.map(f))

const nonEmpty = (items: ReadonlyArray<Item>): Message["items"] => {
  const [first, ...rest] = items
  if (first === undefined) throw new Error("a message has at least one item")
  return [first, ...rest]
}
