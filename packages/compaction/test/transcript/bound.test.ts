import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Address } from "@palimpsest/ledger/Address"
import { decodeUtf8, encodeUtf8, scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import { bounded, boundedBlocks } from "../../src/Bound.ts"
import { render, scalarsIn, type Range, type Splice } from "../../src/Splice.ts"
import { Law, Words } from "../../src/testing.ts"

type Bound = typeof bounded

/** Lines of anything: ASCII, wide, astral, joined, halves of pairs, other line ends, none at all, long ones. */
const anyText: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.array(
    FastCheck.oneof(
      FastCheck.constantFrom(
        "\n",
        "\n",
        "\n\n",
        "\r\n",
        "视图",
        "👩🏽‍💻",
        "🙂🙂🙂",
        "e\u0301",
        "\ud83d",
        "\ude00",
        "\u2028",
        "[@1]"
      ),
      FastCheck.string({ maxLength: 30 }),
      FastCheck.nat({ max: 900 }).map((n) => "x".repeat(n)),
      FastCheck.nat({ max: 300 }).map((n) => "🙂".repeat(n))
    ),
    { maxLength: 40, size: "max" }
  ).map((pieces) => pieces.join("")),
  Words.words.map(Words.textOf)
)

/** Lines of up to 60 characters, the last with or without its end. */
const linedText: FastCheck.Arbitrary<string> = FastCheck.tuple(
  FastCheck.array(FastCheck.string({ maxLength: 60 }), { minLength: 20, maxLength: 120, size: "max" }),
  FastCheck.boolean()
).map(([lines, isEnded]) => lines.map((line) => line.replaceAll("\n", " ")).join("\n") + (isEnded ? "\n" : ""))

const cap = FastCheck.integer({ min: 200, max: 3_000 })

const AT: Address = { seq: 41 as Seq }

/** What a reader of UTF-8 gets of a text: halves of pairs are replaced. */
const readable = (text: string): string => decodeUtf8(encodeUtf8(text))

const read =
  (text: string) =>
  ({ bytes }: Range): string =>
    decodeUtf8(encodeUtf8(text).subarray(...bytes))

const rangesOf = (put: Splice): ReadonlyArray<Range> => put.filter((piece) => typeof piece !== "string")

interface Split {
  readonly head: string
  readonly mark: string
  readonly tail: string
}

/** Head, mark and tail as they are shown; undefined where all of it is. */
const splitOf = (put: Splice, text: string): Split | undefined => {
  const at = put.findIndex((piece) => typeof piece === "string")
  const mark = put[at]
  if (typeof mark !== "string") return undefined
  return { head: render(put.slice(0, at), read(text)), mark, tail: render(put.slice(at + 1), read(text)) }
}

const rows: ReadonlyArray<Omit<Law.Law<Bound>, "number"> & { readonly row: string }> = [
  {
    row: "IO-W5",
    name: "the output is within the cap, mark included, for any text and any cap from 200",
    property: (bound) =>
      FastCheck.property(anyText, cap, (text, most) => {
        const { put } = bound(AT, text, most)
        const shown = render(put, read(text))
        return (
          scalarsOf(shown) <= most &&
          scalarsOf(shown) === scalarsIn(put) &&
          (scalarsOf(text) > most || shown === readable(text))
        )
      }),
    mutants: [
      { name: "the mark stands outside the cap", implementation: (at, text, most) => bounded(at, text, most + 96) },
      { name: "half of what fits is cut", implementation: (at, text, most) => bounded(at, text, most / 2) },
      {
        name: "sizes are in UTF-16 units",
        implementation: (at, text, most) => bounded(at, text, most + (text.length - scalarsOf(text)))
      }
    ]
  },
  {
    row: "IO-W11, IO-W18",
    name: "head and tail are the text's own, byte for byte, and end on characters",
    property: (bound) =>
      FastCheck.property(anyText, cap, (text, most) => {
        const { put } = bound(AT, text, most)
        const split = splitOf(put, text)
        if (split === undefined) return render(put, read(text)) === readable(text)
        const bytes = encodeUtf8(text)
        return (
          split.head !== "" &&
          readable(text).startsWith(split.head) &&
          readable(text).endsWith(split.tail) &&
          rangesOf(put).every(({ bytes: ends, of }) => of === AT && ends.every((end) => isBoundary(bytes, end)))
        )
      }),
    mutants: [
      { name: "a read keeps its tail only", implementation: (at, text, most) => withoutFirst(bounded(at, text, most)) },
      {
        name: "ranges count UTF-16 units",
        implementation: (at, text, most) => inUnits(bounded(at, text, most), text)
      },
      { name: "a cut may split a character", implementation: (at, text, most) => oneByteLess(bounded(at, text, most)) }
    ]
  },
  {
    row: "IO-W18",
    name: "where the cuts fall on lines, the mark's lines are exactly those left out, and with what is shown they are the whole",
    property: (bound) =>
      FastCheck.property(linedText, cap, (text, most) => {
        const { put, rest } = bound(AT, text, most)
        const split = splitOf(put, text)
        if (split === undefined || rest.lines === undefined) return true
        const [from, to] = rest.lines
        if (!split.mark.includes(`[@41:${from}-${to} left out`)) return false
        if (!split.head.endsWith("\n") || !text.slice(0, -split.tail.length || text.length).endsWith("\n")) return true
        const recalled = recall(text, from, to)
        return (
          split.head + recalled + split.tail === text &&
          split.mark.includes(` ${count(recalled)} of ${count(text)} chars]`)
        )
      }),
    mutants: [
      {
        name: "lines count from zero",
        implementation: (at, text, most) => withLines(bounded(at, text, most), (n) => n - 1)
      },
      {
        name: "the last line is not counted",
        implementation: (at, text, most) => withLines(bounded(at, text, most), (n, i) => n - i)
      }
    ]
  },
  {
    row: "IO-W18",
    name: "wherever the cuts fall, what is left out lies in the lines that the mark names",
    property: (bound) =>
      FastCheck.property(anyText, cap, (text, most) => {
        const { put, rest } = bound(AT, text, most)
        const split = splitOf(put, text)
        if (split === undefined || rest.lines === undefined) return split === undefined
        const whole = readable(text)
        const gone = whole.slice(split.head.length, whole.length - split.tail.length)
        return recall(whole, ...rest.lines).includes(gone) && gone !== ""
      }),
    mutants: [
      {
        name: "the line in the middle of which the head ends is not counted",
        implementation: (at, text, most) => withLines(bounded(at, text, most), (n, i) => n + 1 - i)
      },
      {
        name: "nor is the line in which the tail begins",
        implementation: (at, text, most) => withLines(bounded(at, text, most), (n, i) => Math.max(1, n - i))
      }
    ]
  }
]

