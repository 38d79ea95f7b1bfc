/**
 * Needed use: where the model's answer shows that it needed an earlier result, told from the recording alone and so the
 * same for every preset.
 *
 *     answer to request q quotes a passage ─┬─ of a result, or of the old text of an own edit, older than q ─> a use
 *                                           ├─ that stands also in what is new in q ────────────────────────> none
 *                                           └─ that the user said too ──────────────────────────────────────> none
 *     answer to q calls, and gets what the same call, or one of the same subject, got before ───────────────> a use
 *
 * A passage has at least 40 characters, 12 of them distinct. The same passage twice in one answer is one use. What only
 * own edits hold is no use of a result, and is not counted: loss is of results.
 *
 * Source: the performance notes, section 4. It measures the re-reads that a missing result would cause, and is blind to
 * what a model uses in silence.
 *
 * @since 0.1.0
 */
import type { Entry } from "@palimpsest/transcript/Move"
import * as Quotes from "./Quotes.ts"
import type { Happened, Run } from "./Recording.ts"

/**
 * Where a used text stands: an entry of the run (from 0), the block of it (1-based), and the characters that are used.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source {
  readonly entry: number
  readonly kind: "result" | "edit"
  readonly block: number
  readonly from: number
  readonly to: number
}

/**
 * A use by the answer to a request (1-based): any one of its sources would do. At least one is a result.
 *
 * @since 0.1.0
 * @category models
 */
export interface Use {
  readonly request: number
  readonly sources: readonly [Source, ...ReadonlyArray<Source>]
}

/**
 * The uses of a run, in the order of its answers.
 *
 * @since 0.1.0
 * @category reading
 */
export const of = (run: Run): ReadonlyArray<Use> => {
  const uses: Array<Use> = []
  const quotes = Quotes.make()
  /** What each given text is, and the first request that could hold it. */
  const givens: Array<Given | undefined> = []
  const fetched = fetches()
  let request = 0
  let entry = -1
  let answer: Array<string> = []
  let edits: Array<{ readonly entry: number; readonly text: string }> = []

  const answered = new Map<string, ReadonlyArray<number>>()

  const give = (text: string, given: Given): ReadonlyArray<number> => {
    if (text.length < Quotes.LEAST) return []
    const number = quotes.give(text)
    givens[number] = given
    return [number]
  }

  /** A result without its call is in no request, and one that comes again stands in the place of the first. */
  const giveResult = (call: string, texts: ReadonlyArray<string>, entry: number): void => {
    const earlier = answered.get(call)
    if (earlier === undefined) return
    for (const number of earlier) givens[number] = undefined
    const given = texts.flatMap((text, i) => give(text, { _tag: "Result", entry, block: i + 1, first: request + 1 }))
    answered.set(call, given)
  }

  const close = (): void => {
    const seen = new Set<string>()
    for (const text of answer) {
      for (const passage of quotes.find(text)) {
        const words = text.slice(passage.from, passage.to)
        const sources = seen.has(words) ? undefined : sourcesOf(passage, givens, request)
        seen.add(words)
        if (sources !== undefined) uses.push({ request, sources })
      }
    }
    for (const edit of edits) give(edit.text, { _tag: "Edit", entry: edit.entry, first: request + 1 })
    answer = []
    edits = []
  }

  for (const happened of run.happened) {
    if (happened._tag === "Asked") {
      close()
      request++
      continue
    }
    entry++
    const { entry: of, texts } = happened
    switch (of.part._tag) {
      case "Text":
        if (of.role === "assistant") answer.push(...texts)
        else for (const text of texts) give(text, { _tag: "Said", first: request + 1 })
        break
      case "Call":
        answer.push(...texts.flatMap((args) => strings(args).map(({ text }) => text)))
        edits.push(
          ...texts.flatMap((args) =>
            strings(args)
              .filter(isOld)
              .map(({ text }) => ({ entry, text }))
          )
        )
        fetched.called(happened, request)
        answered.set(of.part.call, [])
        break
      case "Result": {
        const use = fetched.got(happened, entry, request + 1)
        if (use !== undefined) uses.push(use)
        giveResult(of.part.call, texts, entry)
        break
      }
    }
  }
  close()
  return uses.sort((a, b) => a.request - b.request)
}

