/**
 * Before a model call of a run under the preset `codeaf`: what came is admitted (bounded, or pointed at where its bytes
 * stand already), then, where the budgets are passed, what is spent is shortened, and then what is needed.
 *
 *     fold ─> close ─> admit each ─> Decided? ─> decay, fold ─> Decided(epoch)? ─> Requested
 *
 * The decisions carry the seed's own words and the addresses of what they stand for. The text of these words breaks law 4
 * (a path instead of an address, and sometimes neither), law 5 (only results and the assistant's text are counted, so
 * there is no ceiling, and nothing is refused) and law 15 (a label is the model's own words in a bracket). What the laws
 * say of decisions holds: a path is made from an address, so no clock, chance or run id is rendered (law 7); calls stay
 * with their results (law 8); what the user said is never touched (law 9); and a restart decides alike, as all that is
 * known of a run is a fold of its facts (CA-W6). Reasoning is left in front of what was rewritten, which models that bind
 * it to its prefix refuse (law 8): the seed had none.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { boundsOf, entryCut } from "@palimpsest/compaction/codeaf/Bounds"
import { notice } from "@palimpsest/compaction/codeaf/Cut"
import * as History from "@palimpsest/compaction/codeaf/History"
import { liveBytes, listOf, pathOfEntry, rewriteOf } from "@palimpsest/compaction/codeaf/Listed"
import * as Observations from "@palimpsest/compaction/codeaf/Observations"
import { naming } from "@palimpsest/compaction/codeaf/Put"
import type { Sized } from "@palimpsest/compaction/codeaf/Sized"
import { callLabel } from "@palimpsest/compaction/codeaf/Stubs"
import { observationSafetyWindow, observationWindow } from "@palimpsest/compaction/codeaf/Windows"
import type { Change } from "@palimpsest/compaction/Decision"
import type { Form } from "@palimpsest/compaction/Form"
import type { Item } from "@palimpsest/compaction/Transcript"
import { encodeUtf8, scalarsOf } from "@palimpsest/ledger/Body"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq } from "@palimpsest/ledger/Ids"
import { joined, rangesOf, spliced, type Shown } from "./internal/ranges.ts"
import { closing, deciding, draftOf, sending, viewOf, type TranscriptView } from "./internal/sending.ts"
import type { Prepared } from "./Prepare.ts"
import type { Session } from "./Session.ts"
import { blockText, type Fault, type Reader } from "./Texts.ts"

/**
 * Prepares the next request of a run under this preset.
 *
 * @since 0.1.0
 * @category turns
 */
export const prepare = (session: Session, reader: Reader): Effect.Effect<Prepared, Fault> =>
  Effect.gen(function* () {
    const { codeaf, config, view } = session
    if (config.preset !== "codeaf" || view._tag !== "Transcript") return yield* Effect.dieMessage("not of this preset")
    const window = config.window ?? UNKNOWN
    const admissions = yield* admit(codeaf ?? History.empty, view, window, reader)
    const admitted = deciding(draftOf(session), [...closing(view), ...admissions])
    const rewrite = yield* rewriteNow(
      viewOf(admitted),
      History.settled(admitted.session.codeaf ?? History.empty),
      window,
      reader
    )
    const draft = rewrite === undefined ? admitted : deciding(admitted, rewrite.changes, rewrite.cause)
    return yield* sending(draft, rewrite !== undefined, reader)
  })

/** The window of a model that nothing is known of (CA-02). */
const UNKNOWN = 0

/** How each result that came since the last request is carried. */
const admit = (
  history: History.History,
  view: TranscriptView,
  window: number,
  reader: Reader
): Effect.Effect<ReadonlyArray<Change>, Fault> =>
  Effect.gen(function* () {
    if (history.arrived.length === 0) return []
    const shown = new Map(view.transcript.messages.flatMap(({ items }) => items.map((item) => [item.seq, item])))
    const calls = callsIn(view)
    const bounds = boundsOf(window)
    const changes: Array<Change> = []
    let places: Observations.Places = history
    for (const { entered, seq } of history.arrived) {
      const item = shown.get(seq)
      const texts = item === undefined ? undefined : yield* textsOf(item, reader)
      if (texts === undefined || entered.part._tag !== "Result") continue
      const call = calls.get(entered.part.call)
      const whole = joined(seq, texts)
      const isError = entered.part.status === "error"
      const shape = COMMANDS.test(call?.name ?? "") ? "command" : "read"
      const found = entryCut(bounds, { content: whole.text, isError, shape })
      const put = (form: Form) => changes.push({ entries: [seq, seq], form })
      if (isError) put({ _tag: "Framed", put: spliced(ERROR, rangesOf(whole, 0, whole.text.length)) })
      else if (found !== undefined) put(cutForm(seq, whole, found))
      else {
        const identity = History.identityOf(entered)
        if (identity === undefined) continue
        const placed = yield* pointTo(places, identity, { entered, seq, text: whole.text }, calls, reader)
        places = placed
        if (placed.pointed === undefined) continue
        const { copy, put: words } = placed.pointed
        const to = Number(copy.key.slice(1)) as Seq
        put({ _tag: "Pointer", to, rest: { seq }, put: naming(words, copy.path) })
      }
    }
    return changes
  })

