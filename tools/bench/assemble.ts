/**
 * Assembling a section under 24,000 tokens at 1k, 10k and 100k observations: a steady turn (one or two new entries, plan,
 * evolve, render the text), the time of joining the same parts, and the heap beyond the window, per entry. Printed as one
 * JSON line. Texts are made from the workload when they are asked for, as a store would give them.
 */
import { performance } from "node:perf_hooks"
import * as Either from "effect/Either"
import * as Ledger from "@palimpsest/ledger/Ledger"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import * as Section from "@palimpsest/compaction/Section"
import { cut } from "@palimpsest/compaction/SectionBound"
import * as SectionView from "@palimpsest/compaction/SectionView"
import { corpus, generate, textOf, turnsOf, type Row } from "../../packages/compaction/test/section/workload.ts"

const BUDGET = 24_000
const CAP = 12_000
const MEASURED_TURNS = 400

interface Figures {
  readonly observations: number
  readonly turnMs: number
  readonly planMs: number
  readonly joinMs: number
  readonly visitsOverCarried: number
  readonly heapPerEntry: number
}

const heap = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
}

const median = (values: ReadonlyArray<number>): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const run = (observations: number): Figures => {
  const rows = generate(observations, 7)
  const turns = turnsOf(rows)
  const texts = new Map<number, string>()
  const textAt = (seq: number): string => {
    const known = texts.get(seq)
    if (known !== undefined) return known
    const row = rows[seq - 1] as Row
    const text = textOf(row, CAP)
    texts.set(seq, text)
    if (texts.size > 2_000) texts.delete(texts.keys().next().value as number)
    return text
  }
  const read: SectionView.Reader = { entry: textAt, range: (range) => cut(textAt(range.of.seq), range.bytes) }
  const before = heap()
  let ledger = Ledger.empty()
  let view = SectionView.empty
  let seq = 0
  const turnMs: Array<number> = []
  const planMs: Array<number> = []
  const joinMs: Array<number> = []
  let visits = 0
  turns.forEach((turn, at) => {
    const isMeasured = at >= turns.length - MEASURED_TURNS
    const entries = turn.map((row) => {
      seq += 1
      const target = row.target === undefined ? {} : { target: row.target }
      const observation = { kind: row.kind, ...target, covers: { _tag: "All" }, classifier: "" } as const
      return { seq: seq as Seq, step: row.step as Step, scalars: scalarsOf(textAt(seq)), observation }
    })
    const step = turn[0]?.step ?? 0
    const start = performance.now()
    for (const entry of entries) {
      ledger = Either.getOrThrow(Ledger.append(ledger, entry))
      view = SectionView.evolve(view, { _tag: "Entered", entry })
    }
    const planning = Section.plan(ledger, view, { budget: BUDGET, notes: [], step, hasWorkspace: false })
    const plan = Section.run(planning, () => ({ _tag: "Refused", why: "" }))
    if (plan.decided !== undefined)
      view = SectionView.evolve(view, { _tag: "Decided", step: step as Step, ...plan.decided })
    const planned = performance.now()
    if (!isMeasured) return
    const { parts } = SectionView.render(view, read)
    const end = performance.now()
    const joined = parts.join("")
    const joinEnd = performance.now()
    if (joined.length === 0) throw new Error("nothing was joined")
    turnMs.push(end - start)
    planMs.push(planned - start)
    joinMs.push(joinEnd - end)
    visits = Math.max(visits, plan.visits - plan.assembled.carried)
  })
  texts.clear()
  const after = heap()
  if (ledger.length !== rows.length || view.shown.length === 0) throw new Error("the run was not assembled")
  return {
    observations,
    turnMs: median(turnMs),
    planMs: median(planMs),
    joinMs: median(joinMs),
    visitsOverCarried: visits,
    heapPerEntry: (after - before) / observations
  }
}

corpus()
run(1_000)
const sizes = [1_000, 10_000, 100_000]
process.stdout.write(`${JSON.stringify(sizes.map(run))}\n`)
