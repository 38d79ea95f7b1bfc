import * as Either from "effect/Either"
import { ownText } from "@palimpsest/ledger/Body"
import { Seq, Step } from "@palimpsest/ledger/Ids"
import * as Ledger from "@palimpsest/ledger/Ledger"
import { pure as hash } from "@palimpsest/ledger/Sha256"

const texts = ["export const answer = 42\n", "answer is exported from a.ts\n"]
const bodies = texts.map((text) => ownText(hash, text).body)

const read = {
  kind: "read",
  target: "a.ts",
  subject: "file:a.ts",
  covers: { _tag: "All" },
  classifier: "host"
} as const
const note = { kind: "message", covers: { _tag: "All" }, classifier: "host" } as const

export const ledger = [read, note].reduce((before, observation, i) => {
  const entry = { seq: Seq.make(i + 1), step: Step.make(i), scalars: bodies[i]!.size.scalars, observation }
  return Either.getOrThrow(Ledger.append(before, entry))
}, Ledger.empty())

export const log = Ledger.fullText(ledger, (position) => texts[position]!)
