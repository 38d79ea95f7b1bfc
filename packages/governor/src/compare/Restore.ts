/**
 * What a run asks for again, in the closed loop: a call of few words, and a result that brings an earlier one back, whole
 * or as a slice around what is missed.
 *
 * The result is of what the earlier one was of, so a preset may treat the older as superseded; but bringing back what a
 * write answered is no write, and a slice stands for no more than itself.
 *
 * @since 0.1.0
 */
import { ownText, type Body, type Stored } from "@palimpsest/ledger/Body"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Observation } from "@palimpsest/ledger/Observation"
import type { Result } from "@palimpsest/ledger/Part"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { format } from "@palimpsest/ledger/Address"
import type { Entry } from "@palimpsest/transcript/Move"
import type { Source } from "./Uses.ts"

/**
 * How much a restore brings back: the whole result, or so many characters of it.
 *
 * @since 0.1.0
 * @category models
 */
export type Recall = { readonly _tag: "Whole" } | { readonly _tag: "Slice"; readonly chars: number }

/**
 * @since 0.1.0
 * @category constants
 */
export const whole: Recall = { _tag: "Whole" }

/**
 * A copy of a source: the entries that bring it back, the texts that it has, and where in it the source's blocks begin:
 * of a slice `at` is the place in the source's block where it was cut out.
 *
 * @since 0.1.0
 * @category models
 */
export interface Copy {
  readonly call: Omit<Entered, "step">
  readonly result: Omit<Entered, "step">
  readonly bodies: ReadonlyArray<Stored>
  readonly texts: ReadonlyArray<string>
  readonly cut: { readonly block: number; readonly at: number } | undefined
}

/**
 * The copy of a source. `number` tells it from others of its run, `seq` is where the source stands.
 *
 * @since 0.1.0
 * @category constructors
 */
export const copyOf = (
  hash: Hasher,
  number: number,
  seq: Seq,
  { entry, part, texts }: { readonly entry: Entry; readonly part: Result; readonly texts: ReadonlyArray<string> },
  source: Source,
  recall: Recall
): Copy => {
  const name = `recall-${number}`
  const args = ownText(hash, JSON.stringify({ address: format({ seq }) }), JSON_MEDIA)
  const cut = recall._tag === "Whole" ? undefined : sliceOf(texts[source.block - 1] ?? "", source, recall.chars)
  const slice = cut === undefined ? undefined : ownText(hash, cut.text)
  const blocks: Result["blocks"] = slice === undefined ? part.blocks : [slice.body]
  const observation = observationOf(entry.observation, cut !== undefined)
  const argsBody: Body = { ...args.body, encoding: "json" }
  return {
    call: {
      _tag: "Entered",
      message: name,
      role: "assistant",
      part: { _tag: "Call", call: name, name: "recall", args: argsBody },
      origin: { _tag: "Made" }
    },
    result: {
      _tag: "Entered",
      message: `${name}-result`,
      role: "tool",
      part: { _tag: "Result", call: name, status: part.status, blocks },
      ...(observation === undefined ? {} : { observation }),
      origin: { _tag: "Made" }
    },
    bodies: [args.stored, ...(slice === undefined ? [] : [slice.stored])],
    texts: cut === undefined ? texts : [cut.text],
    cut: cut === undefined ? undefined : { block: source.block, at: cut.at }
  }
}

/**
 * Where a source stands in its copy; undefined where a slice has left it out.
 *
 * @since 0.1.0
 * @category accessors
 */
export const placeIn = (
  { cut, texts }: Pick<Copy, "cut" | "texts">,
  source: Source
): Pick<Source, "block" | "from" | "to"> | undefined => {
  if (cut === undefined) return source
  const [from, to] = [source.from - cut.at, source.to - cut.at]
  return source.block === cut.block && from >= 0 && to <= (texts[0] ?? "").length ? { block: 1, from, to } : undefined
}

/** The request that a restored entry came from. */
export const entered = (entry: Omit<Entered, "step">, step: Step): Entered => ({ ...entry, step })

const observationOf = (of: Observation | undefined, isSlice: boolean): Observation | undefined => {
  if (of === undefined || (of.kind !== "write" && !isSlice)) return of
  const { also: _, subject: __, ...rest } = of
  return { ...rest, kind: of.kind === "write" ? "tool" : of.kind }
}

/** So many characters with the wanted ones in their middle; from the first wanted one, where they are more than that. */
const sliceOf = (text: string, { from, to }: Source, chars: number): { readonly at: number; readonly text: string } => {
  const room = Math.max(0, chars - (to - from))
  const at = Math.max(0, Math.min(from - Math.floor(room / 2), text.length - chars))
  return { at, text: text.slice(at, at + chars).replace(LONE, "\uFFFD") }
}

/** A slice may cut a pair in two. */
const LONE = /\p{Surrogate}/gu
const JSON_MEDIA = "application/json"
