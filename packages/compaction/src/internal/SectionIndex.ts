/**
 * What a section has to know of a ledger, kept as the ledger grows: 28 bytes an observation, and nothing is ever scanned.
 *
 *     live     = not superseded           (walked where stale reads can be read again)
 *     current  = live and not stale       (walked where they cannot)
 *
 * Observations are numbered densely, by ordinal. `supersededBy` and `invalidatedBy` are the *first* later ones, so that once
 * set they are final. An index stands at one length. The newest value's is carried forward; a value behind it, whose lists
 * would have to run backwards, replays one of its own (law 1).
 *
 * Supersession here is by kind and exact target, as in the seed: without coverage (IO-W13, IO-W14), but without its scans
 * (IO-W1).
 */
import { tokensOf } from "@palimpsest/budget/Estimate"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Ledger } from "@palimpsest/ledger/Ledger"
import { isOfItsTarget, KINDS, type Kind } from "@palimpsest/ledger/Observation"
import { aged, superseded } from "../SectionStub.ts"
import { NONE, SectionList, widened } from "./SectionList.ts"

/** The index of a ledger value, caught up to it. */
export const indexOf = (ledger: Ledger): SectionIndex => {
  const newest = byColumns.get(ledger.columns)
  if (newest === undefined || newest.read <= ledger.length) {
    const index = newest ?? new SectionIndex(ledger.columns)
    if (newest === undefined) byColumns.set(ledger.columns, index)
    index.advance(ledger.length)
    return index
  }
  const known = byLedger.get(ledger)
  if (known !== undefined) return known
  const own = new SectionIndex(ledger.columns)
  own.advance(ledger.length)
  byLedger.set(ledger, own)
  return own
}

export class SectionIndex {
  /** Ledger positions taken in, and observations among them. */
  read = 0
  length = 0
  position = new Int32Array(16)
  supersededBy = new Int32Array(16)
  invalidatedBy = new Int32Array(16)
  readonly live = new SectionList()
  readonly current = new SectionList()
  /** The stubs of the superseded, in tokens, exact and final; and what the stubs of the live would be if all had aged. */
  supersededTokens = 0
  agedTokens = 0
  private readonly columns: Columns
  private readonly last = new Map<number, number>()

  constructor(columns: Columns) {
    this.columns = columns
  }

  get superseded(): number {
    return this.length - this.live.size
  }

  get stale(): number {
    return this.live.size - this.current.size
  }

  advance(to: number): void {
    for (; this.read < to; this.read++) if (this.columns.kind[this.read] !== NO_KIND) this.observe(this.read)
  }

  isStale(at: number): boolean {
    return this.invalidatedBy[at] !== NONE
  }

  seq(at: number): Seq {
    return this.columns.seq[this.position[at]!]! as Seq
  }

  step(at: number): number {
    return this.columns.step[this.position[at]!]!
  }

  scalars(at: number): number {
    return this.columns.scalars[this.position[at]!]!
  }

  kind(at: number): Kind {
    return KINDS[this.columns.kind[this.position[at]!]! - 1]!
  }

  target(at: number): string | undefined {
    return this.columns.names.text(this.columns.target[this.position[at]!]!)
  }

  agedStub(at: number): string {
    return aged(this.kind(at), this.target(at), this.scalars(at))
  }

  supersededStub(at: number): string {
    return superseded(this.kind(at), this.target(at), this.step(this.supersededBy[at]!))
  }

  /** The observation of a seq, by binary search. Undefined where there is none. */
  ordinalOf(seq: Seq): number | undefined {
    let low = 0
    let high = this.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = this.seq(middle)
      if (found === seq) return middle
      if (found < seq) low = middle + 1
      else high = middle - 1
    }
    return undefined
  }

  private observe(position: number): void {
    const at = this.length++
    if (at >= this.position.length) this.widen(at + 1)
    this.position[at] = position
    this.supersededBy[at] = NONE
    this.invalidatedBy[at] = NONE
    this.live.append(at)
    this.current.append(at)
    this.agedTokens += stubTokens(this.agedStub(at))
    const target = this.columns.target[position]!
    if (target === NO_NAME) return
    const kind = this.kind(at)
    if (isOfItsTarget(kind)) this.supersede(keyOf(kind, target), at)
    if (kind === "write") this.invalidate(keyOf("read", target), at)
  }

  private supersede(key: number, by: number): void {
    const earlier = this.last.get(key)
    this.last.set(key, by)
    if (earlier === undefined) return
    this.supersededBy[earlier] = by
    this.live.remove(earlier)
    if (!this.isStale(earlier)) this.current.remove(earlier)
    this.agedTokens -= stubTokens(this.agedStub(earlier))
    this.supersededTokens += stubTokens(this.supersededStub(earlier))
  }

  private invalidate(key: number, by: number): void {
    const read = this.last.get(key)
    if (read === undefined || this.isStale(read)) return
    this.invalidatedBy[read] = by
    this.current.remove(read)
  }

  private widen(length: number): void {
    this.position = widened(this.position, length)
    this.supersededBy = widened(this.supersededBy, length)
    this.invalidatedBy = widened(this.invalidatedBy, length)
  }
}

export const stubTokens = (stub: string): number => tokensOf(scalarsOf(stub))

type Columns = Ledger["columns"]

const NO_KIND = 0
const NO_NAME = -1

const keyOf = (kind: Kind, target: number): number => target * KINDS.length + KINDS.indexOf(kind)

const byColumns = new WeakMap<Columns, SectionIndex>()
const byLedger = new WeakMap<Ledger, SectionIndex>()
