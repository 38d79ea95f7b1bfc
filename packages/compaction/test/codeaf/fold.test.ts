/** CA-17 to CA-20: the assistant's own words. */
import { expect } from "vitest"
import * as Fold from "../../src/codeaf/Fold.ts"
import type { Message } from "../../src/codeaf/Message.ts"
import { nowhere } from "../../src/codeaf/Spill.ts"
import { folded } from "../../src/codeaf/Stubs.ts"
import { ours } from "./engine.ts"
import { BUDGET, callOf, Disk, isPrefix, Leaf, says, tool, wire } from "./leaf.ts"
import { suite, type Claims } from "./suite.ts"

const talk = (leaf: Leaf, turns: number, size: number): void => {
  for (let n = 0; n < turns; n++) leaf.append(says("R".repeat(size), callOf(`f${n}`)), tool(`f${n}`, "ok"))
}

const keys = (rewrites: ReadonlyArray<{ readonly key: string }>) => rewrites.map(({ key }) => key)

const claims: Claims = {
  "CA-17 fold sees what decay left, and does nothing where that is within the budget": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    talk(leaf, 6, 2_000)
    leaf.append(tool("big", "x".repeat(20_000)), says("read"))
    leaf.actedPast(leaf.messages.length)
    expect(leaf.live("tool", "assistant")).toBeGreaterThan(14_000)
    expect(keys(leaf.decay(14_000))).toEqual(["big"])
    const { messages } = leaf
    expect(leaf.fold(14_000)).toEqual([])
    expect(leaf.messages).toBe(messages)
  },

  "CA-17 results and text are counted together, against the same two budgets (CA-W14)": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    leaf.append(...Array.from({ length: 8 }, () => says("R".repeat(1_000))), tool("t", "x".repeat(4_000)))
    expect(leaf.decay(11_000)).toEqual([])
    expect(leaf.fold(12_000)).toEqual([])
    expect(keys(leaf.fold(11_000))).toEqual(["assistant#0", "assistant#1", "assistant#2", "assistant#3", "assistant#4"])
  },

  "CA-18 the newest three are untouchable, at the safety limit too": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    talk(leaf, 5, 4_000)
    leaf.actedPast(leaf.messages.length)
    expect(keys(leaf.fold(100))).toEqual(["assistant#0", "assistant#2"])
    expect(leaf.live("assistant")).toBeGreaterThan(12_000)
    expect(Fold.KEEP_ASSISTANT_TURNS).toBe(3)
    const few = new Leaf(engine, new Disk().spill)
    talk(few, 3, 4_000)
    expect(few.fold(100)).toEqual([])
  },

  "CA-19 TestWorkingSetKeepsUnconsumedAssistantReasoning": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    for (let n = 0; n < 6; n++) leaf.append(says(`turn ${n}: ${"R".repeat(8 << 10)}`))
    const { messages } = leaf
    expect(leaf.fold(BUDGET, BUDGET * 4)).toEqual([])
    expect(leaf.messages).toBe(messages)
    // There the newest three alone pass the mark; here folding the others would reach it.
    const small = new Leaf(engine, new Disk().spill)
    for (let n = 0; n < 10; n++) small.append(says("R".repeat(4_000)))
    expect(small.fold(30_000, 120_000)).toEqual([])
  },

  "CA-19 a soft pass folds what was consumed, only if that reaches the mark, and nothing younger": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    for (let n = 0; n < 8; n++) leaf.append(says("R".repeat(4_000)))
    leaf.actedPast(2)
    expect(leaf.fold(30_000, 60_000)).toEqual([])
    leaf.actedPast(4)
    // 32,000 bytes, a mark of 22,500: three of the four that are consumed.
    expect(keys(leaf.fold(30_000, 60_000))).toEqual(["assistant#0", "assistant#1", "assistant#2"])
  },

  "CA-19 above the safety limit, text that is not consumed folds too": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    for (let n = 0; n < 8; n++) leaf.append(says("R".repeat(4_000)))
    expect(keys(leaf.fold(20_000, 31_999))).toEqual(["assistant#0", "assistant#1", "assistant#2"])
  },

  "CA-20 the words, in the first person, exactly": () => {
    expect(folded(7, 8_201, ".obs/7-decay-assistant1.txt").text).toBe(
      "[my turn 7 — 8201 bytes of my own earlier reasoning, folded; the full text is in .obs/7-decay-assistant1.txt — read it with sh if it matters]"
    )
    expect(folded(7, 8_201).text).toBe("[my turn 7 — 8201 bytes of my own earlier reasoning, folded]")
  },

  "CA-20 no address, no fold": (engine) => {
    const disk = new Disk()
    disk.broken = true
    for (const spill of [nowhere, disk.spill]) {
      const leaf = new Leaf(engine, spill)
      talk(leaf, 8, 4_000)
      leaf.actedPast(leaf.messages.length)
      const { messages } = leaf
      expect(leaf.fold(1_000)).toEqual([])
      expect(leaf.messages).toBe(messages)
    }
    expect(disk.writes).toBeGreaterThan(0)
  },

  "CA-20 the text is kept whole, its ordinal is that among assistant messages, and calls travel untouched": (
    engine
  ) => {
    const disk = new Disk("7")
    const leaf = new Leaf(engine, disk.spill)
    leaf.append({ role: "user", text: "go", bytes: 2 })
    talk(leaf, 6, 4_000)
    const before = leaf.messages
    expect(keys(leaf.fold(16_000))).toEqual(["assistant#1", "assistant#3", "assistant#5"])
    expect(leaf.text(3)).toContain("[my turn 2 — 4000 bytes of my own")
    expect(disk.files.get(".obs/7-decay-assistant3.txt")).toBe("R".repeat(4_000))
    const rest = (messages: ReadonlyArray<Message>) =>
      messages.map(({ answers, calls, role }) => [role, calls, answers])
    expect(rest(leaf.messages)).toEqual(rest(before))
    const { messages } = leaf
    expect(leaf.fold(16_000)).toEqual([])
    expect(leaf.messages).toBe(messages)
  },

  "CA-20 empty text and text shorter than the words for it stay": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    for (const text of ["", "short", "x".repeat(60), "x".repeat(100), "x".repeat(150)]) leaf.append(says(text))
    for (let n = 0; n < 3; n++) leaf.append(says("R".repeat(4_000)))
    expect(keys(leaf.fold(1_000))).toEqual(["assistant#4"])
  },

  "CA-17 CA-29 TestFoldKeepsThePrefixStableExceptAtBudgetForcedRewrites": (engine) => {
    const budget = 16 << 10
    const leaf = new Leaf(engine, new Disk("7").spill)
    leaf.append({ role: "user", text: "do the work", bytes: 11 })
    let folds = 0
    let before = wire(leaf.messages)
    for (let turn = 0; turn < 9; turn++) {
      const id = `f${leaf.messages.length}`
      leaf.append(says(`turn ${id}: ${"r".repeat(8 << 10)}`, callOf(id)), tool(id, "o".repeat(64)))
      leaf.observe(64)
      leaf.decay(budget)
      const wasOver = leaf.live("tool", "assistant") > budget
      const count = leaf.fold(budget).length
      const after = wire(leaf.messages)
      expect(count > 0 || isPrefix(before, after)).toBe(true)
      expect(count > 0 && !wasOver).toBe(false)
      folds += count
      before = after
    }
    expect(folds).toBeGreaterThan(0)
  }
}

