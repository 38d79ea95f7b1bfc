import * as Balanced from "@palimpsest/compaction/Balanced"
import * as Transcript from "@palimpsest/compaction/Transcript"
import { ownText } from "@palimpsest/ledger/Body"
import { Seq, Step } from "@palimpsest/ledger/Ids"
import { pure as hash } from "@palimpsest/ledger/Sha256"

const file = {
  kind: "read",
  target: "a.ts",
  subject: "file:a.ts",
  covers: { _tag: "All" },
  classifier: "host"
} as const
const body = (text: string) => ownText(hash, text).body
const of = { step: Step.make(1), origin: { _tag: "Made" } } as const

const entries = ["c1", "c2"].flatMap((call) => [
  { message: `a-${call}`, role: "assistant", part: { _tag: "Call", call, name: "Read", args: body("{}") } } as const,
  { message: `r-${call}`, role: "user", part: read(call), observation: file } as const
])
const happenings = entries.map((entry, i) => {
  return { _tag: "Entered", seq: Seq.make(i + 1), entered: { _tag: "Entered", ...of, ...entry } } as const
})
const view = Transcript.evolve(Transcript.empty("anthropic"), happenings)

export const plan = Balanced.plan(view, { line: 1_000, lowWater: 600, ceiling: undefined })

function read(call: string) {
  return { _tag: "Result", call, status: "ok", blocks: [body("export const answer = 42\n".repeat(100))] } as const
}
