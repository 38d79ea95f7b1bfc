/** What the tests of reported faults share: scripts of one kind, and what must hold of every request that is sent. */
import * as FastCheck from "effect/FastCheck"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Marks } from "../../src/Hysteresis.ts"
import type { Rule } from "../../src/Reasoning.ts"
import { Implementation, Pairing, Script, Simulation } from "../../src/testing.ts"
import type { Item, Message, Transcript } from "../../src/Transcript.ts"

export const RULES: ReadonlyArray<Rule> = ["free", "loop-bound", "prefix-bound", "item-bound"]

export type Entry = Item & { readonly _tag: "Entry" }

/** Checks every request that is sent of generated sessions, under reasoning of each rule. */
export const always = (
  holds: (turned: Simulation.Turned, played: Simulation.Played, at: number) => boolean,
  {
    marks = Script.marks,
    runs = 30,
    script = (one: Script.Script): Script.Script => one
  }: {
    readonly marks?: FastCheck.Arbitrary<Marks>
    readonly runs?: number
    readonly script?: (one: Script.Script) => Script.Script
  } = {}
): void =>
  FastCheck.assert(
    FastCheck.property(Script.script, marks, FastCheck.constantFrom(...RULES), (one, given, rule) => {
      const played = Simulation.play(Implementation.investing(rule), script(one), given)
      return played.requests.every((turned, at) => !Simulation.isSent(turned) || holds(turned, played, at))
    }),
    { numRuns: runs }
  )

/** The same session, with every call of it changed. */
export const asking =
  (change: (asked: Script.Asked, n: number) => Script.Asked) =>
  (script: Script.Script): Script.Script => ({
    ...script,
    turns: script.turns.map((turn) => ({ ...turn, asked: turn.asked.map(change) }))
  })

/** The same session, with every turn of it changed. */
export const turning =
  (change: (turn: Script.Turn) => Script.Turn) =>
  (script: Script.Script): Script.Script => ({ ...script, turns: script.turns.map(change) })

export const isPaired = ({ view }: Simulation.Turned): boolean => Pairing.faultsOf(view).length === 0

export const entries = (messages: ReadonlyArray<Message>): ReadonlyArray<Entry> =>
  messages.flatMap(({ items }) => items.filter((item): item is Entry => item._tag === "Entry"))

/** Everything that left with its turn. */
export const hidden = ({ messages }: Transcript): Transcript["messages"][number]["hidden"] =>
  messages.flatMap((message) => message.hidden)

export const callOf = ({ part }: Entry["entered"]): string | undefined =>
  part._tag === "Call" || part._tag === "Result" ? part.call : undefined

/** Whether a decision names an entry. */
export const isNamed = ({ decided }: Simulation.Turned, seq: Seq): boolean =>
  (decided?.changes ?? []).some(({ entries: [from, to] }) => seq >= from && seq <= to)

/** Freezes a value with all that it holds, so that whoever writes to it fails. */
export const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value) && !ArrayBuffer.isView(value)) {
    Object.freeze(value)
    for (const one of Object.values(value)) frozen(one)
  }
  return value
}