suite("fold (CA-17 to CA-20)", claims, [
  {
    name: "folds though within the budget",
    by: "CA-17 fold sees what decay left",
    engine: {
      foldWithin: (decayer, messages, _working, _safety, spill) =>
        ours.foldWithin(decayer, messages, 1_000, 1_000, spill)
    }
  },
  {
    name: "keeps one only",
    by: "CA-18 the newest three",
    engine: {
      foldWithin: (decayer, messages, working, safety, spill) => {
        const two = messages.slice(0, 2).map((one) => ({ ...one, role: "assistant" as const, text: "", bytes: 0 }))
        const pass = ours.foldWithin(decayer, [...messages, ...two], working, safety, spill)
        return { ...pass, messages: pass.messages.slice(0, -2) }
      }
    }
  },
  {
    name: "what is old is consumed",
    by: "TestWorkingSetKeepsUnconsumedAssistantReasoning",
    engine: {
      foldWithin: (decayer, messages, ...budgets) =>
        ours.foldWithin({ ...decayer, consumedFrom: messages.length }, messages, ...budgets)
    }
  },
  {
    name: "a soft pass takes what it can get",
    by: "CA-19 a soft pass folds what was consumed",
    engine: {
      foldWithin: (decayer, messages, working, _safety, spill) =>
        ours.foldWithin(decayer, messages, working, working, spill)
    }
  },
  {
    name: "folds to words without an address",
    by: "CA-20 no address, no fold",
    engine: {
      foldWithin: (decayer, messages, working, safety) =>
        ours.foldWithin(decayer, messages, working, safety, () => "nowhere")
    }
  },
  {
    name: "calls are dropped with the text",
    by: "CA-20 the text is kept whole",
    engine: {
      foldWithin: (decayer, messages, working, safety, spill) => {
        const bare = messages.map((one): typeof one => (one.role === "assistant" ? { ...one, calls: [] } : one))
        return ours.foldWithin(decayer, bare, working, safety, spill)
      }
    }
  }
])
