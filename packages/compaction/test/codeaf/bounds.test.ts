/** CA-31: the bounds of one result. */
import { expect } from "vitest"
import { boundResult, MAX_RESULT_LINES, REFERENCE, type Bounds } from "../../src/codeaf/Bounds.ts"
import { countLines, cutHead, cutTail } from "../../src/codeaf/Cut.ts"
import { bytesOf } from "../../src/codeaf/Sized.ts"
import { settings } from "../../src/codeaf/Windows.ts"
import { ours, type Engine } from "./engine.ts"
import { suite, type Claims } from "./suite.ts"

const lines = (count: number, of = (n: number) => `line ${n}`): string =>
  Array.from({ length: count }, (_, n) => `${of(n + 1)}\n`).join("")

const saved = () => ".obs/3-1.txt"

const enter = (
  engine: Engine,
  content: string,
  shape: "read" | "command" = "read",
  save: () => string | undefined = saved
) => engine.enter(REFERENCE, { content, shape }, save).content

const bounds = (result: number, spill: number, preview: number, recall: number): Bounds => ({
  result,
  spill,
  preview,
  recall
})

const claims: Claims = {
  "CA-31 the four bounds of an unknown window, and 2,000 lines": (engine) => {
    expect(engine.boundsOf(0)).toEqual(bounds(12_288, 10_240, 4_096, 8_192))
    expect(MAX_RESULT_LINES).toBe(2_000)
  },

  "CA-31 the bounds are shares of the working window, and stop growing with it": (engine) => {
    // 29,056 of 32,768 at 128,000 tokens; 105,856 from 160,000 on.
    expect(engine.boundsOf(128_000)).toEqual(bounds(10_896, 9_080, 3_632, 7_264))
    expect(engine.boundsOf(160_000)).toEqual(bounds(39_696, 33_080, 13_232, 26_464))
    expect(engine.boundsOf(2 ** 20)).toEqual(engine.boundsOf(160_000))
    const wider = engine.boundsOf(2 ** 20, settings({ CODEAF_WORKING_SET: "400000" }))
    expect(wider.spill).toBeGreaterThan(engine.boundsOf(2 ** 20).spill)
  },

  "CA-31 a known window that is starved takes bounds that do not fit in it (CA-W9)": (engine) => {
    expect(engine.observationWindow(16_000)).toBe(4_096)
    expect(engine.boundsOf(16_000)).toEqual(REFERENCE)
  },

  "CA-31 what fits is untouched, by bytes and by lines, and nothing is saved": (engine) => {
    const never = () => {
      throw new Error("expected not to be asked")
    }
    for (const text of ["", "x".repeat(10_240), "é".repeat(5_120), lines(2_000, () => ""), `${"\n".repeat(1_999)}x`]) {
      expect(engine.enter(REFERENCE, { content: text }, never)).toEqual({ content: text, bounded: false })
    }
  },

  "CA-31 a read keeps its head on a line boundary, with the exact continuation": (engine) => {
    const text = lines(2_000, (n) => String(n).padStart(9, "0"))
    expect(enter(engine, text)).toBe(
      `${text.slice(0, 4_089)}\n\n[Showing lines 1-409 of 2000, the first 4090 of 20000 bytes. Whole output: .obs/3-1.txt — continue with sh: sed -n '410,2409p' .obs/3-1.txt]`
    )
  },

  "CA-31 a command keeps its tail on a line boundary, behind the notice": (engine) => {
    const text = lines(2_000, (n) => String(n).padStart(9, "0"))
    expect(enter(engine, text, "command")).toBe(
      `[Showing lines 1592-2000 of 2000, the last 4090 of 20000 bytes. Whole output: .obs/3-1.txt — read the start with sh: sed -n '1,1591p' .obs/3-1.txt]\n${text.slice(-4_090)}`
    )
  },

  "CA-31 more than 2,000 lines are cut though their bytes fit, and the next window is as large": (engine) => {
    const text = lines(3_000, () => "")
    expect(enter(engine, text)).toBe(
      "\n\n[Showing lines 1-2000 of 3000, the first 2000 of 3000 bytes. Whole output: .obs/3-1.txt — continue with sh: sed -n '2001,4000p' .obs/3-1.txt]"
    )
    expect(enter(engine, text, "command")).toContain("[Showing lines 1001-3000 of 3000, the last 2000 of 3000 bytes.")
    expect(
      enter(
        engine,
        lines(5_000, () => ""),
        "command"
      )
    ).toContain("sed -n '1,2000p'")
  },

  "CA-31 a line that does not fit is cut between characters, and named": (engine) => {
    const long = `${"🔥".repeat(5_000)}\nend`
    expect(enter(engine, long)).toBe(
      `${"🔥".repeat(1_024)}\n\n[Line 1 of 2 is longer than the 4096 bytes that fit; showing its first 4096, of 20004 bytes in all. Whole output: .obs/3-1.txt — read on with sh: sed -n '1p' .obs/3-1.txt | cut -b 4097-8192]`
    )
    const odd = enter(engine, `a${"🔥".repeat(5_000)}`)
    expect(odd).toContain("showing its first 4093, of 20001")
    expect(odd).toContain("cut -b 4094-8189]")
    expect(enter(engine, `start\n${"中".repeat(5_000)}`, "command")).toBe(
      `[Line 2 of 2 is longer than the 4096 bytes that fit; showing its last 4095, of 15006 bytes in all. Whole output: .obs/3-1.txt — read that line from the start with sh: sed -n '2p' .obs/3-1.txt | head -c 4096]\n${"中".repeat(1_365)}`
    )
  },

  "CA-31 what could not be saved says so, and what was saved in part says how much": (engine) => {
    const text = lines(3_000)
    const notSaved = enter(engine, text, "read", () => undefined)
    expect(notSaved.endsWith(" The rest was not saved — re-run narrowed (grep, head, tail) if you need it.]")).toBe(
      true
    )
    expect(notSaved).not.toContain("sed -n")
    const window = { bytes: 4_096, lines: MAX_RESULT_LINES }
    expect(engine.notice(cutTail(text, window), window, { path: "p", first: 9_000 })).toContain(
      "First 9000 bytes: p — "
    )
  },

  "CA-31 errors are never cut, nor what was cut while it streamed": (engine) => {
    const content = lines(9_000)
    const never = () => {
      throw new Error("expected not to be asked")
    }
    expect(engine.enter(REFERENCE, { content, isError: true }, never)).toEqual({ content, bounded: false })
    expect(engine.enter(REFERENCE, { content, bounded: true }, never)).toEqual({ content, bounded: true })
  },

  "CA-31 the whole result is saved, before it is cut": (engine) => {
    const text = lines(3_000)
    const kept: Array<string> = []
    engine.enter(REFERENCE, { content: text }, (content) => {
      kept.push(content)
      return "p"
    })
    expect(kept).toEqual([text])
  },

  "CA-31 bounds are a value: a run that keeps them bounds the same, whatever the window does": (engine) => {
    const first = engine.boundsOf(128_000)
    const text = lines(3_000)
    const before = engine.enter(first, { content: text }, saved)
    engine.boundsOf(2 ** 20)
    expect(engine.enter(first, { content: text }, saved)).toEqual(before)
  },

  "CA-31 every byte is counted, each cut is of whole lines, at every window": () => {
    const text = `${lines(60, (n) => "é".repeat(n % 7))}tail without a line break`
    expect(countLines(text)).toBe(61)
    for (let bytes = 1; bytes < 600; bytes++) {
      for (const cut of [cutHead(text, { bytes, lines: 50 }), cutTail(text, { bytes, lines: 50 })]) {
        expect(bytesOf(cut.kept)).toBeLessThanOrEqual(bytes)
        expect(cut.end === "head" ? text.startsWith(cut.kept) : text.endsWith(cut.kept)).toBe(true)
        if (cut.lines > 0) expect(countLines(cut.kept)).toBe(cut.lines)
      }
    }
    expect(cutHead("ab\ncd\nef\n", { bytes: 6, lines: 9 })).toMatchObject({ kept: "ab\ncd\n", lines: 2, totalLines: 3 })
    expect(cutTail("ab\ncd\nef\n", { bytes: 6, lines: 9 })).toMatchObject({ kept: "cd\nef\n", lines: 2, totalLines: 3 })
    expect(cutTail("ab\ncd\nef", { bytes: 5, lines: 9 })).toMatchObject({ kept: "cd\nef", lines: 2, totalLines: 3 })
    expect(boundResult(text, 100, 100, "read", undefined)).toBe(boundResult(text, 100, 50, "read", undefined))
    expect(boundResult(text, 100, 0, "read", undefined)).toBe(boundResult(text, 100, 50, "read", undefined))
  }
}