/** A fact is placed as the seed does, with the label of the copy that it may point at. */
const pointTo = (
  places: Observations.Places,
  identity: string,
  here: { readonly entered: Entered; readonly seq: Seq; readonly text: string },
  calls: Calls,
  reader: Reader
): Effect.Effect<Observations.Placed, Fault> =>
  Effect.gen(function* () {
    const earlier = Observations.copyOf(places, identity)
    const call = earlier === undefined ? undefined : calls.byResult.get(earlier.key)
    const label = call === undefined ? NO_LABEL : yield* labelOf(call, reader)
    const labelled =
      earlier === undefined
        ? places
        : { ...places, observations: HashMap.set(places.observations, identity, { ...earlier, label }) }
    const key = History.keyOf(here.seq)
    const copy = { turn: here.entered.step, key, label: NO_LABEL, path: undefined }
    const spill = (of: string): string => pathOfEntry(Number(of.slice(1)) as Seq)
    const fact = { text: here.text, bytes: encodeUtf8(here.text).length }
    return Observations.place(spill, labelled, identity, copy, fact)
  })

const cutForm = (seq: Seq, whole: Shown, { cut, window }: NonNullable<ReturnType<typeof entryCut>>): Form => {
  const { text } = whole
  const said = notice(cut, window, { path: pathOfEntry(seq) })
  if (cut.end === "tail") {
    const kept = rangesOf(whole, text.length - cut.kept.length, text.length)
    return { _tag: "Bounded", keep: "tail", cap: scalarsOf(cut.kept), rest: { seq }, put: spliced(`${said}\n`, kept) }
  }
  const end = cut.kept.replace(/\n+$/, "").length
  const put = spliced(rangesOf(whole, 0, end), `\n\n${said}`)
  return { _tag: "Bounded", keep: "head", cap: scalarsOf(cut.kept), rest: { seq }, put }
}

const rewriteNow = (view: TranscriptView, history: History.History, window: number, reader: Reader) =>
  Effect.gen(function* () {
    const working = observationWindow(window)
    if (liveBytes(view.transcript) <= working) return undefined
    const labels = new Map<string, Sized>()
    for (const call of callsIn(view).all) {
      if (call.part._tag === "Call") labels.set(call.part.call, yield* labelOf(call, reader))
    }
    return rewriteOf(listOf(view.transcript, labels), history, { working, safety: observationSafetyWindow(window) })
  })

/** The texts of a result that stands whole; undefined where it has media, is no result, or has a form already. */
const textsOf = (item: Item, reader: Reader): Effect.Effect<ReadonlyArray<string> | undefined, Fault> => {
  if (item._tag !== "Entry" || item.form._tag !== "Whole" || item.entered.part._tag !== "Result") return NONE
  const { blocks } = item.entered.part
  if (blocks.some(({ encoding }) => encoding === "bytes")) return NONE
  return Effect.forEach(blocks, (_, i) => blockText(reader, item.entered, i + 1))
}

const NONE = Effect.succeed(undefined)

/** The calls of a view: all, by their id, and by the address of their result. */
interface Calls {
  readonly all: ReadonlyArray<Entered>
  readonly get: (call: string) => { readonly name: string } | undefined
  readonly byResult: ReadonlyMap<string, Entered>
}

const callsIn = ({ transcript }: TranscriptView): Calls => {
  const all = new Map<string, Entered>()
  const byResult = new Map<string, Entered>()
  for (const { items } of transcript.messages) {
    for (const item of items) {
      if (item._tag !== "Entry") continue
      const { part } = item.entered
      if (part._tag === "Call") all.set(part.call, item.entered)
      const asked = part._tag === "Result" ? all.get(part.call) : undefined
      if (asked !== undefined) byResult.set(History.keyOf(item.seq), asked)
    }
  }
  const get = (call: string) => {
    const part = all.get(call)?.part
    return part?._tag === "Call" ? { name: part.name } : undefined
  }
  return { all: [...all.values()], get, byResult }
}

/** Labels are of an entry, which never changes. */
const LABELS = new WeakMap<Entered, Sized>()

const labelOf = (call: Entered, reader: Reader): Effect.Effect<Sized, Fault> => {
  const known = LABELS.get(call)
  const { part } = call
  if (known !== undefined || part._tag !== "Call") return Effect.succeed(known ?? NO_LABEL)
  return Effect.map(blockText(reader, call), (args) => {
    const label = callLabel({ id: part.call, name: part.name, arguments: args })
    LABELS.set(call, label)
    return label
  })
}

const NO_LABEL: Sized = { text: "", bytes: 0 }

const ERROR = "ERROR: "

/** Tools that run a command: their verdict stands last, so their end is kept. */
const COMMANDS = /^(?:ba|z)?sh$|shell|terminal|exec|command/i
