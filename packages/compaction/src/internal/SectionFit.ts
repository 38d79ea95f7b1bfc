/**
 * The fit of a turn: what is carried, what was read again, and whether stubs stand each for themselves.
 *
 *     newest ── carried ── carried ── refused ── carried ── the first that does not fit │ older: never visited
 *
 * Stubs cost nothing against the budget, and the first misfit ends the walk (law 5 is broken here as in the seed: IO-W2,
 * IO-W4). A stale read is read again only where the walk reaches it, or where its stub has to be worded (mending IO-W8).
 * A refused one costs nothing and does not end the walk, so refusals in reach are visited besides what is carried; without
 * a workspace all are refused, and none is. Whether stubs collapse follows from running sums: they are put into words only
 * where they are few enough to be shown.
 */
import { stubCeiling } from "@palimpsest/budget/ContextBudget"
import { tokensOf } from "@palimpsest/budget/Estimate"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Address } from "@palimpsest/ledger/Address"
import { boundSplice } from "../SectionBound.ts"
import { NO_WORKSPACE } from "../SectionReread.ts"
import { refused as refusedStub, reread } from "../SectionStub.ts"
import { scalarsIn, type Splice } from "../Splice.ts"
import { stubTokens, type SectionIndex } from "./SectionIndex.ts"
import { NONE } from "./SectionList.ts"
import { askReread, type Asking } from "./SectionAsk.ts"

export interface Fit {
  /** Ordinals, ascending. */
  readonly carried: ReadonlyArray<number>
  readonly read: ReadonlyMap<number, Fresh | Refused>
  /** By ordinal, ascending; undefined where stubs collapse. */
  readonly stubs: ReadonlyMap<number, string> | undefined
  readonly scalars: number
  readonly visits: number
  readonly hasWorkspace: boolean
}

export interface Fresh {
  readonly _tag: "Fresh"
  readonly of: Address
  readonly put: Splice
  readonly scalars: number
}

export interface Refused {
  readonly _tag: "Refused"
  readonly why: string
}

export interface Limits {
  readonly budget: number
  readonly cap: number
  readonly step: number
  readonly hasWorkspace: boolean
}

export function* fitOf(index: SectionIndex, limits: Limits): Asking<Fit> {
  const turn = new Turn(index, limits)
  yield* turn.walk()
  const stubs = yield* turn.stubs()
  let { scalars } = turn
  if (stubs !== undefined) for (const stub of stubs.values()) scalars += scalarsOf(stub)
  return {
    carried: turn.carried,
    read: turn.read,
    stubs,
    scalars,
    visits: turn.visits,
    hasWorkspace: limits.hasWorkspace
  }
}

class Turn {
  readonly carried: Array<number> = []
  readonly read = new Map<number, Fresh | Refused>()
  scalars = 0
  visits = 0
  private readonly index: SectionIndex
  private readonly limits: Limits

  constructor(index: SectionIndex, limits: Limits) {
    this.index = index
    this.limits = limits
  }

  *walk(): Asking<void> {
    const { index, limits } = this
    const list = limits.hasWorkspace ? index.live : index.current
    let used = 0
    for (let at = list.tail; at !== NONE; at = list.older(at)) {
      this.visits++
      let scalars = index.scalars(at)
      if (index.isStale(at)) {
        const shape = yield* this.reread(at)
        if (shape._tag === "Refused") continue
        scalars = shape.scalars
      }
      used += tokensOf(scalars)
      if (used > limits.budget) break
      this.scalars += scalars
      this.carried.push(at)
    }
    this.carried.reverse()
  }

  *stubs(): Asking<ReadonlyMap<number, string> | undefined> {
    const { index } = this
    const ceiling = stubCeiling(this.limits.budget)
    if (index.supersededTokens > ceiling || this.atLeast() > ceiling) return undefined
    const stubs = new Map<number, string>()
    let tokens = 0
    let next = 0
    for (let at = 0; at < index.length; at++) {
      this.visits++
      if (this.carried[next] === at) {
        next++
        continue
      }
      const stub = yield* this.stub(at)
      tokens += stubTokens(stub)
      if (tokens > ceiling) return undefined
      stubs.set(at, stub)
    }
    return stubs
  }

  /** What the stubs take at least, in tokens: a refusal is never shorter than what it would say if it had aged. */
  private atLeast(): number {
    const { index } = this
    let tokens = index.supersededTokens + index.agedTokens
    for (const at of this.carried) tokens -= stubTokens(index.agedStub(at))
    return tokens
  }

  private *stub(at: number): Asking<string> {
    const { index } = this
    if (index.supersededBy[at] !== NONE) return index.supersededStub(at)
    if (!index.isStale(at)) return index.agedStub(at)
    const shape = this.read.get(at) ?? (yield* this.reread(at))
    if (shape._tag === "Fresh") return index.agedStub(at)
    const written = index.step(index.invalidatedBy[at]!)
    return refusedStub(index.kind(at), index.target(at), { written, step: this.limits.step, why: shape.why })
  }

  private *reread(at: number): Asking<Fresh | Refused> {
    const shape = this.limits.hasWorkspace ? yield* this.ask(at) : WITHOUT_WORKSPACE
    this.read.set(at, shape)
    return shape
  }

  private *ask(at: number): Asking<Fresh | Refused> {
    const { index } = this
    const { cap, step } = this.limits
    const target = index.target(at)!
    const written = index.invalidatedBy[at]!
    const answer = yield* askReread({ seq: index.seq(at), target, invalidatedBy: index.seq(written) })
    if (answer._tag === "Refused") return answer
    const heading = reread(target, { step, first: index.step(at), written: index.step(written) })
    const put = [heading, ...boundSplice(answer.of, answer.text, cap, "read", answer.size), "\n"]
    return { _tag: "Fresh", of: answer.of, put, scalars: scalarsIn(put) }
  }
}

const WITHOUT_WORKSPACE: Refused = { _tag: "Refused", why: NO_WORKSPACE }
