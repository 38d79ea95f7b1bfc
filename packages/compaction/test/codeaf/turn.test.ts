/** CA-29 and CA-30, and the order of the loop. */
import { expect } from "vitest"
import { pure } from "@palimpsest/ledger/Sha256"
import { boundsOf, REFERENCE } from "../../src/codeaf/Bounds.ts"
import * as Decayer from "../../src/codeaf/Decayer.ts"
import { sized } from "../../src/codeaf/Sized.ts"
import { resultPath } from "../../src/codeaf/Spill.ts"
import * as Turn from "../../src/codeaf/Turn.ts"
import { ours, type Engine } from "./engine.ts"
import { callOf, Disk, isPrefix, isStub, wire } from "./leaf.ts"
import { suite, type Claims } from "./suite.ts"

const BRIEF = [
  { role: "system" as const, ...sized("rules") },
  { role: "user" as const, ...sized("ship the release") }
]

const settingsOf = (disk: Disk, working: number, safety = working): Turn.Settings => ({
  working,
  safety,
  bounds: REFERENCE,
  hash: pure,
  spill: disk.spill,
  save: (count, content) => {
    const path = resultPath(disk.leaf, count)
    disk.files.set(path, content)
    return path
  }
})

const answer = (
  text: string,
  contents: ReadonlyArray<string | Turn.Incoming>,
  id: string,
  mutated = false
): Turn.Answer => ({
  text,
  results: contents.map((content, n) => ({
    call: callOf(`${id}.${n}`, `{"cmd":"echo ${id}"}`),
    result: typeof content === "string" ? { content } : content
  })),
  revision: { before: 3, after: mutated ? 4 : 3 }
})

const step = (engine: Engine, settings: Turn.Settings, run: Turn.Run, given: Turn.Answer) => {
  const { pointed, run: settled } = engine.settle(settings, run, given)
  return { ...engine.prepare(settings, settled), pointed }
}

