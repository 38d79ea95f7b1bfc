/**
 * An ordered set of observations that only ever gains a greater one and loses any one, both in O(1): two links each.
 */
export class SectionList {
  tail = NONE
  size = 0
  private before = new Int32Array(INITIAL)
  private after = new Int32Array(INITIAL)

  append(at: number): void {
    if (at >= this.before.length) {
      this.before = widened(this.before, at + 1)
      this.after = widened(this.after, at + 1)
    }
    this.before[at] = this.tail
    this.after[at] = NONE
    if (this.tail !== NONE) this.after[this.tail] = at
    this.tail = at
    this.size++
  }

  remove(at: number): void {
    const before = this.before[at]!
    const after = this.after[at]!
    if (before !== NONE) this.after[before] = after
    if (after === NONE) this.tail = before
    else this.before[after] = before
    this.size--
  }

  /** The next older one, or `NONE`. */
  older(at: number): number {
    return this.before[at]!
  }
}

export const NONE = -1

/** A copy with room for at least `length`, grown by a quarter. */
export const widened = (from: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> => {
  const to = new Int32Array(Math.max(length, Math.ceil(from.length * GROWTH)))
  to.set(from)
  return to
}

const INITIAL = 16
const GROWTH = 1.25
