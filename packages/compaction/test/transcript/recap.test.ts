import { describe, expect, it } from "vitest"
import type { Change } from "../../src/Decision.ts"
import * as Recap from "../../src/Recap.ts"
import { seen, Talk, text } from "./talk.ts"

const leaving = (from: number, to: number): Change => ({
  entries: [from as Change["entries"][0], to as Change["entries"][1]],
  form: {
    _tag: "Collapse",
    why: { _tag: "Aged" },
    rest: { seq: from as Change["entries"][0] },
    put: [`[@${from}-@${to} left out]`]
  }
})

/** A talk in which one failure is mended later and another is not. */
const talk = () => {
  const one = new Talk()
  one.say("Keep the public API.")
  one.ask(seen("write", "src/a.ts"), text(4_000))
  one.ask(seen("error", "npm test"), `ok 1\nsrc/a.ts(3,1): error TS2322: no\n${text(900)}`, "error")
  one.ask(seen("write", "src/[b].ts"), text(4_000))
  one.answer("done")
  return one
}

const texts = ({ texts }: Talk): Recap.Texts => new Map([...texts].map(([seq, blocks]) => [seq, blocks.join("")]))

describe("the deterministic recap", () => {
  it("names what was changed and what still fails, with their entries, and quotes the telling lines behind a lead", () => {
    const one = talk()
    one.decide(Recap.recapped(one.view, [leaving(2, 7)], "ceiling", texts(one), 4_000), "ceiling")
    expect(one.shown()).toEqual([
      "Keep the public API.",
      [
        "[@2-@7 left out]",
        "changed: src/a.ts @3, src/(b).ts @7",
        "still failing: @5 npm test",
        "> src/a.ts(3,1): error TS2322: no"
      ].join("\n"),
      "done"
    ])
  })

  it("says nothing where there is no room, for another cause, or where nothing was changed and nothing fails", () => {
    const one = talk()
    const plain = [leaving(2, 7)]
    expect(Recap.recapped(one.view, plain, "ceiling", texts(one), 20)).toEqual(plain)
    expect(Recap.recapped(one.view, plain, "schedule", texts(one), 4_000)).toEqual(plain)
    const quiet = new Talk()
    quiet.say("Look.")
    quiet.ask(seen("read", "src/a.ts"), text(4_000))
    quiet.answer()
    expect(Recap.recapped(quiet.view, [leaving(2, 3)], "ceiling", texts(quiet), 4_000)).toEqual([leaving(2, 3)])
  })

  it("is made anew from the entries where a later rewrite takes it up, and never from its own words", () => {
    const one = talk()
    one.decide(Recap.recapped(one.view, [leaving(2, 7)], "ceiling", texts(one), 4_000), "ceiling")
    one.decide(Recap.recapped(one.view, [leaving(2, 7)], "schedule", texts(one), 4_000), "schedule")
    expect(one.shown().join("\n").split("changed: ").length).toBe(2)
    expect(one.shown().join("\n").split("still failing: ").length).toBe(2)
  })

  it("a call that came to a good end later, with the same arguments, does not fail any more", () => {
    const one = new Talk()
    one.say("Fix it.")
    const args = (call: string, status: "ok" | "error") =>
      one.ask(seen("error", "npm test"), `${call}: error: ${text(4_000)}`, status)
    args("first", "error")
    const failing = Recap.wanted(one.view, [leaving(2, 3)], "ceiling").map(({ seq }) => seq)
    expect(failing).toEqual([3])
    const same = one.view.messages.flatMap(({ items }) => items).find(({ seq }) => seq === 2)
    if (same?._tag !== "Entry" || same.entered.part._tag !== "Call") throw new Error("@2 is a call")
    const again = { ...same.entered, message: "again", part: { ...same.entered.part, call: "again" } }
    one.happen({ _tag: "Entered", seq: 4 as typeof same.seq, entered: again })
    one.result("again", seen("read", "npm test"), text(400))
    expect(Recap.wanted(one.view, [leaving(2, 5)], "ceiling")).toEqual([])
  })
})
