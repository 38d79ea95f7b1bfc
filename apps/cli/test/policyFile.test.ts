/** Policy files, JSON and YAML: every fault at its line and column. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { stringify } from "yaml"
import { builtin, encode } from "@palimpsest/policy/Policy"
import * as JsonText from "../src/JsonText.ts"
import * as PolicyFile from "../src/PolicyFile.ts"
import * as YamlText from "../src/YamlText.ts"

const faults = (text: string, file = "p.json") =>
  Effect.runPromise(
    Effect.match(PolicyFile.read(file, text), {
      onFailure: ({ message }) => message.split("\n"),
      onSuccess: () => []
    })
  )

describe("a policy file", () => {
  it("names each fault by line, column and path, in the order in which they stand", async () => {
    const text = [
      "{",
      '  "version": 1,',
      '  "layers": [',
      '    { "name": "mine", "rules": [',
      '      { "act": "read", "ruling": "warn", "pattern": "a" },',
      '      { "act": "read", "ruling": "deny", "pattern": "[a" }, { "act": "read", "ruling": "deny" }',
      "    ] }",
      "  ],",
      '  "defaults": { "read": "allow", "write": "ask" }',
      "}"
    ].join("\r\n")
    expect(await faults(text)).toEqual([
      'p.json:2:3: version: is unexpected, expected: "layers" | "defaults"',
      'p.json:5:24: layers[0].rules[0].ruling: expected "allow" or "ask" or "deny", got "warn"',
      'p.json:6:42: layers[0].rules[1].pattern: "[" has no meaning: only "*" and "?" have',
      "p.json:6:61: layers[0].rules[2].pattern: is missing",
      "p.json:9:3: defaults.exec: is missing"
    ])
  })

  it("refuses what is not JSON, and a key that stands twice, with the place", async () => {
    for (const [text, said] of [
      ["", "1:1: not JSON (expected a value, got the end)"],
      ['{\n"a": 1,\n}', '3:1: not JSON (expected a key in double quotes, got "}")'],
      ['{"a" 1}', '1:6: not JSON (expected ":", got "1")'],
      ["[1 2]", '1:4: not JSON (expected "," or "]", got "2")'],
      ["{} x", '1:4: not JSON (expected nothing more, got "x")'],
      ["{'a': 1}", `1:2: not JSON (expected a key in double quotes, got "'")`],
      ["[01]", '1:3: not JSON (expected "," or "]", got "1")'],
      ['{"layers": [],\n "layers": []}', '2:2: not JSON (the key "layers" stands here twice)'],
      ['{"a": 1, "\\u0061": 2}', '1:10: not JSON (the key "\\u0061" stands here twice)'],
      ["[".repeat(200), "1:102: not JSON (nested deeper than 100)"]
    ] as const) {
      expect(await faults(text), text).toEqual([`p.json:${said}`])
    }
  })
})

describe("a policy file in YAML", () => {
  it("is the same policy as in JSON", async () => {
    const read = PolicyFile.read("p.yml", `# what holds where nobody says otherwise\n${stringify(encode(builtin))}`)
    expect(encode(await Effect.runPromise(read))).toEqual(encode(builtin))
  })

  it("names each fault by line, column and path, in the order in which they stand", async () => {
    const text = [
      "# a policy",
      "version: 1",
      "layers:",
      "  - name: mine",
      "    rules:",
      "      - { act: read, ruling: warn, pattern: a }",
      "      - &one",
      "        act: read",
      "        ruling: deny",
      '        pattern: "[a"',
      "      - *one",
      "defaults: { read: allow, write: ask }"
    ].join("\n")
    expect(await faults(text, "p.yaml")).toEqual([
      'p.yaml:2:1: version: is unexpected, expected: "layers" | "defaults"',
      'p.yaml:6:22: layers[0].rules[0].ruling: expected "allow" or "ask" or "deny", got "warn"',
      'p.yaml:10:9: layers[0].rules[1].pattern: "[" has no meaning: only "*" and "?" have',
      'p.yaml:10:9: layers[0].rules[2].pattern: "[" has no meaning: only "*" and "?" have',
      "p.yaml:12:1: defaults.exec: is missing"
    ])
  })

  it("refuses what YAML would let pass in silence, with the place", async () => {
    for (const [text, said] of [
      ["layers: []\nlayers: []", "2:1: not YAML (Map keys must be unique)"],
      ["a: 1\n1: 2", "2:1: not YAML (expected a key that is a text; put it in quotes)"],
      ["a: *b", "1:4: not YAML (*b names nothing that stands above it)"],
      ["a: &b [*b]", "1:8: not YAML (*b stands inside what it names)"],
      ["a: !secret b", "1:4: not YAML (Unresolved tag: !secret)"],
      ["a: 'b", "1:6: not YAML (Missing closing 'quote)"],
      ["a:\n\t- b", "2:1: not YAML (Tabs are not allowed as indentation)"],
      ["a\n---\nb", "2:1: not YAML (a second document begins here; expected one)"],
      [`${"[".repeat(300)}1${"]".repeat(300)}`, "1:201: not YAML (nested deeper than 200)"],
      ["[".repeat(100_000), "1:1: not YAML (nested too deep)"],
      [BILLION, "1:1: not YAML (Excessive alias count indicates a resource exhaustion attack)"]
    ] as const) {
      expect(await faults(text, "p.yaml"), text.slice(0, 40)).toEqual([`p.yaml:${said}`])
    }
  })

  it("merges no keys, and takes no word for a truth value that YAML 1.2 takes for none", async () => {
    const value = Either.map(YamlText.parse("<<: { a: 1 }\nb: no\nc: 010"), (parsed) => parsed.value)
    expect(value).toEqual(Either.right({ "<<": { a: 1 }, b: "no", c: 10 }))
  })

  it("reads JSON as JSON.parse does", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.jsonValue({ maxDepth: 4, noUnicodeString: false }), (value) => {
        const json = JSON.stringify(value, null, 2)
        expect(
          Either.map(YamlText.parse(json), (parsed) => parsed.value),
          json
        ).toEqual(Either.right(JSON.parse(json)))
      }),
      { numRuns: 300 }
    )
  })
})

const BILLION = `a: &a [x, x, x, x, x, x, x, x, x]\n${[..."bcdefgh"]
  .map((name, i) => `${name}: &${name} [${`*${"abcdefgh"[i]}, `.repeat(9)}x]`)
  .join("\n")}`

describe("JSON with its places", () => {
  it("reads what JSON.parse reads, and nothing that it does not", () => {
    const text = FastCheck.oneof(
      FastCheck.json(),
      FastCheck.json().map((json) => JSON.stringify(JSON.parse(json), null, 2)),
      FastCheck.tuple(
        FastCheck.json(),
        FastCheck.nat(),
        FastCheck.constantFrom("", ",", '"', "}", "0", "\\", "-", "\u00a0")
      ).map(
        ([json, at, piece]) => json.slice(0, at % (json.length + 1)) + piece + json.slice((at % (json.length + 1)) + 1)
      )
    )
    FastCheck.assert(
      FastCheck.property(text, (json) => {
        const parsed = JsonText.parse(json)
        const twice = Either.isLeft(parsed) && parsed.left.why.endsWith("twice")
        let expected: unknown
        try {
          expected = JSON.parse(json)
        } catch {
          expect(Either.isLeft(parsed), json).toBe(true)
          return
        }
        if (!twice)
          expect(
            Either.map(parsed, ({ value }) => value),
            json
          ).toEqual(Either.right(expected))
      }),
      { numRuns: 2_000 }
    )
  })
})
