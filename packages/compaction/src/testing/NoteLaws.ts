/**
 * The laws of notes: what is kept of them (2); and how much (5), which words (7) and how safely (15) a block shows them.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { noteSlice } from "@palimpsest/budget/ContextBudget"
import { estimate, scalars } from "@palimpsest/budget/Estimate"
import type { LogId } from "@palimpsest/ledger/Ids"
import * as SectionNotes from "../SectionNotes.ts"
import type { Law } from "./Law.ts"
import { listed, type NoteKeeping, ours } from "./NoteKeeping.ts"
import { kept } from "./NotesKept.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const bounded: Law<NoteKeeping> = {
  number: 5,
  name: "a block of notes never takes more than its quarter, whatever the notes, and counts what it carries",
  property: ({ block }) =>
    FastCheck.property(listed, budgets, (notes, budget) => {
      const { of, recalled, text } = block(notes, budget)
      return (
        estimate(text) <= noteSlice(budget) &&
        of === notes.length &&
        recalled === lines(text).filter((line) => NOTE.test(line)).length &&
        (recalled === of || text === "" || text.includes(`(${of - recalled} note`))
      )
    }),
  mutants: [
    { name: "the block of the seed", implementation: { ...ours, block: SectionNotes.block } },
    {
      name: "one note always survives",
      implementation: {
        ...ours,
        block: (notes, budget) => {
          const made = ours.block(notes, budget)
          return made.recalled === 0 ? { ...ours.block(notes.slice(-1), 10_000_000), of: notes.length } : made
        }
      }
    },
    {
      name: "what is left out is not charged",
      implementation: {
        ...ours,
        block: (notes, budget) => {
          const made = ours.block(notes, budget)
          const more = ours.block(notes, budget + 90)
          return more.recalled < notes.length && more.recalled > made.recalled ? more : made
        }
      }
    },
    {
      name: "what is left out is not counted",
      implementation: {
        ...ours,
        block: (notes, budget) => {
          const made = ours.block(notes, budget)
          return { ...made, text: made.text.replace(/- \(\d+ note.*\n$/, "") }
        }
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const nameless: Law<NoteKeeping> = {
  number: 7,
  name: "the same notes are the same block, whichever runs wrote them",
  property: ({ block }) =>
    FastCheck.property(listed, budgets, FastCheck.nat(99), (notes, budget, n) => {
      const by = (run: string) =>
        block(
          notes.map((note) => ({ ...note, run: run as LogId })),
          budget
        )
      return by("a").text === by(`run-${n}`).text && by("a").text === block(notes, budget).text
    }),
  mutants: [
    {
      name: "the run is named",
      implementation: {
        ...ours,
        block: (notes, budget) => {
          const made = ours.block(notes, budget)
          return { ...made, text: made.text.replace("(step", `(run ${notes.at(-1)?.run ?? ""}, step`) }
        }
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const unforged: Law<NoteKeeping> = {
  number: 15,
  name: "no key and no value of a note makes a line of its own, a step of its own, or words of ours",
  property: ({ block }) =>
    FastCheck.property(listed, budgets, (notes, budget) => {
      const { recalled, text } = block(notes, budget)
      if (text === "") return true
      const [before, heading, ...rest] = lines(text)
      const words = rest.slice(recalled)
      const shownNotes = rest.slice(0, recalled)
      const newest = notes.slice(notes.length - recalled)
      return (
        before === "" &&
        heading?.startsWith("[notes] ") === true &&
        (words.length === 1 || (words.length === 2 && LEFT_OUT.test(words[0] ?? ""))) &&
        words.at(-1) === "" &&
        shownNotes.every((line, i) => {
          const match = NOTE.exec(line)
          const note = newest[i]
          if (match === null || note === undefined || Number(match[4]) !== note.step) return false
          const [key, value]: ReadonlyArray<unknown> = [JSON.parse(match[1] ?? ""), JSON.parse(match[2] ?? "")]
          if (key !== note.key || typeof value !== "string") return false
          const isWhole = match[3] === undefined
          return isWhole ? value === note.value : note.value.startsWith(value) && Number(match[3]) === scalars(value)
        })
      )
    }),
  mutants: [
    { name: "the block of the seed", implementation: { ...ours, block: SectionNotes.block } },
    {
      name: "keys are as they are",
      implementation: raw((text) =>
        text.replace(/^- "((?:[^"\\]|\\.)*)":/gm, (_, key: string) => `- "${unescaped(key)}":`)
      )
    },
    {
      name: "values are as they are",
      implementation: raw((text) =>
        text.replace(/: "((?:[^"\\]|\\.)*)" \(/g, (_, value: string) => `: "${unescaped(value)}" (`)
      )
    },
    {
      name: "only the line feed is a line break",
      implementation: raw((text) => text.replace(/\\u(2028|2029|0085)/g, (_, code: string) => char(code)))
    },
    { name: "quotes end where the note says", implementation: raw((text) => text.replaceAll('\\"', '"')) }
  ]
}

/**
 * The laws of notes, in the order of their numbers.
 *
 * @since 0.1.0
 * @category laws
 */
export const noteLaws: ReadonlyArray<Law<NoteKeeping>> = [kept, bounded, nameless, unforged]

const budgets = FastCheck.oneof(
  FastCheck.nat(900),
  FastCheck.integer({ min: 900, max: 6_000 }),
  FastCheck.constant(24_000)
)

const lines = (text: string): ReadonlyArray<string> => text.split(/[\n\r\v\f\u0085\u2028\u2029]/)

const NOTE = /^- ("(?:[^"\\]|\\.)*"): ("(?:[^"\\]|\\.)*") \((?:the first (\d+) of \d+ characters, )?step (\d+)\)$/
const LEFT_OUT = /^- \(\d+ notes? (?:is|are) left out, the oldest: list the notes to see all keys\)$/

function raw(change: (text: string) => string): NoteKeeping {
  return {
    ...ours,
    block: (notes, budget) => {
      const made = ours.block(notes, budget)
      return { ...made, text: change(made.text) }
    }
  }
}

function unescaped(text: string): string {
  return text.replaceAll("\\n", "\n").replaceAll('\\"', '"').replaceAll("\\\\", "\\")
}

function char(code: string): string {
  return String.fromCharCode(Number.parseInt(code, 16))
}
