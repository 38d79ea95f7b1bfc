/**
 * The calls seen so far, so that a result is observed by the name and arguments of its call.
 */
import type { Observation } from "@palimpsest/ledger/Observation"
import type { Part } from "@palimpsest/ledger/Part"
import * as Classify from "../Classify.ts"

export interface Calls {
  readonly saw: (call: string, seen: Seen) => void
  /** The observation that a part is: of a result by its call, of the model's own text, else none. */
  readonly observe: (role: string, part: Part) => Observation | undefined
}

export interface Seen {
  readonly name: string
  readonly args: unknown
  readonly where?: Classify.Where
}

export const make = (): Calls => {
  const calls = new Map<string, Seen>()
  return {
    saw: (call, seen) => void calls.set(call, seen),
    observe: (role, part) => {
      if (part._tag === "Text" && role === "assistant") return Classify.MESSAGE
      if (part._tag !== "Result") return undefined
      const seen = calls.get(part.call)
      return Classify.observe(seen?.name ?? "", seen?.args, part.status === "error", seen?.where)
    }
  }
}