/** The lines of a text as recall gives them. */
const recall = (text: string, from: number, to: number): string => {
  const lines = text.split("\n")
  const kept = lines.slice(from - 1, to).join("\n")
  return to < lines.length ? `${kept}\n` : kept
}

const count = (text: string): string => scalarsOf(text).toLocaleString("en-US")

const isBoundary = (bytes: Uint8Array, at: number): boolean => at === bytes.length || (bytes[at]! & 0xc0) !== 0x80

type Form = ReturnType<Bound>

const mapRanges = (form: Form, change: (range: Range) => Range): Form => ({
  ...form,
  put: form.put.map((piece) => (typeof piece === "string" ? piece : change(piece)))
})

const withoutFirst = (form: Form): Form => ({ ...form, put: form.put.length > 2 ? form.put.slice(1) : form.put })

const inUnits = (form: Form, text: string): Form => {
  const units = (byte: number): number => decodeUtf8(encodeUtf8(text).subarray(0, byte)).length
  return mapRanges(form, (range) => ({ ...range, bytes: [units(range.bytes[0]), units(range.bytes[1])] }))
}

const oneByteLess = (form: Form): Form =>
  mapRanges(form, (range) => ({ ...range, bytes: [range.bytes[0], Math.max(range.bytes[0], range.bytes[1] - 1)] }))

const withLines = (form: Form, change: (line: number, index: number) => number): Form => {
  const { lines } = form.rest
  if (lines === undefined) return form
  const moved = [change(lines[0], 0), change(lines[1], 1)] as const
  const put = form.put.map((piece) =>
    typeof piece === "string" ? piece.replace(`:${lines.join("-")} left`, `:${moved.join("-")} left`) : piece
  )
  return { ...form, rest: { ...form.rest, lines: moved }, put }
}

describe("bounding at entry", () => {
  for (const { mutants, name, property, row } of rows) {
    it(`${row}: ${name}`, () => {
      FastCheck.assert(property(bounded), { numRuns: 150 })
    })
    it(`${row}: ${name}: every mutant dies: ${mutants.map((mutant) => mutant.name).join("; ")}`, () => {
      expect(Law.survivors({ property, mutants }, { numRuns: 600, seed: 5 })).toEqual([])
    })
  }

  it("IO-W5 the blocks of one result share its cap, however many they are", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(anyText, { minLength: 1, maxLength: 30, size: "max" }),
        FastCheck.integer({ min: 200, max: 6_000 }),
        ([first = "", ...rest], most) => {
          const texts = [first, ...rest] as const
          const { put, rest: at } = boundedBlocks(AT.seq, texts, most)
          const shown = render(put, ({ bytes, of }) =>
            decodeUtf8(encodeUtf8(of.block === undefined ? texts.join("") : texts[of.block - 1]!).subarray(...bytes))
          )
          return (
            scalarsOf(shown) <= most && scalarsOf(shown) === scalarsIn(put) && at.seq === 41 && at.lines === undefined
          )
        }
      ),
      { numRuns: 60 }
    )
  })

  it("IO-W11 what is bounded can be put together again: what is shown and the lines of the address are the whole text", () => {
    const text = Array.from({ length: 500 }, (_, i) => `line ${i + 1}: 视图 🙂\n`).join("")
    const { put, rest } = bounded(AT, text, 2_000)
    const split = splitOf(put, text)
    expect(split!.head + recall(text, ...rest.lines!) + split!.tail).toBe(text)
    expect(split!.mark).toMatch(/^\[@41:\d+-\d+ left out: [\d,]+ of [\d,]+ chars\]\n$/)
  })

  it("IO-W18 imports at the head and the last words stay", () => {
    const text = `import { a } from "a"\n${Words.textOf({ alphabet: "plain", scalars: 90_000 })}export const last = 1\n`
    const shown = render(bounded(AT, text, 2_000).put, read(text))
    expect(shown.startsWith('import { a } from "a"\n')).toBe(true)
    expect(shown.endsWith("export const last = 1\n")).toBe(true)
  })
})
