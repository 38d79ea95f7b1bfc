/** CA-13, CA-14, CA-16, CA-28: the words for what is left out, and the paths they name. */
import { expect } from "vitest"
import * as Decayer from "../../src/codeaf/Decayer.ts"
import { bytesOf, joined, sized } from "../../src/codeaf/Sized.ts"
import { decayPath, nowhere, resultPath } from "../../src/codeaf/Spill.ts"
import * as Stubs from "../../src/codeaf/Stubs.ts"
import { ours } from "./engine.ts"
import { BUDGET, callOf, Disk, Leaf, says, tool } from "./leaf.ts"
import { suite, type Claims } from "./suite.ts"

const claims: Claims = {
  "CA-13 both stubs, exactly": () => {
    expect(Stubs.superseded(sized("sh ls"), 20_480).text).toBe("[sh ls — 20480 bytes, superseded]")
    expect(Stubs.spilledTo(sized("sh ls"), 20_480, ".obs/2-decay-c7.txt").text).toBe(
      "[sh ls — 20480 bytes, spilled to .obs/2-decay-c7.txt]"
    )
    expect(Stubs.superseded(undefined, 5).text).toBe("[earlier tool result — 5 bytes, superseded]")
    expect(Stubs.superseded(sized(""), 5).text).toBe("[earlier tool result — 5 bytes, superseded]")
    expect(Stubs.superseded(sized("é"), 5).bytes).toBe(bytesOf("[é — 5 bytes, superseded]"))
  },

  "CA-13 the path form only where it is shorter than the body, then the bare one (CA-W3), then none": (engine) => {
    const path = ".obs/2-decay-c7.txt"
    const of = (bytes: number) => engine.standIn(sized("sh"), bytes, path)
    // The two stubs of a body of two digits are 49 and 29 bytes long.
    expect(of(50)).toEqual({ put: Stubs.spilledTo(sized("sh"), 50, path), path })
    expect(of(49)).toEqual({ put: Stubs.superseded(sized("sh"), 49), path: undefined })
    expect(of(30)).toEqual({ put: Stubs.superseded(sized("sh"), 30), path: undefined })
    expect(of(29)).toBeUndefined()
  },

  "CA-13 without a place to keep it, the bytes are gone behind a bare stub (CA-W2)": (engine) => {
    for (const spill of [nowhere, undefined]) {
      const disk = new Disk()
      disk.broken = true
      const leaf = new Leaf(engine, spill ?? disk.spill)
      leaf.append(tool("a", "x".repeat(500), "sh"), says("y"))
      expect(leaf.decay(100)).toMatchObject([{ _tag: "Stubbed", index: 0, key: "a", bytes: 500, path: undefined }])
      expect(leaf.text(0)).toBe("[sh — 500 bytes, superseded]")
    }
  },

  "CA-14 TestDecaySpillsLosslessly": (engine) => {
    const disk = new Disk()
    const leaf = new Leaf(engine, disk.spill)
    const old = "A\u0000é🔥".repeat(2560)
    leaf.append(tool("c7", old, "sh cat foo"), tool("c8", "B".repeat(20 << 10), "sh cat bar"))
    expect(leaf.decay(BUDGET).length).toBe(1)
    expect(leaf.text(0)).toBe("[sh cat foo — 20480 bytes, spilled to .obs/2-decay-c7.txt]")
    expect(disk.files.get(".obs/2-decay-c7.txt")).toBe(old)
    expect(leaf.text(1)).toBe("B".repeat(20 << 10))
  },

  "CA-14 the body is kept before the stub, and a stub names only what is kept": (engine) => {
    const disk = new Disk()
    const leaf = new Leaf(engine, disk.spill)
    for (let n = 0; n < 9; n++) leaf.turn(4 << 10, BUDGET)
    const named = leaf.messages.flatMap(({ text }) => /spilled to (\S+)\]$/u.exec(text)?.[1] ?? [])
    expect(named.length).toBeGreaterThan(0)
    for (const path of named) expect(disk.files.get(path)).toBe("x".repeat(4 << 10))
    expect(disk.writes).toBe(named.length)
  },

  "CA-14 TestSpillLeavesReadableFile: names in the directory of observations": (engine) => {
    expect(decayPath("2", "call_abc-1")).toBe(".obs/2-decay-call_abc-1.txt")
    expect(resultPath("3", 1)).toBe(".obs/3-1.txt")
    expect(engine.safeName("../../etc/passwd\u0000é")).toBe("etcpasswd")
    expect(engine.safeName("…")).toBe("x")
    expect(engine.safeName("")).toBe("x")
    expect(engine.safeName(`a${"b".repeat(40)}`)).toBe("b".repeat(40))
  },

  "CA-14 ids with the same last forty safe characters share a path (CA-W7)": (engine) => {
    const tail = "x".repeat(40)
    expect(engine.safeName(`one-${tail}`)).toBe(engine.safeName(`two-${tail}`))
  },

  "CA-16 preserve asks once for what is kept, and again after a failure": (engine) => {
    const disk = new Disk()
    disk.broken = true
    const failed = engine.preserve(Decayer.empty, disk.spill, "a", "body")
    expect(failed).toEqual({ decayer: Decayer.empty, path: undefined })
    disk.broken = false
    const kept = engine.preserve(failed.decayer, disk.spill, "a", "body")
    expect(kept.path).toBe(".obs/2-decay-a.txt")
    disk.broken = true
    expect(engine.preserve(kept.decayer, disk.spill, "a", "body").path).toBe(kept.path)
    expect(disk.writes).toBe(2)
  },

  "CA-16 a body that decay kept is not written again, and a path is inherited as it is": (engine) => {
    const disk = new Disk()
    const stubbed = Decayer.retire(Decayer.empty, "a", ".obs/old.txt")
    expect(engine.preserve(stubbed, disk.spill, "a", "body").path).toBe(".obs/old.txt")
    const heir = engine.inherit(stubbed, "b", ".obs/old.txt")
    expect(engine.preserve(heir, disk.spill, "b", "body").path).toBe(".obs/old.txt")
    expect(disk.writes).toBe(0)
    expect(engine.inherit(Decayer.empty, "", ".obs/old.txt")).toBe(Decayer.empty)
    expect(engine.inherit(Decayer.empty, "b", undefined)).toBe(Decayer.empty)
  },

  "CA-16 TestADecayTimeWriteFailureCannotStrandAPointer": (engine) => {
    const disk = new Disk()
    const leaf = new Leaf(engine, disk.spill)
    const body = "A".repeat(20 << 10)
    const first = callOf("c7", `{"cmd":"cat big.txt"}`)
    leaf.append(tool("c7", leaf.admit(1, first, body)), tool("c8", "B".repeat(20 << 10)))
    const pointer = leaf.admit(2, callOf("c9", `{"cmd":"cat big.txt"}`), body)
    expect(pointer).toContain(".obs/2-decay-c7.txt")
    disk.broken = true
    const { writes } = disk
    expect(leaf.decay(BUDGET).length).toBe(1)
    expect(disk.writes).toBe(writes)
    expect(leaf.text(0)).toContain("spilled to .obs/2-decay-c7.txt")
    expect(disk.files.get(".obs/2-decay-c7.txt")).toBe(body)
  },

  "CA-28 a label is the tool and its arguments, cut at 60 bytes with an ellipsis": (engine) => {
    expect(engine.callLabel(callOf("a", "x".repeat(60))).text).toBe(`sh ${"x".repeat(60)}`)
    expect(engine.callLabel(callOf("a", "x".repeat(61))).text).toBe(`sh ${"x".repeat(60)}…`)
    expect(engine.callLabel(callOf("a", "")).text).toBe("sh ")
  },

  "CA-28 the cut is of bytes, inside a character if it falls so (CA-W8)": (engine) => {
    const label = engine.callLabel(callOf("a", `${"x".repeat(58)}🔥y`))
    expect(label.text).toBe(`sh ${"x".repeat(58)}\uFFFD\uFFFD…`)
    expect(label.bytes).toBe(3 + 60 + 3)
    expect(engine.callLabel(callOf("a", `${"x".repeat(59)}é`)).text).toBe(`sh ${"x".repeat(59)}\uFFFD…`)
    expect(engine.callLabel(callOf("a", `${"é".repeat(30)}z`)).text).toBe(`sh ${"é".repeat(30)}…`)
    expect(joined("[", label).bytes).toBe(67)
  },

  "CA-28 a label may close the bracket around it (CA-W8)": (engine) => {
    expect(Stubs.superseded(engine.callLabel(callOf("a", "x] free text")), 9).text).toBe(
      "[sh x] free text — 9 bytes, superseded]"
    )
  },

  "CA-28 mended: between characters, on one line, and no bracket of its own": () => {
    expect(Stubs.safeLabel(callOf("a", `${"x".repeat(58)}🔥y`)).text).toBe(`sh ${"x".repeat(58)}…`)
    expect(Stubs.safeLabel(callOf("a", "[x]\ny", "s]h")).text).toBe("s)h (x) y")
    expect(Stubs.safeLabel(callOf("a", "short")).text).toBe("sh short")
    for (let cut = 50; cut < 62; cut++) {
      const { bytes, text } = Stubs.safeLabel(callOf("a", "x".repeat(cut) + "中🔥é".repeat(9)))
      expect(text).not.toContain("\uFFFD")
      expect(bytes).toBe(bytesOf(text))
      expect(bytes).toBeLessThanOrEqual(66)
    }
  }
}

