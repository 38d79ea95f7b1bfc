/** Generators of the facts that the other packages own, every optional key present and absent. */
import * as FastCheck from "effect/FastCheck"
import type { Usage } from "@palimpsest/budget/Usage"
import * as Measure from "@palimpsest/budget/Measure"
import type { Command } from "@palimpsest/compaction/Command"
import { Cause } from "@palimpsest/compaction/Decision"
import type { Form, Why } from "@palimpsest/compaction/Form"
import type { Splice } from "@palimpsest/compaction/Splice"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import { Arbitraries, FactArbitraries } from "@palimpsest/ledger/testing"
import type { Fact } from "../../src/Fact.ts"

const small = FastCheck.integer({ min: 1, max: 99 })
const seq = small.map((n) => n as Seq)
const step = FastCheck.nat({ max: 9 }).map((n) => n as Step)
const { digest } = FactArbitraries

const splice: FastCheck.Arbitrary<Splice> = FastCheck.array(
  FastCheck.oneof(
    Arbitraries.wellFormed,
    FastCheck.tuple(Arbitraries.address, small, small).map(([of, from, more]) => ({
      of,
      bytes: [from, from + more] as const,
      scalars: more
    }))
  ),
  { maxLength: 3 }
)

const why: FastCheck.Arbitrary<Why> = FastCheck.tuple(seq, FastCheck.nat({ max: 3 })).map(([by, n]): Why => {
  if (n === 0) return { _tag: "Superseded", by }
  if (n === 1) return { _tag: "Invalidated", by }
  return n === 2 ? { _tag: "Aged" } : { _tag: "Refused", invalidatedBy: by }
})

const form: FastCheck.Arbitrary<Form> = FastCheck.tuple(
  splice,
  Arbitraries.address,
  why,
  seq,
  FastCheck.nat({ max: 5 })
).map(([put, rest, because, by, n]): Form => {
  switch (n) {
    case 0:
      return { _tag: "Whole" }
    case 1:
      return { _tag: "Framed", put }
    case 2:
      return { _tag: "Bounded", keep: "both", cap: by, rest, put }
    case 3:
      return { _tag: "Stub", why: because, rest, put }
    case 4:
      return { _tag: "Refreshed", by, rest, put }
    default:
      return { _tag: "Closed", put }
  }
})

const measure = FastCheck.oneof(
  FastCheck.nat({ max: 9_999 }).map(Measure.measured),
  FastCheck.constant(Measure.unmeasured("not told"))
)
const usage: FastCheck.Arbitrary<Usage> = FastCheck.record({
  uncached: measure,
  cacheRead: measure,
  cacheWrite: measure,
  output: measure,
  reasoning: measure
})

const decided = FastCheck.tuple(step, seq, form, FastCheck.constantFrom(undefined, ...Cause.literals)).map(
  ([at, entry, to, epoch]): Fact => ({
    _tag: "Decided",
    step: at,
    ...(epoch === undefined ? {} : { epoch }),
    changes: [{ entries: [entry, entry], form: to }]
  })
)

const requested = FastCheck.tuple(
  step,
  small,
  FastCheck.array(digest, { maxLength: 3 }),
  digest,
  FastCheck.boolean()
).map(([at, n, added, chain, isBound]): Fact => ({
  _tag: "Requested",
  step: at,
  request: n,
  through: n,
  as: isBound ? "section" : "openai-chat",
  ...(isBound ? { ceiling: n } : {}),
  scalars: n,
  estimate: n,
  from: n,
  added,
  chain
}))

const gated = FastCheck.tuple(step, small, Arbitraries.wellFormed, FastCheck.boolean()).map(
  ([at, of, target, isRuled]): Fact => ({
    _tag: "Gated",
    step: at,
    act: "read",
    target,
    ...(isRuled ? { of } : {}),
    purpose: "refresh",
    verdict: isRuled ? { ruling: "deny", rule: "*", layer: "house" } : { ruling: "ask" }
  })
)

const commanded = FastCheck.tuple(
  step,
  small,
  FastCheck.tuple(seq, small).map(([from, more]) => [from, (from + more) as Seq] as const),
  FastCheck.nat({ max: 10 })
).map(([at, n, entries, kind]): Fact => {
  const of = n as Seq
  const commands: ReadonlyArray<Command> = [
    { _tag: "Pin", entries },
    { _tag: "Unpin", entries },
    { _tag: "Off" },
    { _tag: "On" },
    { _tag: "Hold" },
    { _tag: "Release" },
    { _tag: "Ask", above: n },
    { _tag: "Unask" },
    { _tag: "Allow", of },
    { _tag: "Deny", of },
    { _tag: "Undo", epoch: n, entries: [entries] }
  ]
  return { _tag: "Commanded", step: at, command: commands[kind] ?? { _tag: "Off" } }
})

const proposed = FastCheck.tuple(step, small, FastCheck.integer({ min: -99, max: 99 })).map(([at, n, saves]): Fact => ({
  _tag: "Proposed",
  step: at,
  cause: "schedule",
  worth: { frees: n, rebills: n, saves }
}))

/** Any fact of a run's log. */
export const fact: FastCheck.Arbitrary<Fact> = FastCheck.oneof(
  FactArbitraries.fact,
  decided,
  requested,
  gated,
  commanded,
  proposed,
  FastCheck.tuple(step, small, small).map(([at, need, have]): Fact => ({
    _tag: "Refused",
    step: at,
    request: need,
    why: "ContextExhausted",
    need,
    have
  })),
  FastCheck.tuple(step, usage).map(([at, told]): Fact => ({ _tag: "Reported", step: at, request: at, usage: told }))
)