type Given =
  | { readonly _tag: "Said"; readonly first: number }
  | { readonly _tag: "Edit"; readonly entry: number; readonly first: number }
  | { readonly _tag: "Result"; readonly entry: number; readonly block: number; readonly first: number }

const sourcesOf = (
  { holders }: Quotes.Passage,
  givens: ReadonlyArray<Given | undefined>,
  request: number
): Use["sources"] | undefined => {
  const sources: Array<Source> = []
  for (const { from, given: number, to } of holders) {
    const given = givens[number]
    if (given === undefined || given.first > request) continue
    if (given._tag === "Said" || given.first === request) return undefined
    sources.push(
      given._tag === "Edit"
        ? { entry: given.entry, kind: "edit", block: 1, from, to }
        : { entry: given.entry, kind: "result", block: given.block, from, to }
    )
  }
  const [first, ...rest] = sources
  return first === undefined || sources.every(({ kind }) => kind === "edit") ? undefined : [first, ...rest]
}

type Came = Extract<Happened, { readonly _tag: "Entered" }>

/** Results that came before, by what they are of and what they say. */
const fetches = () => {
  const calls = new Map<string, { readonly request: number; readonly key: string }>()
  const results = new Map<string, Array<{ readonly first: number; readonly source: Source }>>()

  const called = ({ entry: { part }, texts }: Came, request: number): void => {
    if (part._tag === "Call") calls.set(part.call, { request, key: `${part.name} ${texts.join("")}` })
  }

  const got = ({ entry, texts }: Came, at: number, first: number): Use | undefined => {
    const { observation, part } = entry
    const call = part._tag === "Result" ? calls.get(part.call) : undefined
    const text = texts.join("\n")
    if (call === undefined || !Quotes.isPassage(text) || isWrite(entry)) return undefined
    const { key, request } = call
    const keys = [key, ...(observation?.subject === undefined ? [] : [observation.subject])]
    const block = texts.findIndex((one) => one.length > 0) + 1
    const here = {
      first,
      source: { entry: at, kind: "result", block, from: 0, to: texts[block - 1]?.length ?? 0 }
    } as const
    const before = new Set(keys.flatMap((one) => results.get(`${one}\n${text}`) ?? []))
    for (const one of keys) results.set(`${one}\n${text}`, [...(results.get(`${one}\n${text}`) ?? []), here])
    const earlier = [...before].filter((one) => one.first <= request)
    const [source, ...rest] = earlier.map((one) => one.source)
    return source === undefined || earlier.some((one) => one.first === request)
      ? undefined
      : { request, sources: [source, ...rest] }
  }

  return { called, got }
}

/** What a write answers is an acknowledgement, and alike for each. */
const isWrite = ({ observation }: Entry): boolean => observation?.kind === "write"

interface Named {
  readonly name: string
  readonly text: string
}

/** The strings in arguments, each with the name that it stands under. */
const strings = (args: string): ReadonlyArray<Named> => {
  const found: Array<Named> = []
  const visit = (value: unknown, name: string): void => {
    if (typeof value === "string") found.push({ name, text: value })
    else if (Array.isArray(value)) for (const one of value) visit(one, name)
    else if (typeof value === "object" && value !== null) {
      for (const [key, one] of Object.entries(value)) visit(one, key)
    }
  }
  visit(parsed(args), "")
  return found
}

/** Arguments that are no JSON are a text of their own. */
const parsed = (args: string): unknown => {
  try {
    return JSON.parse(args)
  } catch {
    return args
  }
}

const isOld = ({ name }: Named): boolean => /^old_?(?:str|string|text|content)$/i.test(name)