const claims: Claims = {
  "CA-29 TestTwoConsecutiveTurnsOfALeafSendAByteIdenticalPrefix": (engine) => {
    const settings = settingsOf(new Disk(), 32_768)
    let { run } = engine.prepare(settings, Turn.begin(BRIEF))
    for (const id of ["one", "two", "three"]) {
      const before = wire(run.messages)
      run = step(engine, settings, run, answer(`next ${id}`, [id, id], id)).run
      expect(isPrefix(before, wire(run.messages))).toBe(true)
      expect(run.messages.length).toBe(before.length + 3)
    }
  },

  "CA-29 CA-30 over many turns a request is a prefix of the next, but where a rewrite is recorded": (engine) => {
    const settings = settingsOf(new Disk(), 12_000, 40_000)
    let { run } = engine.prepare(settings, Turn.begin(BRIEF))
    let rewrites = 0
    for (let turn = 1; turn <= 40; turn++) {
      const before = wire(run.messages)
      const given = answer(`thought ${turn} ${"t".repeat(300)}`, [`${turn} `.repeat(700)], `c${turn}`, turn % 5 === 0)
      const stepped = step(engine, settings, run, given)
      run = stepped.run
      const stable = isPrefix(before, wire(run.messages))
      expect(stable).toBe(stepped.note === undefined)
      expect(stable).toBe(stepped.rewrites.length === 0)
      expect(stable).toBe(stepped.cause === undefined)
      if (!stable) rewrites++
    }
    expect(rewrites).toBeGreaterThan(1)
    expect(rewrites).toBeLessThan(10)
  },

  "CA-30 the line of the trace, exactly, and only on the turn that rewrote": (engine) => {
    const settings = settingsOf(new Disk(), 6_000)
    let run = Turn.begin(BRIEF)
    const notes: Array<string | undefined> = []
    for (let turn = 1; turn <= 6; turn++) {
      const stepped = step(engine, settings, run, answer("r".repeat(1_500), ["x".repeat(1_000)], `c${turn}`, true))
      run = stepped.run
      notes.push(stepped.note)
    }
    expect(notes).toEqual([
      undefined,
      undefined,
      undefined,
      "prefix rewritten — 0 observation(s) retired, 1 turn(s) folded; this turn re-reads cold",
      "prefix rewritten — 0 observation(s) retired, 1 turn(s) folded; this turn re-reads cold",
      "prefix rewritten — 0 observation(s) retired, 1 turn(s) folded; this turn re-reads cold"
    ])
  },

  "CA-17 CA-30 decay comes first, and fold sees what it left": (engine) => {
    const settings = settingsOf(new Disk(), 9_000)
    let run = Turn.begin(BRIEF)
    for (let turn = 1; turn <= 4; turn++) {
      run = engine.settle(settings, run, answer("r".repeat(2_000), [`${turn}`.repeat(2_600)], `c${turn}`)).run
    }
    const { cause, note, rewrites } = engine.prepare(settings, run)
    expect(rewrites.map(({ _tag, key }) => `${_tag} ${key}`)).toEqual([
      "Stubbed c1.0",
      "Stubbed c2.0",
      "Stubbed c3.0",
      "Folded assistant#2"
    ])
    expect(note).toContain("3 observation(s) retired, 1 turn(s) folded")
    expect(cause).toBe("ceiling")
  },

  "CA-30 the cause: what is spent made room, or the safety limit was passed": (engine) => {
    const settings = settingsOf(new Disk(), 6_000, 60_000)
    const run = ["a", "b", "c"].reduce(
      (before, id) => engine.settle(settings, before, answer("t", [id.repeat(2_500)], id, id === "c")).run,
      Turn.begin(BRIEF)
    )
    expect(engine.prepare(settings, run)).toMatchObject({
      cause: "schedule",
      rewrites: [{ key: "a.0" }, { key: "b.0" }]
    })
    expect(engine.prepare({ ...settings, safety: 6_000 }, { ...run, decayer: Decayer.empty }).cause).toBe("ceiling")
  },

  "CA-30 TestTheHitRatioIsWrittenDownForEveryTurn": (engine) => {
    const cases: ReadonlyArray<readonly [number, number, number]> = [
      [0, 12_000, 0],
      [47_000, 50_000, 94],
      [0, 0, 0],
      [60_000, 50_000, 100],
      [-1, 50_000, 0],
      [5, 0, 0]
    ]
    for (const [cached, prompt, want] of cases) expect(engine.hitPercent(cached, prompt)).toBe(want)
  },

  "CA-27 the meter is told what was admitted, not what the tools gave": (engine) => {
    const settings = settingsOf(new Disk(), 32_768)
    const body = "b".repeat(3_000)
    const first = engine.settle(settings, Turn.begin(BRIEF), answer("a", [body, body], "c1"))
    const words = first.run.messages.at(-1)!
    expect(words.text).toContain("identical to the result of")
    expect(first.run.decayer.inflow).toEqual({ turns: 1, bytes: 3_000 + words.bytes })
    expect(first.pointed).toMatchObject([{ index: 4, to: { turn: 1, key: "c1.0", path: ".obs/2-decay-c10.txt" } }])
    const quiet = engine.settle(settings, first.run, answer("done", [], "c2"))
    expect(quiet.run.decayer.inflow.turns).toBe(2)
  },

  "CA-09 a turn that changed the workspace spends what stood before its answer, and not its own results": (engine) => {
    const settings = settingsOf(new Disk(), 32_768)
    const read = engine.settle(settings, Turn.begin(BRIEF), answer("a", ["x"], "c1")).run
    expect(read.decayer.consumedFrom).toBe(0)
    expect(engine.settle(settings, read, answer("b", ["y"], "c2", true)).run.decayer.consumedFrom).toBe(4)
    expect(engine.settle(settings, read, answer("b", ["y"], "c2", false)).run.decayer.consumedFrom).toBe(0)
  },

  "CA-31 results are bounded at entry, numbered, and the report of jobs stands behind the bound": (engine) => {
    const disk = new Disk("3")
    const settings = settingsOf(disk, 32_768)
    const large = "line\n".repeat(4_000)
    const report = "[job 1 · running 4s]"
    const { run } = engine.settle(
      settings,
      Turn.begin(BRIEF),
      answer("a", [{ content: large, report }, "small", { content: large, shape: "command" }], "c1")
    )
    const [first, second, third] = run.messages.slice(3).map(({ text }) => text)
    expect(first).toContain(
      `Whole output: .obs/3-1.txt — continue with sh: sed -n '820,2819p' .obs/3-1.txt]\n\n${report}`
    )
    expect(second).toBe("small")
    expect(third).toContain("Whole output: .obs/3-2.txt")
    expect(disk.files.get(".obs/3-1.txt")).toBe(large)
    expect(run.saved).toBe(2)
    const streamed = engine.settle(settings, run, answer("b", [{ content: large, bounded: true }], "c2"))
    expect(streamed.run.saved).toBe(2)
    expect(streamed.run.messages.at(-1)!.text).toBe(large)
  },

  "CA-24 an image follows all results, and its caption is never addressed": (engine) => {
    const settings = settingsOf(new Disk(), 32_768)
    const image = { role: "user" as const, ...sized("[image]") }
    const caption = { content: "a caption ".repeat(50), followup: image }
    const { pointed, run } = engine.settle(settings, Turn.begin(BRIEF), answer("a", [caption, caption], "c1"))
    expect(run.messages.slice(2).map(({ role }) => role)).toEqual(["assistant", "tool", "tool", "user", "user"])
    expect(pointed).toEqual([])
    const failed = { ...caption, isError: true }
    const { run: without } = engine.settle(settings, Turn.begin(BRIEF), answer("a", [failed], "c1"))
    expect(without.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"])
  },

  "CA-12 CA-29 a run is a value: an old one goes another way, and the same way again": (engine) => {
    const settings = settingsOf(new Disk(), 4_000)
    const old = engine.settle(settings, Turn.begin(BRIEF), answer("a", ["x".repeat(3_000)], "c1")).run
    const before = JSON.stringify(old.messages)
    const given = answer("b", ["y".repeat(3_000)], "c2")
    const one = step(engine, settings, old, given)
    expect(step(engine, settingsOf(new Disk(), 4_000), old, given)).toEqual(one)
    expect(JSON.stringify(old.messages)).toBe(before)
    expect(one.run.messages.some(isStub)).toBe(true)
    expect(Turn.step(settings, old, given)).toEqual(one)
  },

  "CA-31 the bounds of a run are those it began with": () => {
    expect(boundsOf(128_000)).not.toEqual(REFERENCE)
    const settings = { ...settingsOf(new Disk(), 32_768), bounds: boundsOf(128_000) }
    const over = "x".repeat(10_000)
    const { run } = Turn.settle(settings, Turn.begin(BRIEF), answer("a", [over], "c1"))
    expect(run.messages.at(-1)!.text).toContain("of 10000 bytes in all")
  }
}

suite("the turn (CA-29, CA-30)", claims, [
  {
    name: "the transcript is stamped with its turn",
    by: "TestTwoConsecutiveTurns",
    engine: {
      prepare: (settings, run) => {
        const prepared = ours.prepare(settings, run)
        const [first, ...rest] = prepared.run.messages
        const stamped = { ...first!, text: `${first!.text} (turn ${run.turn})` }
        return { ...prepared, run: { ...prepared.run, messages: [stamped, ...rest] } }
      }
    }
  },
  {
    name: "a rewrite leaves no note",
    by: "CA-29 CA-30 over many turns",
    engine: { prepare: (settings, run) => ({ ...ours.prepare(settings, run), note: undefined }) }
  },
  {
    name: "every turn has a note",
    by: "CA-30 the line of the trace",
    engine: {
      prepare: (settings, run) => ({ ...ours.prepare(settings, run), note: "prefix rewritten" })
    }
  },
  {
    name: "fold comes first",
    by: "CA-17 CA-30 decay comes first",
    engine: {
      prepare: (settings, run) => {
        const folded = ours.foldWithin(run.decayer, run.messages, settings.working, settings.safety, settings.spill)
        const rest = ours.prepare(settings, { ...run, decayer: folded.decayer, messages: folded.messages })
        return { ...rest, rewrites: [...folded.rewrites, ...rest.rewrites] }
      }
    }
  },
  {
    name: "every rewrite is of the schedule",
    by: "CA-30 the cause",
    engine: { prepare: (settings, run) => ({ ...ours.prepare(settings, run), cause: "schedule" }) }
  },
  {
    name: "what was reported is what is said",
    by: "TestTheHitRatio",
    engine: { hitPercent: (cached, prompt) => Math.trunc((cached * 100) / prompt) }
  },
  {
    name: "the meter is told what the tools gave",
    by: "CA-27 the meter is told",
    engine: {
      settle: (settings, run, given) => {
        const settled = ours.settle(settings, run, given)
        const gave = given.results.reduce((sum, { result }) => sum + result.content.length, 0)
        const inflow = { turns: run.decayer.inflow.turns + 1, bytes: run.decayer.inflow.bytes + gave }
        return { ...settled, run: { ...settled.run, decayer: { ...settled.run.decayer, inflow } } }
      }
    }
  },
  {
    name: "a write spends what it gave too",
    by: "CA-09 a turn that changed",
    engine: {
      settle: (settings, run, given) => {
        const settled = ours.settle(settings, run, given)
        const { after, before } = given.revision
        const decayer =
          after > before ? ours.actedPast(settled.run.decayer, settled.run.messages.length) : settled.run.decayer
        return { ...settled, run: { ...settled.run, decayer } }
      }
    }
  }
])
