/** Reported faults of pairing (§2.1): each kind is impossible, whatever the session, the rule of reasoning and the marks. */
import * as FastCheck from "effect/FastCheck"
import { describe, it } from "vitest"
import { Rendered } from "../../src/testing.ts"
import { always, asking, callOf, type Entry, entries, hidden, isNamed, isPaired, turning } from "./field.ts"

/** A ceiling that sweeps from the infeasible upwards. */
const anyCeiling = FastCheck.integer({ min: 1, max: 6_000 }).map((ceiling) => ({
  line: 6_001,
  lowWater: 3_000,
  ceiling
}))

/** As it came; cut at its entry; or as the client itself blanked it. */
const KEPT: ReadonlySet<string> = new Set(["Whole", "Bounded", "Framed"])

describe("2.1 pairing", () => {
  it("B01: a cut never falls between a call and its result", () => {
    always((turned) => {
      if (!isPaired(turned)) return false
      const gone = hidden(turned.view)
      const calls = new Set(gone.flatMap(({ entered }) => (entered.part._tag === "Call" ? [entered.part.call] : [])))
      return gone.every(({ entered }) => entered.part._tag !== "Result" || calls.has(entered.part.call))
    })
  })

  it("B02: a parallel batch leaves whole or not at all, by the ids of its entries", () => {
    always(
      ({ view }) => {
        const isCall = ({ entered: { part } }: Pick<Entry, "entered">): boolean => part._tag === "Call"
        const gone = new Set(
          hidden(view)
            .filter(isCall)
            .map(({ entered }) => entered.message)
        )
        return entries(view.messages).every((item) => !isCall(item) || !gone.has(item.entered.message))
      },
      { script: turning((turn) => ({ ...turn, asked: [...turn.asked, ...turn.asked], split: false })) }
    )
  })

  it("B03: of a run of calls and their results no result stays without its call", () => {
    always(
      ({ view }) => {
        const gone = new Set(hidden(view).flatMap(({ entered }) => callOf(entered) ?? []))
        return entries(view.messages).every(({ entered }) => !gone.has(callOf(entered) ?? ""))
      },
      { script: turning((turn) => ({ ...turn, asked: [...turn.asked, ...turn.asked].slice(0, 6) })) }
    )
  })

  it("B05: results that came out of order leave with their calls", () => {
    always(isPaired, {
      script: turning((turn) => ({ ...turn, asked: [...turn.asked, ...turn.asked], reversed: true }))
    })
  })

  it("B06: what is kept never begins with a result", () => {
    always((turned) => {
      const seen = new Set<string>()
      return entries(turned.view.messages).every(({ entered: { part } }) => {
        if (part._tag === "Call") seen.add(part.call)
        return part._tag !== "Result" || seen.has(part.call)
      })
    })
  })

  it("B07: every budget is pair-closed, or refused", () => {
    always(isPaired, { marks: anyCeiling, runs: 60 })
  })

  it("B08: whatever the budget, the system prompt stands first and as it was", () => {
    always(
      ({ view }, { texts }) => {
        const [first] = entries(view.messages)
        return (
          first?.entered.role === "system" &&
          first.form._tag === "Whole" &&
          Rendered.textOfItem(texts, first) === texts.get(first.seq)?.join("")
        )
      },
      {
        marks: anyCeiling,
        script: turning((turn) => (turn.client === "restart" ? { ...turn, client: "nothing" } : turn))
      }
    )
  })

  it("B10: what is decided while a batch is completing leaves the results that come later where to attach", () => {
    always(isPaired, { script: asking((asked, n) => (n % 2 === 0 ? { ...asked, comes: "late" } : asked)) })
  })

  it("B11: a pending call is pinned", () => {
    always(
      ({ view }) => {
        const answered = new Set(
          [...entries(view.messages), ...hidden(view)].flatMap(({ entered: { part } }) =>
            part._tag === "Result" && part.status !== "pending" ? [part.call] : []
          )
        )
        return hidden(view).every(({ entered: { part } }) => part._tag !== "Call" || answered.has(part.call))
      },
      { script: asking((asked, n) => ({ ...asked, comes: n % 2 === 0 ? "late" : "never" })) }
    )
  })

  it("B12: an intermediate answer is not final: it stays until the final one takes its place", () => {
    always(
      (turned) =>
        isPaired(turned) &&
        hidden(turned.view).every(({ entered: { part } }) => part._tag !== "Result" || part.status !== "pending") &&
        entries(turned.view.messages).every(
          ({ entered: { part }, form }) => part._tag !== "Result" || part.status !== "pending" || KEPT.has(form._tag)
        ),
      { script: asking((asked) => ({ ...asked, comes: "pending" })) }
    )
  })

  it("B14: a call that waits for leave keeps its answer, whatever leaves around it", () => {
    always(isPaired, {
      script: turning((turn) => ({
        ...turn,
        asked: turn.asked.map((asked, n) => (n === 0 ? { ...asked, comes: "pending" as const } : asked))
      }))
    })
  })

  it("B15: after the client took its history back to a branch, calls and results stay together", () => {
    always(isPaired, { script: turning((turn) => ({ ...turn, client: "restart" })) })
  })

  it("B17: what a decision does not name is the same item as before it", () => {
    always((turned) => {
      const after = new Map(entries(turned.view.messages).map((item) => [item.seq, item]))
      return entries(turned.admitted.messages).every(
        (item) => isNamed(turned, item.seq) || after.get(item.seq) === item
      )
    })
  })

  it("B18: a call that nothing answered is closed in the request, and again in none other", () => {
    always(
      (turned) => {
        const closed = turned.view.messages.flatMap(({ items }) =>
          items.flatMap((item) => (item._tag === "Closed" ? [item.call] : []))
        )
        return isPaired(turned) && new Set(closed).size === closed.length
      },
      { script: asking((asked) => ({ ...asked, comes: "never" })) }
    )
  })
})
