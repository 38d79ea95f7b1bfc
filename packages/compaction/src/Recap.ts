/**
 * The deterministic recap: where a ceiling takes turns that may be needed, the words that stand for them also say what they
 * changed and what of them still fails. What the user said stays in its own messages, verbatim (law 9).
 *
 *     [@41-@90 left out: 12 calls, among them read src/a.ts, wrote src/b.ts]
 *     changed: src/b.ts @61, src/c.ts @77
 *     still failing: @83 npm
 *     > src/b.ts(3,1): error TS2322: ...
 *
 * 1. Every line names the entry that it is of, and quotes ranges of that entry's body (law 4); nothing is copied.
 * 2. It is made from the entries, and never from the words of an earlier recap, so it does not compound.
 * 3. It is bounded: by what is asked for, and by a share of what leaves (law 5; no form is longer than what it replaces).
 * 4. What fails is known by the status of results and the arguments of calls; no meaning is taken from text (law 15). A
 *    quoted line is marked as one, so that it is not the user's (mending HA-W15).
 *
 * DESIGN section 5, the last rung of the ladder that needs no model. Pure (law 7).
 *
 * @since 0.1.0
 */
import { encodeUtf8, scalarsOf } from "@palimpsest/ledger/Body"
import { format } from "@palimpsest/ledger/Address"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Seq } from "@palimpsest/ledger/Ids"
import { weightOf } from "@palimpsest/ledger/Part"
import type { Cause, Change } from "./Decision.ts"
import type { Form } from "./Form.ts"
import { isFailureLine } from "./harn/FailureLines.ts"
import { plain } from "./Mark.ts"
import { scalarsIn, type Range, type Splice } from "./Splice.ts"
import type { Transcript } from "./Transcript.ts"

/**
 * The text of an entry, its text blocks one behind the other.
 *
 * @since 0.1.0
 * @category models
 */
export type Texts = ReadonlyMap<Seq, string>

/**
 * The failed results whose text a recap of these changes quotes.
 *
 * @since 0.1.0
 * @category recaps
 */
export const wanted = (view: Transcript, changes: ReadonlyArray<Change>, cause: Cause): ReadonlyArray<Source> =>
  groupsOf(view, changes, cause).flatMap(({ failing }) => failing.slice(-QUOTED))

/**
 * The changes with a recap in place of the bare words of each collapse, where there is anything to say, in at most `room`
 * scalar values together; the newest first, where that is little. For another cause than the ceiling, only what takes up an
 * earlier recap has one.
 *
 * @since 0.1.0
 * @category recaps
 */
export const recapped = (
  view: Transcript,
  changes: ReadonlyArray<Change>,
  cause: Cause,
  texts: Texts,
  room: number
): ReadonlyArray<Change> => {
  const out: Array<Change> = [...changes]
  let left = room
  for (const group of [...groupsOf(view, changes, cause)].reverse()) {
    const said = linesOf(group, texts, Math.min(left - ROUNDING, LONGEST, Math.floor(group.scalars / SHARE)))
    if (said.length === 0) continue
    left -= scalarsIn(said) + ROUNDING
    for (const at of group.changes) {
      const { entries, form } = changes[at]!
      if (form._tag !== "Collapse") continue
      const put = form.put.length === 0 ? form.put : [...form.put, ...said]
      out[at] = { entries, form: { _tag: "Recap", rest: form.rest, put } }
    }
  }
  return out
}

/**
 * The scalar values that recaps may add in so many tokens: four a token.
 *
 * @since 0.1.0
 * @category recaps
 */
export const roomIn = (tokens: number): number => Math.max(0, 4 * tokens)

/**
 * An entry, wherever it stands: in a message, or hidden under words.
 *
 * @since 0.1.0
 * @category models
 */
export interface Source {
  readonly seq: Seq
  readonly entered: Entered
  readonly form: Form
}

/** What leaves under the same words: the places of its changes, the files that it changed, and what still fails of it. */
interface Group {
  readonly changes: ReadonlyArray<number>
  readonly written: ReadonlyArray<Source>
  readonly failing: ReadonlyArray<Source>
  readonly scalars: number
}

const groupsOf = (view: Transcript, changes: ReadonlyArray<Change>, cause: Cause): ReadonlyArray<Group> => {
  const places: Array<Array<number>> = []
  const ranges: Array<{ readonly entries: Change["entries"]; readonly group: number }> = []
  changes.forEach(({ entries, form }, at) => {
    if (form._tag !== "Collapse" || form.why._tag === "Unbound") return
    if (form.put.length > 0) places.push([at])
    else places.at(-1)?.push(at)
    if (places.length > 0) ranges.push({ entries, group: places.length - 1 })
  })
  if (places.length === 0) return []
  ranges.sort((a, b) => a.entries[0] - b.entries[0])
  const sources = sourcesOf(view)
  const fails = unresolved(sources)
  const own: ReadonlyArray<Array<Source>> = places.map(() => [])
  let next = 0
  for (const source of sources) {
    while (next < ranges.length && ranges[next]!.entries[1] < source.seq) next++
    const range = ranges[next]
    if (range !== undefined && range.entries[0] <= source.seq) own[range.group]!.push(source)
  }
  return own.flatMap((of, i): ReadonlyArray<Group> =>
    cause !== "ceiling" && !of.some(({ form }) => form._tag === "Recap")
      ? []
      : [
          {
            changes: places[i]!,
            written: of.filter(({ entered }) => entered.observation?.kind === "write"),
            failing: of.filter(({ seq }) => fails.has(seq)),
            scalars: of.reduce((sum, { entered }) => sum + weightOf(entered.part).scalars, 0)
          }
        ]
  )
}

