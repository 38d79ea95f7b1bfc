/** Policy files: every fault at its line and column. */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as JsonText from "../src/JsonText.ts"
import * as PolicyFile from "../src/PolicyFile.ts"

const faults = (text: string) =>
  Either.match(PolicyFile.read("p.json", text), { onLeft: (words) => words.split("\n"), onRight: () => [] })

describe("a policy file", () => {
  it("names each fault by line, column and path, in the order in which they stand", () => {
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
    expect(faults(text)).toEqual([
      'p.json:2:3: version: is unexpected, expected: "layers" | "defaults"',
      'p.json:5:24: layers[0].rules[0].ruling: expected "allow" or "ask" or "deny", got "warn"',
      'p.json:6:42: layers[0].rules[1].pattern: "[" has no meaning: only "*" and "?" have',
      "p.json:6:61: layers[0].rules[2].pattern: is missing",
      "p.json:9:3: defaults.exec: is missing"
    ])
  })

  it("refuses what is not JSON, and a key that stands twice, with the place", () => {
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
      expect(faults(text), text).toEqual([`p.json:${said}`])
    }
  })
})

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
