import { describe, expect, it } from "vitest"
import type { Body } from "@palimpsest/ledger/Body"
import type { Seq, Step } from "@palimpsest/ledger/Ids"
import type { Part } from "@palimpsest/ledger/Part"
import { NO_RESULT } from "../../src/Mark.ts"
import { Pairing, Rendered, Words } from "../../src/testing.ts"
import * as Transcript from "../../src/Transcript.ts"

type Line = readonly [message: string, what: "user" | "call" | "result" | "pending" | "close", name: string]

/** A view of lines as a client writes them; `close` answers every call that still waits, as a request does. */
const viewOf = (shape: Transcript.Shape, lines: ReadonlyArray<Line>) => {
  const texts = new Map<Seq, ReadonlyArray<string>>()
  let view = Transcript.empty(shape)
  lines.forEach(([message, what, name], i) => {
    const seq = (i + 1) as Seq
    if (what === "close") {
      const changes = view.open.map((call) => ({
        entries: [call.seq, call.seq] as const,
        form: { _tag: "Closed", put: NO_RESULT } as const
      }))
      view = Transcript.evolve(view, [{ _tag: "Decided", decided: { _tag: "Decided", step: STEP, changes } }])
      return
    }
    texts.set(seq, [name])
    const body = Words.bodyOf(name, seq)
    const role = what === "user" ? "user" : what === "call" ? "assistant" : shape === "anthropic" ? "user" : "tool"
    const entered = {
      _tag: "Entered",
      step: STEP,
      message,
      role,
      part: partOf(what, name, body),
      origin: MADE
    } as const
    view = Transcript.evolve(view, [{ _tag: "Entered", seq, entered }])
  })
  const shown = view.messages.map(
    ({ items, role }) => `${role}: ${items.map((item) => Rendered.textOfItem(texts, item)).join(", ")}`
  )
  return { faults: Pairing.faultsOf(view), shown, open: view.open.length }
}

const partOf = (what: "user" | "call" | "result" | "pending", name: string, body: Body): Part => {
  const call = name.replace(/\W.*/, "")
  if (what === "user") return { _tag: "Text", body }
  if (what === "call") return { _tag: "Call", call, name: "Read", args: body }
  return { _tag: "Result", call, status: what === "pending" ? "pending" : "ok", blocks: [body] }
}

const STEP = 1 as Step
const MADE = { _tag: "Made" } as const

/** What each shape shows of the same lines. */
const cases: ReadonlyArray<{
  readonly name: string
  readonly lines: ReadonlyArray<Line>
  readonly anthropic: ReadonlyArray<string>
  readonly chat: ReadonlyArray<string>
}> = [
  {
    name: "results of a parallel batch, in the order of the calls, before what the user said",
    lines: [
      ["u1", "user", "task"],
      ["a1", "call", "a"],
      ["a1", "call", "b"],
      ["a1", "call", "c"],
      ["u2", "user", "by the way"],
      ["r1", "result", "c!"],
      ["r2", "result", "a!"],
      ["r3", "result", "b!"]
    ],
    anthropic: ["user: task", "assistant: a, b, c", "user: a!, b!, c!, by the way"],
    chat: ["user: task", "assistant: a, b, c", "tool: a!", "tool: b!", "tool: c!", "user: by the way"]
  },
  {
    name: "results between the lines of their message",
    lines: [
      ["u1", "user", "task"],
      ["a1", "call", "a"],
      ["r1", "result", "a!"],
      ["a1", "call", "b"],
      ["r2", "result", "b!"]
    ],
    anthropic: ["user: task", "assistant: a, b", "user: a!, b!"],
    chat: ["user: task", "assistant: a, b", "tool: a!", "tool: b!"]
  },
  {
    name: "a call without a result is closed in its place, and a late result replaces the words",
    lines: [
      ["u1", "user", "task"],
      ["a1", "call", "a"],
      ["a1", "call", "b"],
      ["r2", "result", "b!"],
      ["", "close", ""],
      ["a2", "call", "c"],
      ["r3", "result", "c!"],
      ["r1", "result", "a!"]
    ],
    anthropic: ["user: task", "assistant: a, b", "user: a!, b!", "assistant: c", "user: c!"],
    chat: ["user: task", "assistant: a, b", "tool: a!", "tool: b!", "assistant: c", "tool: c!"]
  },
  {
    name: "a pending result answers, until the result comes",
    lines: [
      ["u1", "user", "task"],
      ["a1", "call", "a"],
      ["r1", "pending", "a?"],
      ["", "close", ""],
      ["r2", "result", "a!"]
    ],
    anthropic: ["user: task", "assistant: a", "user: a!"],
    chat: ["user: task", "assistant: a", "tool: a!"]
  },
  {
    name: "a result without a call is not sent",
    lines: [
      ["u1", "user", "task"],
      ["r1", "result", "nobody!"],
      ["a1", "call", "a"],
      ["r2", "result", "a!"],
      ["r3", "result", "nobody!"]
    ],
    anthropic: ["user: task", "assistant: a", "user: a!"],
    chat: ["user: task", "assistant: a", "tool: a!"]
  },
  {
    name: "a call that is never answered is closed in its place",
    lines: [
      ["u1", "user", "task"],
      ["a1", "call", "a"],
      ["a1", "call", "b"],
      ["r2", "result", "b!"],
      ["u2", "user", "go on"],
      ["", "close", ""]
    ],
    anthropic: ["user: task", "assistant: a, b", `user: ${NO_RESULT.join("")}, b!, go on`],
    chat: ["user: task", "assistant: a, b", `tool: ${NO_RESULT.join("")}`, "tool: b!", "user: go on"]
  }
]

describe("law 8", () => {
  for (const { anthropic, chat, lines, name } of cases) {
    it(`${name}`, () => {
      expect(viewOf("anthropic", lines)).toEqual({ faults: [], shown: anthropic, open: 0 })
      expect(viewOf("openai-chat", lines)).toEqual({ faults: [], shown: chat, open: 0 })
    })
  }

  it("the validator finds an open call, an orphan and a wrong order", () => {
    const open = viewOf("anthropic", [
      ["u1", "user", "task"],
      ["a1", "call", "a"]
    ])
    expect(open).toMatchObject({ faults: ["calls a are answered by "], open: 1 })
    const view = Transcript.empty("anthropic")
    const item = { _tag: "Closed", seq: 1 as Seq, call: "a", put: NO_RESULT } as const
    const message = { key: "k", role: "user", items: [item], hidden: [], tokens: 0, scalars: 0 } as const
    expect(Pairing.faultsOf({ ...view, messages: [message] })).toHaveLength(1)
  })
})
