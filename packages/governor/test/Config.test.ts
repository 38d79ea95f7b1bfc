import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { TreeId } from "@palimpsest/ledger/Ids"
import * as Config from "../src/Config.ts"
import { hash } from "./support/Hash.ts"
import { balanced, raw, section } from "./support/Presets.ts"
import { encode } from "./support/Sessions.ts"

const CONFIGS: ReadonlyArray<Config.Config> = [
  balanced("anthropic", 50_000),
  balanced("openai-chat", 50_000, 60_000),
  section("anthropic", 24_000),
  raw("openai-chat")
]

const fromText = (text: string) => Config.fromBytes(encode(text))

describe("law 14: a configuration", () => {
  it("comes back from the body that a run keeps of it", () => {
    for (const config of CONFIGS) {
      const { body, stored } = Config.bodyOf(hash, config)
      expect(Either.getOrThrow(Config.fromBytes(stored.bytes))).toEqual(config)
      expect(body).toMatchObject({ digest: stored.digest, encoding: "json", at: { _tag: "Own" } })
      expect(body.size.bytes).toBe(stored.bytes.length)
    }
  })

  it.each([
    ["an unknown preset", '{"preset":"frugal","shape":"anthropic"}'],
    ["a key too many", '{"preset":"raw","shape":"anthropic","line":1}'],
    ["a key of another preset", '{"preset":"io-harness","shape":"anthropic","maxTokens":9,"line":1}'],
    ["a missing key", '{"preset":"balanced","shape":"anthropic","line":1}'],
    ["an unknown shape", '{"preset":"raw","shape":"responses"}'],
    ["a line of nothing", '{"preset":"balanced","shape":"anthropic","line":0,"lowWater":0}'],
    ["half a token", '{"preset":"io-harness","shape":"anthropic","maxTokens":1.5}'],
    ["text for a number", '{"preset":"io-harness","shape":"anthropic","maxTokens":"9"}'],
    ["null for nothing", '{"preset":"balanced","shape":"anthropic","line":9,"lowWater":1,"ceiling":null}'],
    ["no JSON", "{"],
    ["nothing", ""]
  ])("%s does not decode", (_, text) => {
    expect(Either.isLeft(fromText(text))).toBe(true)
  })
})

describe("the names of a source's runs", () => {
  it("are of the source and the configuration: each configuration has its own, in the tree of the source", () => {
    const names = CONFIGS.map((config) => Config.names(hash, "session", config))
    expect(new Set(names.map(({ base }) => base)).size).toBe(CONFIGS.length)
    for (const { base, run, source, tree } of names) {
      expect(tree).toBe(TreeId.make("session"))
      expect(run("main")).toBe(base)
      expect([run("side-2"), run("row-1"), source].map(Config.baseOf)).toEqual([base, base, base])
      expect(Config.sourceLogOf(base)).toBe(source)
    }
    const { lowWater, ...rest } = { lowWater: 30_000, shape: "anthropic", line: 50_000, preset: "balanced" } as const
    expect(Config.names(hash, "session", { ...rest, lowWater }).base).toBe(names[0]!.base)
  })
})
