/** CA-04, CA-06 to CA-12 and CA-15: what decay retires, and what it leaves. */
import { expect } from "vitest"
import * as Decayer from "../../src/codeaf/Decayer.ts"
import type { Message } from "../../src/codeaf/Message.ts"
import { ours } from "./engine.ts"
import { BUDGET, callOf, Disk, isPrefix, isStub, Leaf, says, tool } from "./leaf.ts"
import { suite, type Claims } from "./suite.ts"

const EACH = 8 << 10

/** So many results of 8 KiB, each in its own turn, and an assistant message at the end. */
const gather = (leaf: Leaf, count: number): void => {
  for (let n = 0; n < count; n++) {
    leaf.append(says(`thinking about r${n}`, callOf(`r${n}`)), tool(`r${n}`, String.fromCharCode(65 + n).repeat(EACH)))
  }
  leaf.append(says("still thinking"))
}

/** What retires when four results stand against a budget for two. */
const retired = (engine: typeof ours, used: ReadonlyArray<string>, actedPast: number): ReadonlyArray<string> => {
  const leaf = new Leaf(engine)
  gather(leaf, 4)
  for (const key of used) leaf.used(key)
  leaf.actedPast(actedPast)
  leaf.decay(BUDGET)
  expect(leaf.live("tool")).toBeLessThanOrEqual(BUDGET)
  return leaf.stubbed()
}

