/**
 * Which passages of a text stand in texts that were given before: the longest ones, from the left, none inside another.
 *
 *     given     every aligned block of 20 characters ─> where it stands
 *     quoting   every window of 20 characters ─> the blocks that it equals ─> as far as both sides agree
 *
 * Whatever two texts share for 39 characters holds an aligned block of each, so nothing of the least length is missed but
 * what is nearly all one character. Work is linear in what is given, and in what quotes by how often it does.
 *
 * Source: the needed use of the performance notes, section 4 (40 characters, 12 of them distinct).
 *
 * @since 0.1.0
 */

/**
 * Characters `[from, to)` of the text that was given under a number.
 *
 * @since 0.1.0
 * @category models
 */
export interface Holder {
  readonly given: number
  readonly from: number
  readonly to: number
}

/**
 * Characters `[from, to)` of the quoting text, and the texts that hold them (all but at most a block of them at the ends).
 *
 * @since 0.1.0
 * @category models
 */
export interface Passage {
  readonly from: number
  readonly to: number
  readonly holders: ReadonlyArray<Holder>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Quotes {
  /** Gives a text under the next number, from 0. */
  readonly give: (text: string) => number
  /** What a text quotes of those that were given. */
  readonly find: (text: string) => ReadonlyArray<Passage>
}

/**
 * The least length of a passage (UTF-16 units), and how many different ones are in it at least.
 *
 * @since 0.1.0
 * @category constants
 */
export const LEAST = 40
/** @since 0.1.0 */
export const LEAST_DISTINCT = 12

/**
 * Nothing given yet.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (): Quotes => {
  const texts: Array<string> = []
  /** Pairs of a text's number and a place in it, flat. */
  const blocks = new Map<string, Array<number>>()

  const give = (text: string): number => {
    const number = texts.push(text) - 1
    for (let at = 0; at + BLOCK <= text.length; at += BLOCK) {
      const block = text.slice(at, at + BLOCK)
      if (!hasDistinct(block, 0, BLOCK, BLOCK_DISTINCT)) continue
      const places = blocks.get(block)
      if (places === undefined) blocks.set(block, [number, at])
      else if (places[places.length - 2 * MOST_TWINS] !== number) places.push(number, at)
    }
    return number
  }

  /** What agrees around the windows that begin in `[from, to]`, each stretch of a text once; none begins before `floor`. */
  const around = (text: string, from: number, to: number, floor: number): ReadonlyArray<Stretch> => {
    const seen = new Set<number>()
    const stretches: Array<Stretch> = []
    for (let at = from; at <= to && at + BLOCK <= text.length; at++) {
      const places = blocks.get(text.slice(at, at + BLOCK))
      for (let i = 0; places !== undefined && i < places.length; i += 2) {
        const given = places[i]!
        const shift = places[i + 1]! - at
        const key = given * SHIFTS + (shift + SHIFTS / 2)
        if (seen.has(key)) continue
        seen.add(key)
        stretches.push(grown(text, texts[given]!, given, shift, at, floor))
      }
    }
    return stretches
  }

  const passageAt = (text: string, at: number, floor: number): Passage | undefined => {
    let best: Stretch | undefined
    for (const stretch of around(text, at, at + BLOCK - 1, floor)) {
      const length = stretch.to - stretch.from
      if (length < LEAST || (best !== undefined && length <= best.to - best.from)) continue
      if (hasDistinct(text, stretch.from, stretch.to, LEAST_DISTINCT)) best = stretch
    }
    if (best === undefined) return undefined
    const { from, to } = best
    const least = Math.max(LEAST, to - from - BLOCK)
    const holders = new Map<number, Holder>()
    for (const stretch of around(text, from, Math.min(to, from + 2 * BLOCK), from)) {
      const end = Math.min(stretch.to, to)
      const known = holders.get(stretch.given)
      if (end - stretch.from < least || (known !== undefined && known.to - known.from >= end - stretch.from)) continue
      const { given, shift } = stretch
      holders.set(given, { given, from: stretch.from + shift, to: end + shift })
    }
    return { from, to, holders: [...holders.values()] }
  }

  const find = (text: string): ReadonlyArray<Passage> => {
    const found: Array<Passage> = []
    let floor = 0
    for (let at = 0; at + BLOCK <= text.length;) {
      if (!blocks.has(text.slice(at, at + BLOCK))) {
        at++
        continue
      }
      const passage = passageAt(text, at, floor)
      if (passage === undefined) {
        at += BLOCK
        continue
      }
      found.push(passage)
      at = floor = passage.to
    }
    return found
  }

  return { give, find }
}

/**
 * Whether a text could be a passage at all.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isPassage = (text: string): boolean =>
  text.length >= LEAST && hasDistinct(text, 0, text.length, LEAST_DISTINCT)

/** Where two texts agree: `[from, to)` of the quoting one, and how much further on the same stands in the given one. */
interface Stretch {
  readonly given: number
  readonly shift: number
  readonly from: number
  readonly to: number
}

const grown = (text: string, source: string, given: number, shift: number, at: number, floor: number): Stretch => {
  let from = at
  while (from > floor && from + shift > 0 && text.charCodeAt(from - 1) === source.charCodeAt(from - 1 + shift)) from--
  let to = at + BLOCK
  while (to < text.length && to + shift < source.length && text.charCodeAt(to) === source.charCodeAt(to + shift)) to++
  return { given, shift, from, to }
}

const hasDistinct = (text: string, from: number, to: number, least: number): boolean => {
  const seen = new Set<number>()
  for (let i = from; i < to; i++) {
    if (seen.add(text.charCodeAt(i)).size >= least) return true
  }
  return false
}

const BLOCK = 20
/** A block of fewer different characters is indentation or a rule, and says nothing of where it came from. */
const BLOCK_DISTINCT = 4
/** How often one block is remembered of one text that repeats it. */
const MOST_TWINS = 4
/** Shifts of a text's place against another's lie within half of this. */
const SHIFTS = 2 ** 32
