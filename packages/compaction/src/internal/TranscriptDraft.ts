/** The working copy behind one `evolve`: messages are replaced, never changed, so that older views keep theirs. */
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq } from "@palimpsest/ledger/Ids"
import { isHiding, reasonOf, type Form, type Hiding } from "../Form.ts"
import type { Gone, Hidden, Item, Message, OpenCall, Shape, Transcript } from "../Transcript.ts"
import { build, callAnsweredBy, callsOf, isSaid, isWords, nonEmpty, wordsFor } from "./MessageOf.ts"

export class TranscriptDraft {
  private readonly shape: Shape
  private messages: Array<Message>
  private open: ReadonlyArray<OpenCall>
  private tokens: number
  private scalars: number
  private epochs: number
  private settled: number
  private gone: Gone

  constructor(view: Transcript) {
    this.shape = view.shape
    this.messages = view.messages.slice()
    this.open = view.open
    this.tokens = view.tokens
    this.scalars = view.scalars
    this.epochs = view.epochs
    this.settled = view.settled
    this.gone = view.gone
  }

  finish(): Transcript {
    const { epochs, gone, messages, open, scalars, settled, shape, tokens } = this
    return { shape, messages, tokens, scalars, open, epochs, settled, gone }
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
    if (isHiding(form)) return this.hide(entries, form)
    if (form._tag === "Whole") this.restore(entries)
    this.reform(entries, form)
  }

  /** The client blanks results that stand; what is hidden stays so. */
  clear(seq: Seq, put: string): void {
    this.reform([seq, seq], { _tag: "Framed", put: [put] })
  }

  /** The client began anew: what it keeps stays, in the order it names, and what was hidden of that is whole again. */
  restart(keeps: ReadonlyArray<Seq>): void {
    const kept = new Map<Seq, Item | Hidden>()
    for (const message of this.messages) {
      for (const item of message.items) if (item._tag === "Entry") kept.set(item.seq, item)
      for (const hidden of message.hidden) kept.set(hidden.seq, hidden)
    }
    this.messages = []
    this.gone = {}
    this.open = []
    this.tokens = 0
    this.scalars = 0
    this.settled = 0
    for (const seq of keeps) {
      const item = kept.get(seq)
      if (item === undefined || !("entered" in item)) continue
      this.enter(seq, item.entered)
      if (item.form._tag !== "Whole" && !isHiding(item.form)) this.reform([seq, seq], item.form)
    }
  }

  /** An epoch begins; after a rewrite of ours, the next one waits for what comes in from here. */
  begin(isRewrite: boolean): void {
    this.epochs++
    if (isRewrite) this.settled = this.tokens
  }

  private reform(entries: readonly [Seq, Seq], form: Form): void {
    for (let i = this.messages.length - 1, left = entries[1] - entries[0] + 1; i >= 0 && left > 0; i--) {
      const message = this.messages[i]!
      const touched = message.items.filter((item) => isIn(item, entries)).length
      if (touched === 0) continue
      left -= touched
      this.replace(
        i,
        mapItems(message.items, (item) => (isIn(item, entries) ? { ...item, form } : item))
      )
    }
  }

  /** Takes entries out of their messages, and puts the words of the form where the first of them stood. */
  private hide(entries: readonly [Seq, Seq], form: Hiding): void {
    const messages: Array<Message> = []
    const gone: Array<Hidden> = []
    let at: number | undefined
    for (const message of this.messages) {
      const stays = !isWords(message) || !message.hidden.every((hidden) => within(hidden, entries))
      const leaving = isWords(message) ? [] : message.items.filter((item) => isIn(item, entries))
      const answered = message.items.some((item) => isClosedIn(item, entries))
      if (stays && leaving.length === 0 && !answered) {
        messages.push(message)
        continue
      }
      at ??= messages.length
      this.charge(message, -1)
      if (!stays) {
        this.count(message.hidden, -1)
        gone.push(...message.hidden)
        continue
      }
      for (const { entered, seq } of leaving) gone.push({ seq, entered, form })
      const rest = message.items.filter((item) => !isIn(item, entries) && !isClosedIn(item, entries))
      if (rest.length > 0) messages.push(this.charged(build(message.role, message.key, nonEmpty(rest), message.hidden)))
      else gone.push(...message.hidden.filter(({ seq }) => !within({ seq }, entries)))
    }
    const [first, ...more] = gone.map((hidden): Hidden => ({ ...hidden, form }))
    if (at === undefined || first === undefined) return
    this.messages = messages
    this.count([first, ...more], 1)
    const calls = new Set(gone.map(({ entered: { part } }) => (part._tag === "Call" ? part.call : undefined)))
    this.open = this.open.filter(({ call }) => !calls.has(call))
    if (isSaid(form)) this.messages.splice(at, 0, this.charged(wordsFor(form, [first, ...more])))
    else this.attach(at, [first, ...more])
  }