const claims: Claims = {
  "CA-04 under the budget, and at it, the transcript is the very same": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    gather(leaf, 3)
    leaf.actedPast(leaf.messages.length)
    const { decayer, messages } = leaf
    expect(leaf.live("tool")).toBe(BUDGET)
    expect(leaf.decay(BUDGET)).toEqual([])
    expect(leaf.messages).toBe(messages)
    expect(leaf.decayer).toBe(decayer)
    expect(leaf.decay(BUDGET - 1).length).toBeGreaterThan(0)
  },

  "CA-06 TestWorkingSetDoesNotRewriteForInsufficientSpentHeadroom": (engine) => {
    const disk = new Disk()
    const leaf = new Leaf(engine, disk.spill)
    leaf.append(says("", callOf("spent")), tool("spent", "S".repeat(1 << 10)))
    leaf.append(says("", callOf("needed")), tool("needed", "N".repeat(30 << 10)), says("assembling"))
    leaf.used("spent")
    const { messages } = leaf
    expect(leaf.decay(BUDGET, BUDGET * 4)).toEqual([])
    expect(leaf.messages).toBe(messages)
    // What the bodies hold at most says so already: none is kept to find it out.
    expect(disk.writes).toBe(0)
  },

  "CA-06 the exact stubs decide: where bodies alone would reach the mark and paths do not, nothing is rewritten": (
    engine
  ) => {
    let asked = 0
    const leaf = new Leaf(engine, (key) => {
      asked++
      return `.obs/${"deep/".repeat(20)}${key}.txt`
    })
    // 75 percent of 4,000 is 3,000: ten bodies of 200 would free 2,000, their stubs take 160 each.
    leaf.append(...Array.from({ length: 10 }, (_, n) => tool(`s${n}`, "s".repeat(200), "l")))
    leaf.append(says("x"), tool("needed", "n".repeat(2_500)), says("y"))
    for (let n = 0; n < 10; n++) leaf.used(`s${n}`)
    expect(leaf.decay(4_000, 16_000)).toEqual([])
    expect(leaf.stubbed()).toEqual([])
    // Asking kept the bodies (CA-W17), each once.
    expect(leaf.decay(4_000, 16_000)).toEqual([])
    expect(asked).toBe(10)
  },

  "CA-07 TestWorkingSetWaitsForTheGatherToBeUsed": (engine) => {
    const leaf = new Leaf(engine)
    gather(leaf, 6)
    leaf.messages = leaf.messages.slice(0, -1)
    const { messages } = leaf
    expect(leaf.decay(BUDGET, BUDGET * 4)).toEqual([])
    expect(leaf.messages).toBe(messages)
    leaf.actedPast(leaf.messages.length)
    leaf.append(says("written"))
    expect(leaf.decay(BUDGET, BUDGET * 4).length).toBeGreaterThan(0)
    expect(leaf.live("tool")).toBeLessThanOrEqual(leaf.lowWater(BUDGET))
  },

  "CA-07 needed results stay at the safety limit itself, and go one byte above it": (engine) => {
    const at = new Leaf(engine)
    gather(at, 4)
    expect(at.decay(BUDGET, 4 * EACH)).toEqual([])
    const above = new Leaf(engine)
    gather(above, 4)
    expect(above.decay(BUDGET, 4 * EACH - 1).map(({ key }) => key)).toEqual(["r0", "r1"])
  },

  "CA-07 between working and safety a run that never writes rides on (CA-W11)": (engine) => {
    const leaf = new Leaf(engine)
    gather(leaf, 12)
    expect(leaf.decay(BUDGET, BUDGET * 4)).toEqual([])
  },

  "CA-08 TestRetirementFollowsUseRatherThanAge: nothing acted on, the oldest first": (engine) => {
    expect(retired(engine, [], 0)).toEqual(["r0", "r1"])
  },

  "CA-08 CA-09 TestRetirementFollowsUseRatherThanAge: read twice goes before older ones read once": (engine) => {
    expect(retired(engine, ["r1", "r2"], 0)).toEqual(["r1", "r2"])
  },

  "CA-08 TestRetirementFollowsUseRatherThanAge: needed only where spent did not suffice, the oldest of it": (
    engine
  ) => {
    expect(retired(engine, ["r3"], 0)).toEqual(["r0", "r3"])
  },

  "CA-09 TestRetirementFollowsUseRatherThanAge: a change of the workspace spends all that was read before": (
    engine
  ) => {
    expect(retired(engine, [], 4)).toEqual(["r0", "r1"])
    expect(retired(engine, ["r3"], 2)).toEqual(["r0", "r3"])
  },

  "CA-09 a mutation spends reads of what it did not touch too (CA-W4), and the mark only rises": (engine) => {
    const leaf = new Leaf(engine)
    gather(leaf, 4)
    leaf.actedPast(6)
    leaf.actedPast(2)
    expect(leaf.decayer.consumedFrom).toBe(6)
    expect(Decayer.isConsumed(leaf.decayer, "any", 5)).toBe(true)
    expect(Decayer.isConsumed(leaf.decayer, "any", 6)).toBe(false)
    expect(leaf.decay(BUDGET, BUDGET * 4).map(({ key }) => key)).toEqual(["r0", "r1"])
  },

  "CA-10 fresh results are shortened last, and only to the safety limit itself": (engine) => {
    const leaf = new Leaf(engine)
    leaf.append(says("a", callOf("old")), tool("old", "o".repeat(EACH)))
    const fresh = ["f0", "f1", "f2", "f3"]
    leaf.append(says("b", ...fresh.map((id) => callOf(id))), ...fresh.map((id) => tool(id, id.repeat(EACH / 2))))
    // The mark is 18,432; after the old one, one fresh result brings 32,768 under the limit of 24,700.
    expect(leaf.decay(BUDGET, 24_700).map(({ key }) => key)).toEqual(["old", "f0"])
    expect(leaf.live("tool")).toBeLessThanOrEqual(24_700)
    expect(leaf.live("tool")).toBeGreaterThan(18_432)
  },

  "CA-10 TestDecayKeepsNewestInFull": (engine) => {
    const leaf = new Leaf(engine)
    leaf.append(tool("old", "y".repeat(20 << 10), "sh ls"), tool("new", "y".repeat(20 << 10), "sh pwd"))
    leaf.decay(BUDGET)
    expect(leaf.stubbed()).toEqual(["old"])
    expect(leaf.text(0)).toContain("sh ls")
  },

  "CA-10 TestDecayStubsAnOversizedResult: unread it becomes a bare stub (CA-W18)": (engine) => {
    const leaf = new Leaf(engine)
    leaf.append({ role: "user", text: "do the thing", bytes: 12 }, says("looking", callOf("big")))
    leaf.append(tool("big", "q".repeat(BUDGET * 2), "sh cat huge"))
    expect(leaf.decay(BUDGET).length).toBe(1)
    expect(leaf.text(2)).toBe("[sh cat huge — 49152 bytes, superseded]")
    const { messages } = leaf
    expect(leaf.decay(BUDGET)).toEqual([])
    expect(leaf.messages).toBe(messages)
  },

  "CA-11 TestDecayPreservesPairing": (engine) => {
    const leaf = new Leaf(engine)
    leaf.append({ role: "system", text: "rules", bytes: 5 }, { role: "user", text: "do", bytes: 2 })
    for (const id of "abcde") leaf.append(says(`thinking ${id}`, callOf(id)), tool(id, "x".repeat(20 << 10), "sh"))
    const before = leaf.messages
    expect(leaf.decay(BUDGET).length).toBeGreaterThan(0)
    expect(leaf.messages.map(shape)).toEqual(before.map(shape))
    const words = (messages: ReadonlyArray<Message>) => messages.filter(({ role }) => role !== "tool")
    expect(words(leaf.messages)).toEqual(words(before))
    expect(leaf.stubbed().length).toBeGreaterThan(0)
    expect(leaf.stubbed().length).toBeLessThan(5)
  },

  "CA-12 TestDecayIsIdempotentAcrossTurns: one file, one stub, never again": (engine) => {
    const disk = new Disk("4")
    const leaf = new Leaf(engine, disk.spill)
    leaf.append(tool("a1", "z".repeat(20 << 10), "sh ls"), tool("a2", "z".repeat(20 << 10), "sh pwd"))
    expect(leaf.decay(BUDGET).length).toBe(1)
    const stub = leaf.text(0)
    for (let pass = 0; pass < 3; pass++) expect(leaf.decay(BUDGET)).toEqual([])
    expect(leaf.text(0)).toBe(stub)
    expect(disk.writes).toBe(1)
    expect([...disk.files.keys()]).toEqual([".obs/4-decay-a1.txt"])
  },

  "CA-12 a stub is not stubbed again where a later budget is smaller than it": (engine) => {
    const leaf = new Leaf(engine)
    leaf.append(tool("a", "z".repeat(500)), says("x"), tool("b", "z".repeat(500)))
    leaf.decay(600)
    const [first] = leaf.messages
    leaf.decay(1)
    expect(leaf.messages[0]).toBe(first)
  },

  "CA-12 a result without a call id is known by its place": (engine) => {
    const leaf = new Leaf(engine)
    leaf.append(
      { role: "tool", text: "x".repeat(900), bytes: 900 },
      { role: "tool", text: "y".repeat(900), bytes: 900 }
    )
    leaf.append(says("read"))
    expect(leaf.decay(1_000).map(({ key }) => key)).toEqual(["#0", "#1"])
    expect(Decayer.retired(leaf.decayer, "#0")).toEqual({ path: undefined })
  },

  "CA-15 TestDecayLeavesSmallResultsAlone": (engine) => {
    const leaf = new Leaf(engine)
    leaf.append(...Array.from({ length: 30 }, (_, n) => tool(`t${n}`, "ok")))
    expect(leaf.decay(BUDGET)).toEqual([])
  },

  "CA-15 over the budget too: what a stub would not shorten stays, and nothing is written for it": (engine) => {
    const disk = new Disk()
    const leaf = new Leaf(engine, disk.spill)
    leaf.append(
      ...Array.from({ length: 100 }, (_, n) => tool(`t${n}`, "a few words of result", "sh a label that is long"))
    )
    leaf.append(says("x"))
    expect(leaf.decay(100)).toEqual([])
    expect(disk.writes).toBe(0)
  },

  "CA-29 TestDecayKeepsThePrefixStableExceptAtBudgetForcedRewrites": (engine) => {
    const leaf = new Leaf(engine)
    const played = Array.from({ length: 30 }, () => leaf.turn(EACH, BUDGET))
    played.slice(1).forEach((now, at) => {
      expect(now.rewrote || isPrefix(played[at]!.encoded, now.encoded)).toBe(true)
      expect(now.rewrote && played[at]!.rewrote).toBe(false)
    })
    expect(played.filter(({ rewrote }) => rewrote).every(({ wasOver }) => wasOver)).toBe(true)
    expect(played.some(({ rewrote }) => rewrote)).toBe(true)
  },

  "CA-29 TestDecayMayRewriteEveryTurnWhenTheBudgetForcesIt": (engine) => {
    const leaf = new Leaf(engine)
    const rewrites = Array.from({ length: 12 }, () => leaf.turn(16 << 10, BUDGET)).filter(({ rewrote }) => rewrote)
    expect(rewrites.length).toBe(11)
    expect(rewrites.every(({ wasOver }) => wasOver)).toBe(true)
  }
}