suite("bounds (CA-31)", claims, [
  {
    name: "absolute bounds",
    by: "CA-31 the bounds are shares",
    engine: { boundsOf: () => REFERENCE }
  },
  {
    name: "bounds within a starved window",
    by: "(CA-W9)",
    engine: {
      boundsOf: (context, under) => {
        const most = ours.observationWindow(context, under)
        return { ...ours.boundsOf(context, under), result: most, spill: most }
      }
    }
  },
  {
    name: "a command keeps its head",
    by: "CA-31 a command keeps its tail",
    engine: { enter: (at, incoming, save) => ours.enter(at, { ...incoming, shape: "read" }, save) }
  },
  {
    name: "a read keeps its tail",
    by: "CA-31 a read keeps its head",
    engine: { enter: (at, incoming, save) => ours.enter(at, { ...incoming, shape: "command" }, save) }
  },
  {
    name: "errors are cut",
    by: "CA-31 errors are never cut",
    engine: { enter: (at, incoming, save) => ours.enter(at, { ...incoming, isError: false }, save) }
  },
  {
    name: "lines are not counted",
    by: "CA-31 more than 2,000 lines",
    engine: {
      enter: (at, incoming, save) =>
        bytesOf(incoming.content) <= at.spill
          ? { content: incoming.content, bounded: false }
          : ours.enter(at, incoming, save)
    }
  },
  {
    name: "the cut is saved, not the whole",
    by: "CA-31 the whole result is saved",
    engine: { enter: (at, incoming, save) => ours.enter(at, incoming, (content) => save(content.slice(0, at.spill))) }
  }
])
