/**
 * What no provider takes is decided about before it is sent: an entry with a half of a character (a lone surrogate) takes
 * the form `Mended`, as the ledger keeps it and every difference of a view is a decision (law 4). Fault kind B68.
 *
 * Reasoning is sent byte for byte or not at all (law 8), and is left alone.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { Change } from "@palimpsest/compaction/Decision"
import type { Item, Message } from "@palimpsest/compaction/Transcript"
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import { bodiesOf, type Part } from "@palimpsest/ledger/Part"
import * as Json from "@palimpsest/transcript/WellFormed"
import { blockText, type Fault, type Reader } from "./Texts.ts"

/**
 * The changes that make the messages which no request has shown fit to be sent. Texts of well-formed Unicode are stored as
 * UTF-8, so only what is stored as JSON is read.
 *
 * @since 0.1.0
 * @category changes
 */
export const changesOf = (
  reader: Reader,
  messages: ReadonlyArray<Message>,
  shown: ReadonlyArray<Message>
): Effect.Effect<ReadonlyArray<Change>, Fault> =>
  Effect.map(
    Effect.filter(
      messages.flatMap(({ items }, at) => (messages[at] === shown[at] ? [] : items.filter(isSuspect))),
      (item) => isIllFormed(reader, item)
    ),
    (items) => items.map(({ seq }): Change => ({ entries: [seq, seq], form: { _tag: "Mended", rest: { seq } } }))
  )

type Entry = Item & { readonly _tag: "Entry" }

const isSuspect = (item: Item): item is Entry =>
  item._tag === "Entry" &&
  item.form._tag === "Whole" &&
  item.entered.part._tag !== "Reasoning" &&
  (isNamedIll(item.entered.part) || bodiesOf(item.entered.part).some(({ encoding }) => encoding === "json"))

/** Names are stored with a half written as its escape. */
const isNamedIll = (part: Part): boolean =>
  (part._tag === "Call" && !Json.isWellFormed(`${part.call} ${part.name}`)) ||
  (part._tag === "Result" && !Json.isWellFormed(part.call))

const isIllFormed = (reader: Reader, { entered }: Entry): Effect.Effect<boolean, Fault> =>
  isNamedIll(entered.part)
    ? Effect.succeed(true)
    : Effect.map(
        Effect.forEach(bodiesOf(entered.part), ({ encoding }, i) =>
          encoding === "json" ? blockText(reader, entered, i + 1) : Effect.succeed("")
        ),
        (texts) => !texts.every((text) => isWellFormed(text) && Json.isWellFormed(text))
      )