  /** What leaves without words goes under the words before it, or to the message that it left or stood behind. */
  private attach(at: number, gone: ReadonlyArray<Hidden>): void {
    const before = this.messages[at - 1]
    const under = before !== undefined && isWords(before) ? at - 1 : Math.min(at, this.messages.length - 1)
    const message = this.messages[under]
    if (message === undefined) return
    this.messages[under] = { ...message, hidden: [...message.hidden, ...gone] }
  }

  /** Brings hidden entries back to where they stood: in the order of the log, results behind their calls. */
  private restore(entries: readonly [Seq, Seq]): void {
    const back: Array<Hidden & { readonly key: string }> = []
    for (let i = this.messages.length - 1; i >= 0; i--) {
      const message = this.messages[i]!
      const stays = message.hidden.filter((hidden) => !within(hidden, entries))
      if (stays.length === message.hidden.length) continue
      for (const hidden of message.hidden) {
        if (within(hidden, entries)) back.push({ ...hidden, key: hidden.entered.message })
      }
      if (isWords(message) && stays.length === 0) {
        this.charge(message, -1)
        this.messages.splice(i, 1)
      } else this.messages[i] = { ...message, hidden: stays }
    }
    this.count(back, -1)
    back.sort((a, b) => a.seq - b.seq)
    for (const { entered, key, seq } of back) {
      const item: Item = { _tag: "Entry", seq, entered, form: { _tag: "Whole" } }
      if (entered.part._tag === "Result") this.answer(entered.part.call, item, key)
      else this.reenter(item, key)
    }
    this.reopen(back)
  }

  /** What came back without the answer that the view gave it waits for one again. */
  private reopen(back: ReadonlyArray<Hidden>): void {
    const answered = new Set(this.messages.flatMap(({ items }) => items.map(callAnsweredBy)))
    for (const { entered, seq } of back) {
      const { message, part } = entered
      if (part._tag === "Call" && !answered.has(part.call))
        this.open = [...this.open, { call: part.call, seq, message }]
    }
  }

  private reenter(item: EntryItem, key: string): void {
    const role = item.entered.role === "tool" ? "user" : item.entered.role
    const home = this.messages.findIndex((message) => message.role === role && message.key === key && !isWords(message))
    if (home >= 0) {
      const { items } = this.messages[home]!
      const before = items.findIndex((other) => other.seq > item.seq && callAnsweredBy(other) === undefined)
      const at = before < 0 ? items.length : before
      return this.replace(home, nonEmpty([...items.slice(0, at), item, ...items.slice(at)]))
    }
    const at = this.messages.findIndex(
      ({ items: [first] }) => callAnsweredBy(first) === undefined && first.seq > item.seq
    )
    this.insert(at < 0 ? this.messages.length : at, role, key, item)
  }

  private count(hidden: ReadonlyArray<Hidden>, sign: 1 | -1): void {
    const gone: Partial<Record<keyof Gone, number>> = { ...this.gone }
    for (const { form } of hidden) {
      const reason = reasonOf(form)
      if (reason !== undefined) gone[reason] = (gone[reason] ?? 0) + sign
    }
    this.gone = gone
  }

  private answer(call: string, item: Item, key: string): void {
    const asked = this.messageOfCall(call)
    if (asked === undefined) return
    this.open = this.open.filter((waiting) => waiting.call !== call)
    if (this.shape === "openai-chat") return this.answerInChat(call, asked, item, key)
    const next = this.messages[asked + 1]
    if (next?.role !== "user" || isWords(next)) return this.insert(asked + 1, "user", key, item)
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
    if (role === "user" && this.shape === "anthropic") {
      const newest = this.messages[last]
      return newest?.role === "user" && !isWords(newest) ? last : undefined
    }
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
    this.messages.splice(at, 0, this.charged(build(role, key, [item])))
  }

  private replace(at: number, items: readonly [Item, ...ReadonlyArray<Item>], key?: string): void {
    const before = this.messages[at]!
    this.charge(before, -1)
    this.messages[at] = this.charged(build(before.role, key ?? before.key, items, before.hidden))
  }

  private charged(message: Message): Message {
    this.charge(message, 1)
    return message
  }

  private charge(message: Message, sign: 1 | -1): void {
    this.tokens += sign * message.tokens
    this.scalars += sign * message.scalars
  }
}

const within = ({ seq }: { readonly seq: Seq }, [from, to]: readonly [Seq, Seq]): boolean => seq >= from && seq <= to

const isIn = (item: Item, entries: readonly [Seq, Seq]): item is EntryItem =>
  item._tag === "Entry" && within(item, entries)

/** The view's answer to a call of these entries: it leaves with the call. */
const isClosedIn = (item: Item, entries: readonly [Seq, Seq]): boolean =>
  item._tag === "Closed" && within(item, entries)

const mapItems = (items: Message["items"], f: (item: Item) => Item): Message["items"] => nonEmpty(items.map(f))

type EntryItem = Item & { readonly _tag: "Entry" }
