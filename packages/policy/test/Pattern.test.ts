import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { matchesWildcard } from "../src/internal/wildcard.ts"
import * as Pattern from "../src/Pattern.ts"
import * as Target from "../src/Target.ts"
import { Arbitraries } from "../src/testing.ts"
import { naiveMatches, seedMatches } from "./seed.ts"

const matches = (pattern: string, subject: string) =>
  Pattern.matches(Either.getOrThrow(Pattern.parse("exec", pattern)), subject)

describe("pattern", () => {
  it("IO-38 each shape is read for what it is", () => {
    const shape = (text: string) => Either.getOrThrow(Pattern.parse("read", text)).shape._tag
    expect(["*", "**", "a", "a*", "*a", "*a*", "a*b", "?", "a**"].map(shape)).toEqual([
      "Any",
      "Any",
      "Literal",
      "Prefix",
      "Suffix",
      "Inside",
      "General",
      "General",
      "Prefix"
    ])
  })

  it("IO-38 a star is any run, separators and line ends included; a question mark is one scalar value", () => {
    expect(matches("a*z", "a/b\nc/z")).toBe(true)
    expect(matches("a*z", "az")).toBe(true)
    expect(matches("?", "😀")).toBe(true)
    expect(matches("??", "😀")).toBe(false)
    expect(matches("*??", "😀")).toBe(false)
    expect(matches("?", "")).toBe(false)
    expect(matches("?", "\ud83d")).toBe(true)
    expect(matches("a.b", "axb")).toBe(false)
    expect(matches("A", "a")).toBe(false)
  })

  it("IO-38 every shape agrees with the naive matcher, and so does the general one on all of them", () => {
    FastCheck.assert(
      FastCheck.property(Arbitraries.pattern, Arbitraries.target, (pattern, target) => {
        const expected = naiveMatches([...pattern], [...target])
        expect(matches(pattern, target)).toBe(expected)
        expect(matchesWildcard(pattern, target)).toBe(expected)
      }),
      { numRuns: 2_000 }
    )
  })

  it("IO-38 patterns that blow up a backtracking matcher are answered in a bounded number of steps", () => {
    const target = "a".repeat(20_000)
    expect(matches("*a".repeat(40) + "*b", target)).toBe(false)
    expect(matches("a*".repeat(40) + "?b", target)).toBe(false)
    expect(matches("*" + "?a".repeat(40) + "*", target)).toBe(true)
  })

  it("IO-38 malformed patterns are refused, where the seed let them match nothing", () => {
    for (const pattern of ["", "[", "a]", "{a,b}", "}", "[!a]", "a\0", "\ud83d", "a\udc00b"]) {
      for (const act of ["read", "write", "exec", "net"] as const) {
        expect(Pattern.faultOf(act, pattern), JSON.stringify(pattern)).toBeTypeOf("string")
      }
    }
    expect(seedMatches("read", "[ab]", "a")).toBe(false)
    for (const pattern of ["a/", "a/../b", "*/..", "a//.."]) {
      expect(Pattern.faultOf("read", pattern), pattern).toBeTypeOf("string")
      expect(Pattern.faultOf("exec", pattern), pattern).toBeUndefined()
    }
    for (const pattern of [
      "../a",
      "../../*",
      "./a",
      "/",
      "..",
      "😀",
      "a b",
      "<test-binary>",
      "a\\b",
      "..a/b",
      "a/..b"
    ]) {
      expect(Pattern.faultOf("write", pattern), pattern).toBeUndefined()
    }
  })
})

describe("target", () => {
  it("law 12: one file has one name", () => {
    for (const [written, canonical] of [
      ["./a", "a"],
      ["a", "a"],
      ["a//b/./c", "a/b/c"],
      ["a/b/..", "a"],
      ["a/..", "."],
      ["", "."],
      [".", "."],
      ["a/", "a"],
      ["../a", "../a"],
      ["a/../../b", "../b"],
      ["/a//b", "/a/b"],
      ["/../a", "/../a"],
      ["//", "/"],
      ["..a/.b", "..a/.b"],
      ["a\\..\\b", "a\\..\\b"]
    ] as const) {
      expect(Target.canonical("read", written), JSON.stringify(written)).toBe(canonical)
    }
    expect(Target.canonical("exec", "./a")).toBe("./a")
    expect(Target.canonical("net", "API.Example.COM.:443")).toBe("api.example.com:443")
    expect(Target.canonical("net", "example.com.")).toBe("example.com")
  })

  it("law 12: canonical is idempotent", () => {
    const anything = FastCheck.oneof(
      Arbitraries.target,
      FastCheck.array(FastCheck.constantFrom("a", ".", "..", "/", "", ":", "B")).map((pieces) => pieces.join("/"))
    )
    FastCheck.assert(
      FastCheck.property(Arbitraries.act, anything, (act, target) => {
        const once = Target.canonical(act, target)
        expect(Target.canonical(act, once)).toBe(once)
      }),
      { numRuns: 1_000 }
    )
  })

  it("IO-38 base names and hosts", () => {
    expect([Target.basename("a/b"), Target.basename("a"), Target.basename("a/")]).toEqual(["b", undefined, undefined])
    expect([Target.host("h:1"), Target.host("h"), Target.host("[::1]:80"), Target.host("::1")]).toEqual([
      "h",
      undefined,
      "::1",
      undefined
    ])
  })
})
