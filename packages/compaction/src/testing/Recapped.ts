/**
 * The law of the deterministic recap: what a ceiling takes leaves under words that say what it changed and what of it still
 * fails, each line with the address of its entry, quotes as they stand in it, once, and inside the ceiling.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { decodeUtf8, encodeUtf8 } from "@palimpsest/ledger/Body"
import { weightOf } from "@palimpsest/ledger/Part"
import type { Change } from "../Decision.ts"
import type { Message } from "../Transcript.ts"
import { investing, type Implementation } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import { textOfItem, textOfRange, type Texts } from "./Rendered.ts"
import * as Script from "./Script.ts"
import { isSent, play, type Played } from "./Simulation.ts"

const free = investing("free")

/**
 * @since 0.1.0
 * @category laws
 */
export const recapped: Law<Implementation> = {
  number: 9,
  name: "what a ceiling takes leaves under a recap of what it changed and what fails: addressed, quoted, once, bounded",
  property: (implementation) =>
    FastCheck.property(
      Script.script,
      Script.marks,
      FastCheck.integer({ min: 800, max: 5_000 }),
      (script, marks, ceiling) => {
        const played = play(implementation, script, { ...marks, ceiling })
        return played.requests
          .filter(isSent)
          .every(
            ({ decided, plan, view }) =>
              view.tokens <= ceiling &&
              view.messages.every((message) => isHonest(played.texts, message, hiddenIn(view.messages))) &&
              (plan._tag !== "Rewrite" ||
                decided?.epoch !== "ceiling" ||
                isSaid(played, decided.changes, view.messages, ceiling - view.tokens))
          )
      }
    ),
  mutants: [
    { name: "there is no recap", implementation: recapping((_, made) => made, true) },
    {
      name: "a line names the first entry that left",
      implementation: recapping((change, made) =>
        eachPut(made, (piece) =>
          typeof piece === "string" ? piece.replace(/(\nstill failing: )@\d+/, `$1@${change.entries[0]}`) : piece
        )
      )
    },
    {
      name: "a quote is of another entry",
      implementation: recapping((change, made) =>
        eachPut(made, (piece) =>
          typeof piece === "string" ? piece : { ...piece, of: { seq: change.entries[0] }, bytes: [0, 1], scalars: 1 }
        )
      )
    },
    {
      name: "it is said again each time",
      implementation: recapping((_, made) => ({
        ...made,
        form:
          made.form._tag === "Recap" ? { ...made.form, put: [...made.form.put, ...made.form.put.slice(1)] } : made.form
      }))
    },
    {
      name: "it takes whatever room it likes",
      implementation: recapping((_, made) => ({
        ...made,
        form:
          made.form._tag === "Recap" && made.form.put.length > 0
            ? { ...made.form, put: [...made.form.put, " ".repeat(8_000)] }
            : made.form
      }))
    }
  ]
}

/** Ours, with every recap put wrong; or with the changes as they were before. */
function recapping(change: (before: Change, made: Change) => Change, isNone = false): Implementation {
  return {
    ...free,
    recap: (view, changes, cause, texts, room) =>
      isNone
        ? changes
        : free
            .recap(view, changes, cause, texts, room)
            .map((made, at) => (made.form._tag === "Recap" ? change(changes[at]!, made) : made))
  }
}

function eachPut(made: Change, of: (piece: Piece) => Piece): Change {
  return made.form._tag === "Recap" ? { ...made, form: { ...made.form, put: made.form.put.map(of) } } : made
}

type Piece = (Change["form"] & { readonly _tag: "Recap" })["put"][number]

const hiddenIn = (messages: ReadonlyArray<Message>): Message["hidden"] => messages.flatMap(({ hidden }) => hidden)

/** Its lines are of entries that left, each once; what it quotes are lines of the failure named above them. */
const isHonest = (texts: Texts, { items: [item] }: Message, hidden: Message["hidden"]): boolean => {
  if (item._tag !== "Words" || item.form._tag !== "Recap") return true
  const left = new Set<number>(hidden.map(({ seq }) => seq))
  const failed = new Set<number>(
    hidden.filter(({ entered: { part } }) => part._tag === "Result" && part.status === "error").map(({ seq }) => seq)
  )
  const [, ...said] = item.put
  const failing: Array<number> = []
  let changes = 0
  for (const piece of said) {
    if (typeof piece !== "string") {
      const lines = decodeUtf8(encodeUtf8((texts.get(piece.of.seq) ?? []).join(""))).split("\n")
      if (piece.of.seq !== failing.at(-1) || !lines.includes(textOfRange(texts, piece))) return false
      continue
    }
    const named = [...piece.matchAll(/ @(\d+)/g)].map((match) => Number(match[1]))
    if (!named.every((seq) => left.has(seq))) return false
    if (piece.startsWith("\nchanged: ")) changes++
    const fails = /^\nstill failing: @(\d+)/.exec(piece)?.[1]
    if (fails !== undefined) failing.push(Number(fails))
  }
  return changes <= 1 && new Set(failing).size === failing.length && failing.every((seq) => failed.has(seq))
}

/** Where there is room for it, the newest file that was changed is named with its write (a late one under other words). */
const isSaid = (
  { texts }: Played,
  changes: ReadonlyArray<Change>,
  messages: ReadonlyArray<Message>,
  room: number
): boolean =>
  room < ROOM ||
  messages.every(({ hidden, items: [item] }) => {
    if (item._tag !== "Words" || !changes.some(({ entries: [from] }) => from === item.seq)) return true
    const write = hidden.filter(({ entered }) => entered.observation?.kind === "write").sort((a, b) => b.seq - a.seq)[0]
    const share = hidden.reduce((sum, { entered }) => sum + weightOf(entered.part).scalars, 0) / 8
    if (write === undefined || share < 4 * ROOM) return true
    return messages.some(
      ({ items: [other] }) => other._tag === "Words" && textOfItem(texts, other).includes(`@${write.seq}`)
    )
  })

/** The tokens that must be left for a recap to be asked for. */
const ROOM = 60
