/** Needed use, in chats whose uses are known. */
import { describe, expect, it } from "vitest"
import * as Uses from "../../src/compare/Uses.ts"
import { read, result, runOf, says, user, words } from "./Chat.ts"

const T = words("tee", 400)
const U = words("you", 400)
const quote = T.slice(100, 160)

const usesOf = (...messages: ReadonlyArray<unknown>) => Uses.of(runOf(read(user("go"), ...messages)))

/** Entries: 0 the user, 1 text and 2 call, 3 the result, … */
const fetched = [says("look", { id: "a" }), result("a", T)]

describe("a quote of a result", () => {
  it("is a use when a request has passed since the result was new", () => {
    expect(usesOf(...fetched, says("hm"), says(`so ${quote}!`))).toEqual([
      { request: 3, sources: [{ entry: 3, kind: "result", block: 1, from: 100, to: 160 }] }
    ])
  })

  it("is none while the result is new", () => {
    expect(usesOf(...fetched, says(`so ${quote}!`))).toEqual([])
  })

  it("is none where the same stands in another result that is new", () => {
    const again = [says("more", { id: "b", args: { n: 1 } }), result("b", `${U}${T}`)]
    expect(usesOf(...fetched, ...again, says(`so ${quote}!`))).toEqual([])
    expect(usesOf(...fetched, ...again, says("hm"), says(`so ${quote}!`))).toMatchObject([
      { request: 4, sources: [{ entry: 3 }, { entry: 6 }] }
    ])
  })

  it("is none where the user said it before, and is one where the user says it after", () => {
    expect(usesOf(user(quote), ...fetched, says("hm"), says(quote))).toEqual([])
    expect(usesOf(...fetched, says("hm"), says(quote), user(quote), says("ok"))).toHaveLength(1)
  })

  it("counts in arguments, as the text that they hold, and once in an answer", () => {
    const lines = `${words("one", 30)}\n${words("two", 30)}`
    const known = [says("look", { id: "a" }), result("a", lines), says("hm")]
    const write = { id: "b", args: { deep: [{ content: lines }], same: lines } }
    expect(usesOf(...known, says("", write))).toMatchObject([{ request: 3, sources: [{ from: 0, to: 61 }] }])
  })

  it("of two passages is two uses", () => {
    expect(usesOf(...fetched, says("hm"), says(`${T.slice(0, 50)} and ${T.slice(200, 250)}`))).toHaveLength(2)
  })

  it("is none of a result that has no call, as no request holds that", () => {
    expect(usesOf(result("z", T), says("hm"), says("hm"), says(quote))).toEqual([])
  })
})

describe("the old text of an own edit", () => {
  const edit = says("", { id: "e", name: "edit", args: { path: "f", old_string: T.slice(80, 200), new_string: "x" } })

  it("is a source beside the result", () => {
    const uses = usesOf(...fetched, says("hm"), edit, result("e", "ok"), says("hm"), says(quote))
    expect(uses.at(-1)).toMatchObject({ request: 5, sources: [{ entry: 3, kind: "result" }, { kind: "edit" }] })
  })

  it("alone is none, as no result would be missed; nor is other text of an own message", () => {
    expect(usesOf(edit, result("e", "ok"), says("hm"), says(quote))).toEqual([])
    expect(usesOf(says(quote), says("hm"), says(quote))).toEqual([])
  })
})

describe("the same result, fetched again", () => {
  const again = (id: string, args: unknown = {}, text = T) => [says("again", { id, args }), result(id, text)]

  it("is a use by the answer that calls", () => {
    expect(usesOf(...again("a"), says("hm"), ...again("b"))).toMatchObject([{ request: 3, sources: [{ entry: 3 }] }])
  })

  it("is none while the first is new, by another call, or with other words", () => {
    expect(usesOf(...again("a"), ...again("b"))).toEqual([])
    expect(usesOf(...again("a"), says("hm"), ...again("b", { other: 1 }))).toEqual([])
    expect(usesOf(...again("a"), says("hm"), ...again("b", {}, U))).toEqual([])
    expect(usesOf(...again("a", {}, "ok"), says("hm"), ...again("b", {}, "ok"))).toEqual([])
  })

  it("is one by another call of the same subject, and none where it acknowledges a write", () => {
    const call = (name: string, id: string, args: unknown) => [says("", { id, name, args }), result(id, T)]
    const reads = [...call("read", "a", { path: "f" }), says("hm"), ...call("view_file", "b", { file_path: "./f" })]
    expect(usesOf(...reads)).toHaveLength(1)
    const writes = [...call("write", "a", { path: "f" }), says("hm"), ...call("write", "b", { path: "f" })]
    expect(usesOf(...writes)).toEqual([])
  })
})
