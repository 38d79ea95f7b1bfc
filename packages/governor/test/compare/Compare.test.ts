/** Whole comparisons: the shape of the figures, raw as the measure, sums of sessions, and the project's own examples. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { describe, expect, it } from "vitest"
import { standard } from "@palimpsest/budget/Price"
import * as Compare from "../../src/compare/Compare.ts"
import * as Restore from "../../src/compare/Restore.ts"
import type { Config } from "../../src/Config.ts"
import { hash } from "../support/Hash.ts"
import { bytesOf, NAMES } from "../support/Sessions.ts"
import * as Chat from "./Chat.ts"

const OPTIONS: Compare.Options = { fixed: 3_000, prices: standard, recall: Restore.whole, asSent: true }

const governed = (line: number, lowWater: number) => (shape: Config["shape"]) => ({
  name: `line ${line}`,
  config: { preset: "balanced", shape, line, lowWater, schedule: "hysteresis" } satisfies Config
})

/** Six results of 400 tokens: the first and the fifth are needed at the end. */
const results = ["t", "a", "b", "c", "u", "d"].map((seed) => Chat.words(seed, 1_600))
const [T = "", , , , U = ""] = results
const small = Chat.bytesOf([
  Chat.user("go"),
  ...results.flatMap((text, i) => [Chat.says("look", { id: `c${i}`, args: { i } }), Chat.result(`c${i}`, text)]),
  Chat.says("hm"),
  Chat.says("hm"),
  Chat.says(`so ${T.slice(100, 160)}`),
  Chat.says(`so ${U.slice(100, 160)}`),
  Chat.says("done")
])

const evaluated = (bytes: Uint8Array, ...configs: ReadonlyArray<(shape: Config["shape"]) => Compare.Named>) =>
  Effect.runSync(Compare.evaluate(hash, bytes, "small", (shape) => configs.map((config) => config(shape)), OPTIONS))

describe("figures", () => {
  const compared = evaluated(small, governed(50_000, 25_000), governed(2_000, 1_000), governed(1_000, 50))
  const table = Compare.tableOf(compared)

  it("are those that are promised, for each configuration and for raw", () => {
    const keys = [
      ["preset", "asSentRatio", "openRatio", "closedRatio", "loss", "cachedShare", "peakTokens", "rewrites"],
      ["worstTurnRatio"]
    ].flat()
    expect(Object.keys(table)).toEqual(["presets", "raw", "lowerBound"])
    for (const row of table.presets) expect(Object.keys(row)).toEqual(expect.arrayContaining(keys))
    expect(Object.keys(table.raw)).toEqual(expect.arrayContaining([...keys, "requests", "tokens", "cost"]))
  })

  it("of raw are 1, without loss and rewrites", () => {
    const measure = { asSentRatio: 1, openRatio: 1, closedRatio: 1, worstTurnRatio: 1, loss: 0, rewrites: 0, uses: 2 }
    expect(table.raw).toMatchObject({ ...measure, requests: 11 })
    expect(table.presets[0]).toMatchObject(measure)
    expect(table.lowerBound).toBeLessThan(1)
  })

  it("show what leaves as loss: the more leaves that was needed, the more", () => {
    expect(table.presets.map(({ loss }) => loss)).toEqual([0, 0.5, 1])
    for (const { closedRatio, openRatio } of table.presets.slice(1)) expect(closedRatio).toBeGreaterThan(openRatio)
    expect(table.presets.map(({ misses }) => misses)).toEqual([0, 1, 2])
  })

  it("name the dearest turn beside raw's of the same number", () => {
    const recording = Chat.readBytes(small)
    const costs = (config?: Config) => Chat.driven(recording, [], config, { fixed: 3_000 }).costs
    const [raw, once] = [costs(), costs(governed(2_000, 1_000)("openai-chat").config)]
    const ratios = once.map((cost, i) => cost / (raw[i] ?? 0))
    expect(table.presets[1]?.worstTurnRatio).toBeCloseTo(Math.max(...ratios), 9)
    expect(Math.max(...ratios)).toBeGreaterThan(1.2)
  })

  it("of a section say what it shows: a whole observation, or one that left", () => {
    const section = (maxTokens: number) => (shape: Config["shape"]) => ({
      name: `${maxTokens}`,
      config: { preset: "io-harness", shape, maxTokens } satisfies Config
    })
    const { presets } = Compare.tableOf(evaluated(small, section(24_000), section(1_500)))
    expect(presets.map(({ loss }) => loss)).toEqual([0, 0.5])
  })

  it("of several sessions are of their sums, and name the worst", () => {
    const other = evaluated(Chat.bytesOf([Chat.user("go"), Chat.says("done")]), governed(50_000, 25_000))
    const one = evaluated(small, governed(1_000, 50))
    const all = Compare.tablesOf([one, { ...other, session: "other" }])
    expect(all.raw.cost).toBeCloseTo(one.raw.open.cost + other.raw.open.cost, 9)
    const cost = (one.presets[0]?.open.cost ?? 0) + (other.presets[0]?.open.cost ?? 0)
    expect(all.presets[0]?.openRatio).toBeCloseTo(cost / all.raw.cost, 9)
    expect(all.presets[0]?.loss).toBe(1)
    expect(all.sessions.map(({ session }) => session)).toEqual(["small", "other"])
    expect(all.worst).toEqual([{ preset: "line 1000", session: "other", openRatio: 1 }])
  })

  it("leave out the ratio as sent where it is not asked for", () => {
    const effect = Compare.evaluate(hash, small, "small", () => [], { ...OPTIONS, asSent: false })
    expect(Compare.tableOf(Effect.runSync(effect)).raw.asSentRatio).toBe(null)
  })

  it("are of no file whose format is not known", () => {
    const effect = Compare.evaluate(hash, new Uint8Array([0x7b]), "torn", () => [], OPTIONS)
    expect(Either.isLeft(Effect.runSync(Effect.either(effect)))).toBe(true)
  })
})

describe.each(NAMES)("%s", (name) => {
  it("raw loses nothing, and the bound is below what any configuration costs without loss", () => {
    const { lowerBound, presets, raw } = Compare.tableOf(
      Effect.runSync(
        Compare.evaluate(hash, bytesOf(name), name, (shape) => [governed(50_000, 25_000)(shape)], {
          ...OPTIONS,
          asSent: false
        })
      )
    )
    expect(raw).toMatchObject({ loss: 0, openRatio: 1, closedRatio: 1 })
    expect(lowerBound).toBeLessThanOrEqual(1)
    for (const { closedRatio, loss } of presets) if (loss === 0) expect(lowerBound).toBeLessThanOrEqual(closedRatio)
  })
})
