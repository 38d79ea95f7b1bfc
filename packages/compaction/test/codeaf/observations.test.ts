/** CA-21 to CA-26: the same bytes are carried once. */
import { expect } from "vitest"
import { decodeUtf8, encodeUtf8 } from "@palimpsest/ledger/Body"
import { pure } from "@palimpsest/ledger/Sha256"
import * as HashMap from "effect/HashMap"
import * as Decayer from "../../src/codeaf/Decayer.ts"
import { sized } from "../../src/codeaf/Sized.ts"
import { nowhere } from "../../src/codeaf/Spill.ts"
import { pointer } from "../../src/codeaf/Stubs.ts"
import { ours } from "./engine.ts"
import { BUDGET, callOf, Disk, Leaf, says, tool } from "./leaf.ts"
import { suite, type Claims } from "./suite.ts"

const cat = (id: string) => callOf(id, `{"cmd":"cat notes.md"}`)

const POINTED = "identical to the result of"

const claims: Claims = {
  "CA-21 a fact is known by the sha-256 of its bytes, whichever call gave it": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    const body = "é🔥".repeat(200)
    leaf.admit(1, callOf("a", "one", "read"), body)
    expect([...HashMap.keys(leaf.observations)]).toEqual([pure(encodeUtf8(body))])
    expect(leaf.admit(2, callOf("b", "two", "sh"), body)).toContain(POINTED)
    expect(leaf.admit(3, callOf("c", "two", "sh"), `${body} `)).not.toContain(POINTED)
  },

  "CA-21 a text with a lone surrogate is never taken for another": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    const bodies = ["\ud800", "\udc00", "\ufffd", '"\\ud800"'].map((one) => one.repeat(1) + "x".repeat(400))
    bodies.forEach((body, n) => expect(leaf.admit(n, cat(`c${n}`), body)).toBe(body))
    expect(leaf.admit(9, cat("again"), bodies[0]!)).toContain("at turn 0")
  },

  "CA-22 TestRepeatedBytesBecomeAPointerToTheFirstCopy": (engine) => {
    const disk = new Disk()
    const leaf = new Leaf(engine, disk.spill)
    const body = "the same output\n".repeat(200)
    expect(leaf.admit(1, cat("c1"), body)).toBe(body)
    expect(disk.writes).toBe(0)
    expect(leaf.admit(4, cat("c9"), body)).toBe(
      `[identical to the result of sh {"cmd":"cat notes.md"} at turn 1 — read it above, or from .obs/2-decay-c1.txt]`
    )
    expect(disk.files.get(".obs/2-decay-c1.txt")).toBe(body)
    expect(leaf.admit(9, callOf("c11", `{"cmd":"sed -n 1,400p notes.md"}`), body)).toContain("turn 1")
    expect(disk.writes).toBe(1)
  },

  "CA-22 a pointer is shorter than its fact, or the fact is carried and becomes the record": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    const words = pointer(sized("sh x"), 1, ".obs/2-decay-a.txt")
    const equal = "y".repeat(words.bytes)
    leaf.admit(1, callOf("a", "x"), equal)
    expect(leaf.admit(2, callOf("b", "x"), equal)).toBe(equal)
    expect([...HashMap.values(leaf.observations)]).toMatchObject([{ turn: 2, key: "b", path: undefined }])
    expect(Decayer.isConsumed(leaf.decayer, "a", 5)).toBe(false)
    const longer = `${equal}y`
    leaf.admit(1, callOf("a", "x"), longer)
    expect(leaf.admit(2, callOf("b", "x"), longer)).toBe(words.text)
    // A report makes a body longer, not the fact.
    const report = { content: `${"z".repeat(words.bytes)}\n\n[job 1 · running 4s]`, reportedJobs: true }
    leaf.admit(1, callOf("a", "x"), report)
    expect(leaf.admit(2, callOf("b", "x"), report)).toBe(report.content)
  },

  "CA-22 TestBytesWithNoDurableAddressAreNeverPointedAt": (engine) => {
    const disk = new Disk("4")
    disk.broken = true
    const body = "C".repeat(20 << 10)
    for (const spill of [disk.spill, nowhere]) {
      const leaf = new Leaf(engine, spill)
      for (const [turn, id] of [
        [1, "c1"],
        [5, "c3"],
        [7, "c4"]
      ] as const) {
        expect(leaf.admit(turn, cat(id), body)).toBe(body)
      }
    }
    expect(disk.writes).toBe(2)
  },

  "CA-23 TestARereadOfRetiredBytesIsAnsweredWithTheBytes": (engine) => {
    const disk = new Disk()
    const leaf = new Leaf(engine, disk.spill)
    const body = "A".repeat(20 << 10)
    leaf.append(tool("c7", leaf.admit(1, cat("c7"), body)), tool("c8", "B".repeat(20 << 10)))
    expect(leaf.decay(BUDGET).length).toBe(1)
    const { writes } = disk
    const again = leaf.admit(6, cat("c12"), body)
    expect(again).toBe(body)
    expect(disk.writes).toBe(writes)
    leaf.append(tool("c12", again))
    const third = leaf.admit(7, cat("c13"), body)
    expect(third).toContain("turn 6 — read it above, or from .obs/2-decay-c7.txt]")
    leaf.append(says("read"), tool("c14", "D".repeat(20 << 10)))
    leaf.decay(BUDGET)
    expect(leaf.text(2)).toContain("spilled to .obs/2-decay-c7.txt")
    expect(disk.files.has(".obs/2-decay-c12.txt")).toBe(false)
  },

  "CA-23 where the stub named no path, the copy that is canonical now has none either": (engine) => {
    const leaf = new Leaf(engine)
    const body = "A".repeat(20 << 10)
    leaf.append(tool("c7", leaf.admit(1, cat("c7"), body)), tool("c8", "B".repeat(20 << 10)))
    leaf.decay(BUDGET)
    expect(leaf.admit(6, cat("c12"), body)).toBe(body)
    expect(Decayer.pathOf(leaf.decayer, "c12")).toBeUndefined()
    expect(leaf.admit(7, cat("c13"), body)).toBe(body)
  },

  "CA-24 TestErrorsJobReportsAndMultimodalResultsAreNeverPointedAt": (engine) => {
    const disk = new Disk("3")
    const leaf = new Leaf(engine, disk.spill)
    const body = "no such file or directory\n".repeat(100)
    const report = "[job 1 · running 4s · last: still going]\n".repeat(60)
    for (const turn of [1, 2]) {
      expect(leaf.admit(turn, cat(`e${turn}`), { content: body, isError: true })).toBe(`ERROR: ${body}`)
      expect(leaf.admit(turn, cat(`j${turn}`), { content: report, reportedJobs: true })).toBe(report)
      expect(leaf.admit(turn, cat(`v${turn}`), { content: body, multimodal: true })).toBe(body)
      expect(leaf.admit(turn, cat(""), body)).toBe(body)
    }
    expect(HashMap.size(leaf.observations)).toBe(0)
    expect(disk.writes).toBe(0)
  },

  "CA-25 TestAFooteredResultIsPointedAtOnItsBodyAndKeepsItsOwnJobReport": (engine) => {
    const disk = new Disk("3")
    const leaf = new Leaf(engine, disk.spill)
    const body = "the same four hundred lines of the same file\n".repeat(100)
    const footed = (last: string) => ({ content: `${body}\n\n[job 1 · ${last}]`, reportedJobs: true })
    const first = leaf.admit(1, cat("r1"), footed("running 4s · last: case 41/120"))
    expect(first).toBe(footed("running 4s · last: case 41/120").content)
    const again = leaf.admit(2, cat("r2"), footed("running 39s · last: case 118/120"))
    expect(again).toContain(POINTED)
    expect(again).not.toContain("four hundred lines")
    expect(again.endsWith("\n\n[job 1 · running 39s · last: case 118/120]")).toBe(true)
    expect(again).not.toContain("running 4s")
    // What is kept is the fact: of the report neither this one's nor the earlier one's.
    expect(disk.files.get(".obs/3-decay-r1.txt")).toBe(body.trimEnd())
  },

  "CA-25 a footer is only looked for where the harness says that it put one": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    const body = "x".repeat(400)
    leaf.admit(1, cat("a"), `${body}\n\n[job 1 · running 4s]`)
    expect(leaf.admit(2, cat("b"), `${body}\n\n[job 1 · running 5s]`)).not.toContain(POINTED)
  },

  "CA-25 TestStripJobReportTakesOnlyTheAppendedLines": (engine) => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["ok\n\n[job 1 · running 4s]", "ok"],
      ["ok\n\n[job 1 · running 4s]\n[job 2 · exited 0 after 1m02s]", "ok"],
      ["ok", "ok"],
      ["[job 1 · running 4s]", ""],
      ["[job listing]\nnothing running", "[job listing]\nnothing running"],
      ["see [job 1 · running 4s] above", "see [job 1 · running 4s] above"],
      ["[job x · running 4s]", "[job x · running 4s]"],
      ["ok\n\n[job 1 · running 4s]\n", "ok"],
      ["ok\n[job 1 · a]\nmore", "ok\n[job 1 · a]\nmore"],
      ["ok\n \t\n\n[job 1 · a]", "ok"],
      ["ok\n", "ok\n"],
      ["ok\n[job · a]", "ok\n[job · a]"],
      ["ok\n[job 1 · a", "ok\n[job 1 · a"],
      ["ok\n[job 1 2 · a]", "ok\n[job 1 2 · a]"]
    ]
    for (const [text, want] of cases) expect(engine.stripJobReport(text)).toBe(want)
  },

  "CA-26 TestAPointerSpendsTheCopyItPointsAt": (engine) => {
    const leaf = new Leaf(engine, new Disk().spill)
    const each = 8 << 10
    const repeated = "A".repeat(each)
    const bodies = ["B".repeat(each), repeated, "C".repeat(each)]
    bodies.forEach((body, n) => {
      const call = callOf(`c${n}`, `{"cmd":"read ${n}"}`)
      leaf.append(says("thinking", call), tool(call.id, leaf.admit(n + 1, call, body), `sh read ${n}`))
    })
    const again = callOf("c9", `{"cmd":"read 1 again"}`)
    const words = leaf.admit(4, again, repeated)
    expect(words).toContain(POINTED)
    leaf.append(says("thinking", again), tool("c9", words), says("still thinking"))
    expect(leaf.decay(BUDGET).map(({ key }) => key)).toEqual(["c1"])
    expect(leaf.text(3)).toContain("spilled to ")
  }
}