/** Everything that entered and is not forgotten, in the order of the log. */
const sourcesOf = ({ messages }: Transcript): ReadonlyArray<Source> =>
  messages
    .flatMap(({ hidden, items }): ReadonlyArray<Source> => [
      ...items.flatMap((item) => (item._tag === "Entry" ? [item] : [])),
      ...hidden
    ])
    .sort((a, b) => a.seq - b.seq)

/** Failed results whose call, with the same arguments, did not come to a good end later. */
const unresolved = (sources: ReadonlyArray<Source>): ReadonlySet<Seq> => {
  const asked = new Map<string, string>()
  for (const { entered } of sources) {
    const { part } = entered
    if (part._tag === "Call") asked.set(part.call, `${part.name} ${part.args.digest}`)
  }
  const failing = new Map<string, Seq>()
  for (const { entered, seq } of sources) {
    const { part } = entered
    const what = part._tag === "Result" ? asked.get(part.call) : undefined
    if (part._tag !== "Result" || what === undefined || part.status === "pending") continue
    if (part.status === "error") failing.set(what, seq)
    else failing.delete(what)
  }
  return new Set(failing.values())
}

const linesOf = ({ failing, written }: Group, texts: Texts, room: number): Splice => {
  const changed = changedIn(written, room)
  let left = room - scalarsIn(changed)
  const quoted: Array<Splice> = []
  for (const source of failing.slice(-QUOTED).reverse()) {
    const quote = quoteOf(source, texts.get(source.seq) ?? "", left)
    if (quote.length === 0) break
    left -= scalarsIn(quote)
    quoted.unshift(quote)
  }
  return [...changed, ...quoted.flat()]
}

/** The newest files that were changed, each once, with the newest write of it. */
const changedIn = (written: ReadonlyArray<Source>, room: number): Splice => {
  const last = new Map<string, Seq>()
  for (const { entered, seq } of written) {
    const target = entered.observation?.target
    if (target === undefined) continue
    last.delete(target)
    last.set(target, seq)
  }
  let names = ""
  let count = 0
  for (const [target, seq] of [...last].reverse()) {
    const name = `${plain(target)} ${format({ seq })}`
    const longer = count === 0 ? name : `${name}, ${names}`
    if (count >= NAMED || scalarsOf(longer) + MORE > room) break
    names = longer
    count++
  }
  if (count === 0) return []
  const others = last.size - count
  return [`\nchanged: ${others === 0 ? "" : `${others} more, `}${names}`]
}

/** What failed, and the lines that say how: the first that look like it, else the last of all. */
const quoteOf = ({ entered: { observation }, seq }: Source, text: string, room: number): Splice => {
  const what = observation?.target === undefined ? "" : ` ${plain(observation.target)}`
  const head = `\nstill failing: ${format({ seq })}${what}`
  let left = Math.min(room, QUOTE) - scalarsOf(head)
  if (left < 0) return []
  const lines = rangesOf(seq, text)
  const telling = lines.filter(({ line }) => isFailureLine(line)).slice(0, QUOTED_LINES)
  const put: Array<Range | string> = [head]
  for (const { range } of telling.length > 0 ? telling : lines.slice(-QUOTED_LINES)) {
    left -= range.scalars + LEAD.length
    if (left < 0) break
    put.push(LEAD, range)
  }
  return put
}

/** The lines of a text that say something, as ranges of their entry. */
const rangesOf = (seq: Seq, text: string): ReadonlyArray<{ readonly line: string; readonly range: Range }> => {
  let from = 0
  return text.split("\n").flatMap((line) => {
    const start = from
    const length = encodeUtf8(line).length
    from += length + 1
    return line.trim() === ""
      ? []
      : [{ line, range: { of: { seq }, bytes: [start, start + length], scalars: scalarsOf(line) } }]
  })
}

/** Foreign lines stand behind this, so that none begins a line of the view's own. */
const LEAD = "\n> "
/** What rounding up to whole tokens may take of each message (scalar values). */
const ROUNDING = 3
/** How many failures a recap quotes, how many lines of each, and how much of each (scalar values). */
const QUOTED = 3
const QUOTED_LINES = 6
const QUOTE = 600
/** How many files a recap names, and the room that the count of the others takes (scalar values). */
const NAMED = 20
const MORE = 30
/** The most that one recap adds (scalar values), and the share of what leaves that it may add. */
const LONGEST = 2_400
const SHARE = 8
