/**
 * The shared columns behind every `Ledger` value: typed arrays and interned strings, some 45 bytes an entry, and the
 * indexes of the newest value. Only ever appended to; a value of length n never reads beyond n.
 */
export class Columns {
  length = 0
  seq = new Int32Array(INITIAL)
  step = new Int32Array(INITIAL)
  kind = new Uint8Array(INITIAL)
  target = new Int32Array(INITIAL)
  subject = new Int32Array(INITIAL)
  from = new Int32Array(INITIAL)
  to = new Int32Array(INITIAL)
  classifier = new Int32Array(INITIAL)
  scalars = new Int32Array(INITIAL)
  readonly names: Interned
  readonly lastBySubject = new Map<number, number>()
  readonly lastWrite = new Map<number, number>()
  observedScalars = 0

  constructor(names: Interned) {
    this.names = names
  }

  push(row: Row): void {
    const at = this.length
    if (at === this.seq.length) this.grow()
    this.seq[at] = row.seq
    this.step[at] = row.step
    this.kind[at] = row.kind
    this.target[at] = row.target
    this.subject[at] = row.subject
    this.from[at] = row.from
    this.to[at] = row.to
    this.classifier[at] = row.classifier
    this.scalars[at] = row.scalars
    this.length = at + 1
    if (row.kind === NO_KIND) return
    this.observedScalars += row.scalars
    if (row.subject === NO_NAME) return
    this.lastBySubject.set(row.subject, at)
    if (row.kind === WRITE) this.lastWrite.set(row.subject, at)
  }

  row(at: number): Row {
    return {
      seq: this.seq[at]!,
      step: this.step[at]!,
      kind: this.kind[at]!,
      target: this.target[at]!,
      subject: this.subject[at]!,
      from: this.from[at]!,
      to: this.to[at]!,
      classifier: this.classifier[at]!,
      scalars: this.scalars[at]!
    }
  }

  /** A copy of the first `length` rows with indexes of its own: what a fork, or an old value that is asked, works on. */
  copy(length: number): Columns {
    const copy = new Columns(this.names)
    for (let i = 0; i < length; i++) copy.push(this.row(i))
    return copy
  }

  private grow(): void {
    const capacity = Math.ceil(this.seq.length * GROWTH)
    this.seq = widen(this.seq, capacity)
    this.step = widen(this.step, capacity)
    this.target = widen(this.target, capacity)
    this.subject = widen(this.subject, capacity)
    this.from = widen(this.from, capacity)
    this.to = widen(this.to, capacity)
    this.classifier = widen(this.classifier, capacity)
    this.scalars = widen(this.scalars, capacity)
    const kind = new Uint8Array(capacity)
    kind.set(this.kind)
    this.kind = kind
  }
}

export interface Row {
  readonly seq: number
  readonly step: number
  readonly kind: number
  readonly target: number
  readonly subject: number
  readonly from: number
  readonly to: number
  readonly classifier: number
  readonly scalars: number
}

/** Strings by number, each kept once. Append-only, so that values and forks can share it. */
export class Interned {
  private readonly numbers = new Map<string, number>()
  private readonly strings: Array<string> = []

  number(text: string): number {
    const known = this.numbers.get(text)
    if (known !== undefined) return known
    this.numbers.set(text, this.strings.length)
    return this.strings.push(text) - 1
  }

  known(text: string): number | undefined {
    return this.numbers.get(text)
  }

  text(number: number): string | undefined {
    return number === NO_NAME ? undefined : this.strings[number]
  }
}

export const NO_NAME = -1
export const NO_KIND = 0
/** `write` in the stored order of the kinds, plus one. */
export const WRITE = 4

const INITIAL = 16
const GROWTH = 1.25

const widen = (from: Int32Array<ArrayBuffer>, capacity: number): Int32Array<ArrayBuffer> => {
  const to = new Int32Array(capacity)
  to.set(from)
  return to
}