suite("stubs and paths (CA-13, CA-14, CA-16, CA-28)", claims, [
  {
    name: "the address is kept at any price",
    by: "CA-13 the path form only",
    engine: {
      standIn: (label, bytes, path) =>
        path === undefined ? ours.standIn(label, bytes, path) : { put: Stubs.spilledTo(label, bytes, path), path }
    }
  },
  {
    name: "nothing is asked to keep a body",
    by: "TestDecaySpillsLosslessly",
    engine: {
      decayWithin: (decayer, messages, working, safety) => ours.decayWithin(decayer, messages, working, safety, nowhere)
    }
  },
  {
    name: "a failure is remembered as a path",
    by: "CA-16 preserve asks once",
    engine: {
      preserve: (decayer, spill, key, body) => {
        const kept = ours.preserve(decayer, spill, key, body)
        return kept.path === undefined ? { ...kept, decayer: ours.inherit(decayer, key, "nowhere") } : kept
      }
    }
  },
  {
    name: "decay writes again what a pointer names",
    by: "TestADecayTimeWriteFailureCannotStrandAPointer",
    engine: {
      decayWithin: (decayer, ...given) => ours.decayWithin({ ...decayer, preserved: Decayer.empty.preserved }, ...given)
    }
  },
  {
    name: "the first forty characters name the file",
    by: "TestSpillLeavesReadableFile",
    engine: { safeName: (key) => key.replace(/[^A-Za-z0-9_-]+/g, "").slice(0, 40) || "x" }
  },
  {
    name: "the cut is of characters",
    by: "CA-28 the cut is of bytes",
    engine: { callLabel: Stubs.safeLabel }
  }
])
