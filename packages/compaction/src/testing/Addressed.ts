/**
 * Law 4: every elision carries an address, of the entry itself; what a bounded form still shows are ranges of that entry.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Change } from "../Decision.ts"
import type { Form } from "../Form.ts"
import type { Range } from "../Splice.ts"
import type { Item } from "../Transcript.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Mutate from "./Mutate.ts"
import { textOfRange } from "./Rendered.ts"
import * as Script from "./Script.ts"
import { play, type Played } from "./Simulation.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const addressed: Law<Implementation> = {
  number: 4,
  name: "every changed form carries the address of its own entry, shows it, and its ranges lie inside that entry",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, (script, marks) => {
      const { happenings, requests, texts } = play(implementation, script, marks)
      const cleared = new Set(happenings.flatMap((one) => (one._tag === "Cleared" ? one.entries : [])))
      return requests.every(({ view }) =>
        view.messages.every(({ items }) =>
          items.every((item) => isAddressed(texts, item) || (isFramed(item) && cleared.has(item.seq)))
        )
      )
    }),
  mutants: [
    { name: "a stub names the entry after it", implementation: Mutate.changed(withRest((seq) => seq + 1)) },
    {
      name: "a stub says nothing of where its entry is",
      implementation: Mutate.changed(({ entries, form }) => [
        { entries, form: form._tag === "Stub" ? { ...form, put: ["[left out]"] } : form }
      ])
    },
    {
      name: "what is left out is framed, without an address",
      implementation: Mutate.changed(({ entries }) => [{ entries, form: { _tag: "Framed", put: ["[left out]"] } }])
    },
    {
      name: "a bounded result has ranges past its end",
      implementation: {
        ...ours,
        bound: (seq, texts, cap) => moved(ours.bound(seq, texts, cap), (n) => n + 2_000_000)
      }
    },
    {
      name: "a bounded result has ranges that split a character",
      implementation: { ...ours, bound: (seq, texts, cap) => moved(ours.bound(seq, texts, cap), (n) => n && n - 1) }
    },
    {
      name: "a bounded result is cut without a word",
      implementation: {
        ...ours,
        bound: (seq, texts, cap) => {
          const form = ours.bound(seq, texts, cap)
          return { ...form, put: form.put.filter((piece) => typeof piece !== "string") }
        }
      }
    }
  ]
}

const isFramed = (item: Item): boolean => item._tag === "Entry" && item.form._tag === "Framed"

const isAddressed = (texts: Played["texts"], item: Item): boolean => {
  if (item._tag === "Closed") return true
  const { form, seq } = item
  if (form._tag === "Whole") return true
  if (form._tag !== "Bounded" && form._tag !== "Stub") return false
  const own = form.put.filter((piece) => typeof piece === "string").join("")
  return form.rest.seq === seq && new RegExp(`\\[@${seq}\\b`).test(own) && hasRangesInside(texts, item.seq, form)
}

/** Ranges ascend block by block, end on characters, say how long they are, and are of this entry. */
const hasRangesInside = (texts: Played["texts"], seq: number, form: Form & { readonly _tag: "Bounded" | "Stub" }) => {
  let last: readonly [block: number, byte: number] = [0, 0]
  return form.put.every((piece) => {
    if (typeof piece === "string") return true
    const { block = 0, seq: of } = piece.of
    const [from, to] = piece.bytes
    const blocks = texts.get(piece.of.seq) ?? []
    const bytes = encodeUtf8(block === 0 ? blocks.join("") : (blocks[block - 1] ?? ""))
    const shown = textOfRange(texts, piece)
    const isBehind = block > last[0] || (block === last[0] && from >= last[1])
    last = [block, to]
    return (
      of === seq &&
      isBehind &&
      from < to &&
      to <= bytes.length &&
      [from, to].every((end) => end === bytes.length || (bytes[end]! & 0xc0) !== 0x80) &&
      [...shown].length === piece.scalars
    )
  })
}

function withRest(other: (seq: number) => number): (change: Change) => ReadonlyArray<Change> {
  return ({ entries, form }) => [
    { entries, form: form._tag === "Stub" ? { ...form, rest: { seq: other(form.rest.seq) as Seq } } : form }
  ]
}

function moved(
  form: Form & { readonly _tag: "Bounded" },
  by: (byte: number) => number
): Form & { readonly _tag: "Bounded" } {
  const move = (range: Range): Range => ({ ...range, bytes: [by(range.bytes[0]), by(range.bytes[1])] })
  return { ...form, put: form.put.map((piece) => (typeof piece === "string" ? piece : move(piece))) }
}
