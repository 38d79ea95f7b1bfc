/** Faults that users of comparable systems report (`spec/field-reports.md` §2.3 and §2.4), as far as this preset can meet them. */
import { expect, it } from "vitest"
import { bodyOf, type Message } from "../../src/harn/Message.ts"
import { SummarizerFailed } from "../../src/harn/Summarizer.ts"
import {
  assistant,
  bytes,
  copy,
  isNotDue,
  made,
  noise,
  refusal,
  resultBlock,
  scriptedRun,
  talk,
  tool,
  user
} from "./support.ts"

const llm = { token_threshold: 1, keep_last: 2, compact_strategy: "llm" }

it("B31 a prompt above the summariser's window is a typed refusal, and no call", () => {
  const ran = scriptedRun(
    talk(10, () => "w".repeat(400)),
    llm,
    ["words"],
    {},
    500
  )
  expect(refusal(ran).message).toMatch(/does not fit a window of 500/)
  expect(ran.asked).toEqual([])
})

it("B32 what does not fit the summariser is shed deterministically, where a fallback is set", () => {
  const keys = { ...llm, fallback_strategy: "observation_mask" }
  const done = made(
    scriptedRun(
      talk(10, () => "w".repeat(400)),
      keys,
      ["words"],
      {},
      500
    )
  )
  expect(done.strategy).toBe("observation_mask")
})

it("B33 an image is a placeholder in the summariser's input", () => {
  const image: Message = { role: "user", content: [{ type: "image", source: { data: "A".repeat(100_000) } }] }
  const ran = scriptedRun([image, ...talk(5)], llm, ["words"])
  expect(bytes(ran.asked[0]!.messages[0].content)).toBeLessThan(3_000)
})

it.each(["429 too many requests", "socket hang up"])(
  "B38 B44 B49 a summariser that throws (%s) changes nothing",
  (why) => {
    const messages = talk(10)
    const before = copy(messages)
    const error = refusal(scriptedRun(messages, llm, [new SummarizerFailed({ why })]))
    expect(error.message).toContain(why)
    expect(messages).toEqual(before)
  }
)

it("B39 an empty answer never replaces the history", () => {
  const done = made(scriptedRun(talk(6), llm, ["  "]))
  for (const i of [0, 1, 2, 3]) expect(done.summary).toContain(`message ${i}`)
})

it.each(["length", "tool_use", "refusal"] as const)("B39 B41 an answer that ended by %s is no summary", (ended) => {
  expect(refusal(scriptedRun(talk(6), llm, [{ text: "half a", ended }])).message).toContain(`ended by ${ended}`)
})

it("B41 no tools are passed to the summariser", () => {
  const { asked } = scriptedRun(talk(6), llm, ["words"])
  expect(JSON.stringify(asked[0])).not.toContain('"tools"')
})

it("B42 where only the previous summary is there, it is carried or nothing is done", () => {
  const prior = user("[auto-compacted 9 older messages via observation masking]\n[user] the task")
  expect(isNotDue(scriptedRun([prior, assistant("a")], { token_threshold: 1, keep_last: 2 }))).toBe(true)
  const done = made(scriptedRun([prior, assistant("a"), assistant("b")], { token_threshold: 1, keep_last: 2 }))
  expect(done.summary).toContain("[prior recap] [user] the task")
})

it("B52 the summariser sees the task and the error, however long the history is", () => {
  const messages = [
    user("THE TASK"),
    ...talk(40, () => "w".repeat(400)),
    tool(`x\n${noise(100)}\nerror: THE ERROR`),
    ...talk(4)
  ]
  const { asked } = scriptedRun(messages, llm, ["words"])
  for (const words of ["THE TASK", "THE ERROR"]) expect(asked[0]!.messages[0].content).toContain(words)
})

it("B56 a message that no rule knows is carried as it is", () => {
  const done = made(
    scriptedRun([{ role: "observer", content: "12: no header" }, ...talk(4)], { token_threshold: 1, keep_last: 2 })
  )
  expect(done.summary).toContain("[observer] 12: no header")
})

it("B58 a second compaction carries each kept message once", () => {
  const keys = { token_threshold: 0, keep_last: 4 }
  const first = made(scriptedRun(talk(12), keys)).messages
  const again = made(scriptedRun([...first, user("more"), assistant("words")], keys)).messages
  const all = again.map(bodyOf).join("\n")
  for (let i = 0; i < 12; i++) expect(all.match(new RegExp(`message ${i}(?!\\d)`, "g"))).toHaveLength(1)
})

it("B67 results in blocks are shortened like those in strings", () => {
  const messages = [...talk(4), resultBlock("a", noise(1_000)), user("u")]
  const done = made(
    scriptedRun([user("t"), ...messages], { token_threshold: 1, keep_last: 2, tool_output_max_chars: 1_000 })
  )
  expect(done.messages.every((message) => bytes(bodyOf(message)) < 1_200)).toBe(true)
})