const shape = ({ answers, calls, role }: Message) => ({ role, answers, calls })

suite("decay (CA-04, CA-06 to CA-12, CA-15)", claims, [
  {
    name: "rewrites under the budget",
    by: "CA-04 under the budget",
    engine: {
      decayWithin: (decayer, messages, working, safety, spill) =>
        ours.decayWithin(decayer, messages, working - 1, safety - 1, spill)
    }
  },
  {
    name: "a soft pass takes what it can get",
    by: "TestWorkingSetDoesNotRewriteForInsufficientSpentHeadroom",
    engine: {
      decayWithin: (decayer, messages, working, safety, spill) => {
        const pass = ours.decayWithin(decayer, messages, working, safety, spill)
        if (pass.rewrites.length > 0) return pass
        const greedy = ours.decayWithin(decayer, messages, working, working, spill)
        return greedy
      }
    }
  },
  {
    name: "the safety limit is the working one",
    by: "TestWorkingSetWaitsForTheGatherToBeUsed",
    engine: {
      decayWithin: (decayer, messages, working, _, spill) =>
        ours.decayWithin(decayer, messages, working, working, spill)
    }
  },
  {
    name: "by age alone",
    by: "read twice goes before older ones",
    engine: {
      decayWithin: (decayer, messages, working, safety, spill) =>
        ours.decayWithin({ ...decayer, consumed: Decayer.empty.consumed }, messages, working, safety, spill)
    }
  },
  {
    name: "the mark of what was acted on falls back",
    by: "CA-09 a mutation spends reads",
    engine: { actedPast: (decayer, index) => ({ ...decayer, consumedFrom: index }) }
  },
  {
    name: "fresh results are needed ones",
    by: "TestDecayKeepsNewestInFull",
    engine: {
      decayWithin: (decayer, messages, working, safety, spill) => {
        const later = [...messages, { ...messages[0]!, role: "assistant" as const, bytes: 0, text: "" }]
        const lower = { ...decayer, inflow: { turns: 3, bytes: 3 * working } }
        const pass = ours.decayWithin(lower, later, working, safety, spill)
        return { ...pass, messages: pass.messages.slice(0, -1) }
      }
    }
  },
  {
    name: "retired results are removed",
    by: "TestDecayPreservesPairing",
    engine: {
      decayWithin: (...given) => {
        const pass = ours.decayWithin(...given)
        return { ...pass, messages: pass.messages.filter((message) => !isStub(message)) }
      }
    }
  },
  {
    name: "what was stubbed is forgotten",
    by: "CA-12 a stub is not stubbed again",
    engine: {
      decayWithin: (decayer, ...given) => ours.decayWithin({ ...decayer, spilled: Decayer.empty.spilled }, ...given)
    }
  },
  {
    name: "a stub wherever there is a result",
    by: "CA-15 over the budget too",
    engine: {
      decayWithin: (decayer, messages, working, safety, spill) => {
        const larger = messages.map((message) => ({ ...message, bytes: message.bytes * 10 }))
        return ours.decayWithin(decayer, larger, working * 10, safety * 10, spill)
      }
    }
  },
  {
    name: "each pass rewrites a little",
    by: "TestDecayKeepsThePrefixStableExceptAtBudgetForcedRewrites",
    engine: {
      decayWithin: (decayer, messages, working, safety, spill) =>
        ours.decayWithin(decayer, messages, Math.trunc(working / 4), Math.trunc(safety / 4), spill)
    }
  }
])
