/**
 * Law 1: no operation changes or removes what was appended, and appending to a value leaves every older value as it was,
 * its indexes and its forks included.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Entry } from "../Ledger.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { ours, type Implementation, type Value } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * Every value made on the way, and every value of a fork from a random older one, answers as a plain array of its own
 * entries would.
 *
 * @since 0.1.0
 * @category laws
 */
export const appendOnly: Law<Implementation> = {
  number: 1,
  name: "every value of a ledger answers for its own entries alone, whatever was appended or forked since",
  property: ({ empty }) =>
    FastCheck.property(Arbitraries.entries, Arbitraries.entries, FastCheck.nat(), (trunk, branch, where) => {
      const known: Array<readonly [Value, ReadonlyArray<Entry>]> = [[empty(), []]]
      for (const entry of trunk) grow(known, known.length - 1, entry)
      const fork = where % known.length
      const base = known[fork]![1].at(-1)
      let last = fork
      for (const entry of branch) last = grow(known, last, behind(base, entry))
      return known.every(([value, entries]) => answersFor(value, entries))
    }),
  mutants: [
    { name: "an old value sees what came later", implementation: { ...ours, empty: () => careless({ sees: true }) } },
    { name: "a fork writes over the trunk", implementation: { ...ours, empty: () => careless({ overwrites: true }) } },
    {
      name: "an old value asks the newest index",
      implementation: { ...ours, empty: () => careless({ index: true }) }
    },
    { name: "a partial entry loses its lines", implementation: { ...ours, empty: () => careless({ loses: true }) } }
  ]
}

const grow = (known: Array<readonly [Value, ReadonlyArray<Entry>]>, at: number, entry: Entry): number => {
  const [value, entries] = known[at]!
  return known.push([value.append(entry), [...entries, entry]]) - 1
}

const behind = (base: Entry | undefined, entry: Entry): Entry =>
  base === undefined
    ? entry
    : {
        ...entry,
        seq: (entry.seq + base.seq) as Entry["seq"],
        step: (entry.step + base.step) as Entry["step"]
      }

const answersFor = (value: Value, entries: ReadonlyArray<Entry>): boolean => {
  if (value.length !== entries.length || value.at(entries.length) !== undefined) return false
  if (!entries.every((entry, i) => same(value.at(i), entry))) return false
  const total = entries.reduce((sum, entry) => sum + (entry.observation === undefined ? 0 : entry.scalars), 0)
  return (
    value.observedScalars() === total &&
    SUBJECTS.every((subject) => {
      const of = entries.map((entry) => (entry.observation?.subject === subject ? entry.observation.kind : undefined))
      return (
        value.lastOf(subject) === found(of.findLastIndex((kind) => kind !== undefined)) &&
        value.lastWriteTo(subject) === found(of.lastIndexOf("write"))
      )
    })
  )
}

const found = (index: number): number | undefined => (index === -1 ? undefined : index)

const same = (a: Entry | undefined, b: Entry): boolean => a !== undefined && ours.encode(a) === ours.encode(b)

const SUBJECTS = ["a", "b", "c", "never"]

interface Fault {
  readonly sees?: boolean
  readonly overwrites?: boolean
  readonly index?: boolean
  readonly loses?: boolean
}

/** A ledger over one shared array, with a fault. */
const careless = (fault: Fault): Value => {
  const value = (rows: Array<Entry>, length: number): Value => {
    const own = () => (fault.index === true ? rows : rows.slice(0, length))
    const last = (is: (entry: Entry) => boolean) => found(own().findLastIndex(is))
    return {
      ...ours.empty(),
      get length() {
        return fault.sees === true ? rows.length : length
      },
      append: (entry) => {
        const shared = fault.overwrites === true || rows.length === length ? rows : rows.slice(0, length)
        shared[length] = fault.loses === true ? whole(entry) : entry
        return value(shared, length + 1)
      },
      at: (position) => (position < (fault.sees === true ? rows.length : length) ? rows[position] : undefined),
      lastOf: (subject) => last((entry) => entry.observation?.subject === subject),
      lastWriteTo: (subject) =>
        last((entry) => entry.observation?.subject === subject && entry.observation.kind === "write"),
      observedScalars: () =>
        own().reduce((sum, entry) => sum + (entry.observation === undefined ? 0 : entry.scalars), 0)
    }
  }
  return value([], 0)
}

const whole = (entry: Entry): Entry =>
  entry.observation === undefined ? entry : { ...entry, observation: { ...entry.observation, covers: { _tag: "All" } } }
