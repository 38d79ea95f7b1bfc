import type { Draft } from "@palimpsest/ledger/Event"
import type { Append, Expected } from "@palimpsest/ledger/EventStore"
import { LogId, TreeId } from "@palimpsest/ledger/Ids"

export const TREE = TreeId.make("race")
export const RUN = LogId.make("run")
export const ACCOUNT = LogId.make("account")

/** The ids of the events that writer `name` brings into the run with its append `i`: one to seven, unequal. */
export const idsOf = (name: string, i: number): readonly [string, ...ReadonlyArray<string>] => [
  `${name}/${i}/0`,
  ...Array.from({ length: (i * 5 + name.length) % 7 }, (_, k) => `${name}/${i}/${k + 1}`)
]

/** A step and its reservation: two logs, one append. */
export const appendOf = (name: string, i: number, expected: Expected): Append => {
  const [first, ...rest] = idsOf(name, i)
  return {
    id: `${name}/${i}`,
    tree: TREE,
    writes: [
      { log: ACCOUNT, expected: { _tag: "Next" }, drafts: [draft(`${name}/${i}`)] },
      { log: RUN, expected, drafts: [draft(first), ...rest.map(draft)] }
    ]
  }
}

const draft = (id: string): Draft => ({
  id,
  at: "",
  kind: "Entered",
  version: 1,
  payload: `{"text":"${"x".repeat(200)}"}`
})
