/** Reported faults of encoding, images and counting (§2.5) that a view can meet. */
import * as FastCheck from "effect/FastCheck"
import { describe, it } from "vitest"
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import { Seq } from "@palimpsest/ledger/Ids"
import { bounded } from "../../src/Bound.ts"
import { folded } from "../../src/Arguments.ts"
import { stub } from "../../src/Mark.ts"
import { render } from "../../src/Splice.ts"
import { Rendered } from "../../src/testing.ts"
import { always, asking } from "./field.ts"

const seq = Seq.make(41)

const isCounted = (given: Parameters<typeof always>[1]): void =>
  always(({ view }, { texts }) => {
    const counted = view.messages.reduce((sum, message) => sum + Rendered.tokensOfMessage(texts, message), 0)
    return view.tokens === counted
  }, given)

describe("2.5 encoding, images, counting", () => {
  it("B68: no cut parts a character, wherever it falls: bounds, folded arguments and labels", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.nat({ max: 400 }), FastCheck.integer({ min: 300, max: 700 }), (before, cap) => {
        const text = `${"a".repeat(before)}${"🟡".repeat(2_000)}\n`
        const shown = (put: Parameters<typeof render>[0], of: string): string =>
          render(put, (range) => Rendered.textOfRange(new Map([[seq, [of]]]), range))
        const args = JSON.stringify({ [`k${"🟡".repeat(before % 7)}`]: text, b: text })
        const fold = folded(seq, args, 1)
        const observed = { kind: "read", target: text, covers: { _tag: "All" }, classifier: "test" } as const
        return [
          shown(bounded({ seq }, text, cap).put, text),
          fold === undefined ? "\ud800" : shown(fold.put, args),
          shown(stub({ seq }, observed, 9, { _tag: "Aged" }).put, "")
        ].every((one) => isWellFormed(one) && !one.includes("\ufffd"))
      }),
      { numRuns: 60 }
    )
  })

  it("B70, B72, B73: a picture counts by the picture, not by its base64, wherever it stands", () => {
    isCounted({ script: asking((asked, n) => ({ ...asked, picture: n % 2 === 0 })) })
  })

  it("B77: what is counted is what is sent: every request weighs what its text weighs, marks and all", () => {
    isCounted({ runs: 40 })
  })

  it("B74: wide text weighs what its characters weigh, before and after a cut", () => {
    isCounted({ script: asking((asked) => ({ ...asked, blocks: [{ alphabet: "wide", scalars: 9_000 }] })) })
  })
})
