/** The rows of the checklist about the recap, with wrong engines that each test tells from ours. */
import { expect } from "vitest"
import { bodyOf } from "../../src/harn/Message.ts"
import { recap } from "../../src/harn/Recap.ts"
import { asBlocks, bytes, count, made, making, noise, row, talk, tool, user } from "./support.ts"

row(
  "HA-10 the newest prior recap is carried once, in 6,000 bytes of whole lines, and converges",
  (engine) => {
    const first = engine.recap(
      Array.from({ length: 40 }, (_, i) => user(`old ${i} ${"w".repeat(300)}`)),
      16_000
    ).text
    const second = engine.recap([user(first), user("new")])
    const lines = second.text.split("\n")
    expect(lines[1]).toMatch(/^\[prior recap\] \[user\] old 0 w+$/)
    expect(lines.at(-2)).toMatch(/^\[user\] old \d+ w+$/)
    expect(bytes(second.text)).toBeLessThan(6_300)
    expect(second.fates).toEqual(["recapped", "whole"])
    let text = second.text
    for (let i = 0; i < 5; i++) {
      text = engine.recap([user(text), user(`turn ${i}`)]).text
      expect([count(text, "[prior recap]"), count(text, "via observation masking]")]).toEqual([1, 1])
    }
    expect(bytes(text)).toBeLessThan(6_300)
    const two = engine.recap([user(first), user(second.text), user("x")])
    expect(two.fates).toEqual(["dropped", "recapped", "whole"])
  },
  {
    "carries it whole": {
      recap: (messages, budget) => {
        const done = recap(messages, budget)
        return { ...done, text: [done.text, ...messages.map(bodyOf)].join("\n") }
      }
    },
    "forgets it": {
      recap: (messages, budget) =>
        recap(
          messages.filter((m) => !bodyOf(m).startsWith("[auto")),
          budget
        )
    }
  }
)

row(
  "HA-11 newest first within the budget; what does not fit is skipped, counted, and no stop",
  (engine) => {
    const messages = [user("old and small"), user(`big ${"b".repeat(400)}`), user("newest")]
    const header = "[auto-compacted 3 older messages via observation masking]"
    const room = bytes(header) + bytes("[user] old and small") + 1 + bytes("[user] newest") + 1
    const { text, fates, metrics } = engine.recap(messages, room)
    expect(text).toBe(
      `${header}\n[user] old and small\n[user] newest\n[1 older message(s) dropped to fit recap budget]`
    )
    expect(fates).toEqual(["whole", "dropped", "whole"])
    expect(metrics).toMatchObject({ droppedCount: 1, budgetBytes: room, recapBytes: bytes(text) })
    expect(engine.recap(messages, room - 1).fates).toEqual(["dropped", "dropped", "whole"])
  },
  {
    "oldest first": {
      recap: (messages, budget) => {
        const done = recap([...messages].reverse(), budget)
        return { ...done, fates: [...done.fates].reverse() }
      }
    },
    "a byte too many": { recap: (messages, budget) => recap(messages, (budget ?? 0) + 1) }
  }
)

row(
  "HA-12 lines in a row that read the same collapse; a line that looks like a count is a line (HA-W5 mended)",
  (engine) => {
    const shown = (...texts: ReadonlyArray<string>) => engine.recap(texts.map(user)).text.split("\n").slice(1)
    expect(shown("a", "a", "b", "a")).toEqual(["[user] a (x2)", "[user] b", "[user] a"])
    expect(shown("call (xyz)", "call")).toEqual(["[user] call (xyz)", "[user] call"])
    expect(shown("a (x2)", "a", "a")).toEqual(["[user] a (x2)", "[user] a (x2)"])
  },
  {
    "the seed's reading of counts": {
      recap: (messages, budget) =>
        recap(
          messages.map((m) => user(bodyOf(m).replace(/ \(x.*\)$/, ""))),
          budget
        )
    }
  }
)

row(
  "HA-13 the newest three pins are verbatim, outside the budget, by text as in the seed (HA-W6 kept)",
  (engine) => {
    const pin = (n: number) => tool(`[no-compact] ${n}\n${noise(50)}`)
    const { text, fates } = engine.recap([pin(1), pin(2), pin(3), pin(4), user("x")], 200)
    expect(fates).toEqual(["masked", "pinned", "pinned", "pinned", "whole"])
    for (const n of [2, 3, 4]) expect(text).toContain(`[tool] ${bodyOf(pin(n))}`)
    expect(engine.clamp([pin(1), pin(2), pin(3), pin(4)], 300).changes.map(({ at }) => at)).toEqual([0])
    expect(engine.recap([asBlocks(pin(1))], 10).fates).toEqual(["pinned"])
  },
  {
    "no pins": {
      recap: (messages, budget) =>
        recap(
          messages.map((m) => ({ ...m, content: bodyOf(m).replace("[no-compact]", "") })),
          budget
        )
    },
    "every pin": { clamp: (messages) => ({ messages, changes: [] }) }
  }
)

row(
  "HA-14 metrics are of the mask alone",
  (engine) => {
    const messages = [...talk(9, (i) => `n ${i}`), tool("kept result"), user("end")]
    const keys = { token_threshold: 1, keep_last: 1 }
    const done = made(engine.run(messages, keys))
    expect(done.recapMetrics).toEqual({
      recapBytes: bytes(done.summary),
      budgetBytes: 16_000,
      keptResultsCount: 6,
      droppedCount: 0,
      carriedPriorRecap: false
    })
    for (const name of ["truncate", "llm"])
      expect(made(engine.run(messages, { ...keys, compact_strategy: name }, ["x"]))).not.toHaveProperty("recapMetrics")
  },
  {
    "counts calls as results": making((done) => ({
      ...done,
      recapMetrics: { ...done.recapMetrics!, keptResultsCount: 10 }
    }))
  }
)