suite("observations (CA-21 to CA-26)", claims, [
  {
    name: "a fact is known by its call",
    by: "CA-21 a fact is known by the sha-256",
    engine: {
      admit: (hash, spill, state, turn, call, result) =>
        ours.admit(() => hash(encodeUtf8(call.arguments)), spill, state, turn, call, result)
    }
  },
  {
    name: "a text is known by what UTF-8 makes of it",
    by: "CA-21 a text with a lone surrogate",
    engine: {
      admit: (hash, spill, state, turn, call, result) => {
        const admitted = ours.admit(hash, spill, state, turn, call, {
          ...result,
          content: decodeUtf8(encodeUtf8(result.content))
        })
        return admitted.copy === undefined ? { ...admitted, put: sized(result.content) } : admitted
      }
    }
  },
  {
    name: "a pointer is the copy from then on",
    by: "TestRepeatedBytesBecomeAPointerToTheFirstCopy",
    engine: {
      admit: (hash, spill, state, turn, call, result) => {
        const admitted = ours.admit(hash, spill, state, turn, call, result)
        const here = { turn, key: call.id, label: ours.callLabel(call), path: undefined }
        return { ...admitted, observations: HashMap.map(admitted.observations, () => here) }
      }
    }
  },
  {
    name: "points without an address",
    by: "TestBytesWithNoDurableAddressAreNeverPointedAt",
    engine: {
      admit: (hash, spill, ...rest) => ours.admit(hash, (key, body) => spill(key, body) ?? "nowhere", ...rest)
    }
  },
  {
    name: "a pointer of any length",
    by: "CA-22 a pointer is shorter",
    engine: {
      admit: (hash, spill, state, turn, call, result) => {
        const padded = ours.admit(hash, spill, state, turn, call, {
          ...result,
          content: result.content + " ".repeat(400)
        })
        return padded.copy === undefined ? { ...padded, put: sized(result.content) } : padded
      }
    }
  },
  {
    name: "a re-read is answered with a pointer to the stub",
    by: "TestARereadOfRetiredBytes",
    engine: {
      admit: (hash, spill, { decayer, observations }, ...rest) => {
        const blind = { ...decayer, spilled: Decayer.empty.spilled }
        const admitted = ours.admit(hash, spill, { decayer: blind, observations }, ...rest)
        return { ...admitted, decayer: { ...admitted.decayer, spilled: decayer.spilled } }
      }
    }
  },
  {
    name: "errors are addressed",
    by: "TestErrorsJobReportsAndMultimodal",
    engine: {
      admit: (hash, spill, state, turn, call, result) =>
        ours.admit(hash, spill, state, turn, call, {
          ...result,
          content: result.isError === true ? `ERROR: ${result.content}` : result.content,
          isError: false
        })
    }
  },
  {
    name: "the report is part of the fact",
    by: "TestAFooteredResult",
    engine: {
      admit: (hash, spill, state, turn, call, result) =>
        ours.admit(hash, spill, state, turn, call, { ...result, reportedJobs: false })
    }
  },
  {
    name: "takes every last line in brackets",
    by: "TestStripJobReport",
    engine: { stripJobReport: (text) => text.replace(/\n*(\[job [^\n]*\]\n?)+$/u, "") }
  },
  {
    name: "what is pointed at stays needed",
    by: "TestAPointerSpendsTheCopy",
    engine: {
      admit: (...given) => {
        const admitted = ours.admit(...given)
        return { ...admitted, decayer: { ...admitted.decayer, consumed: Decayer.empty.consumed } }
      }
    }
  }
])
