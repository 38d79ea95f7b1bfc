import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as Check from "../src/Check.ts"
import * as Pattern from "../src/Pattern.ts"
import * as Platform from "../src/Platform.ts"
import * as Policy from "../src/Policy.ts"
import * as Target from "../src/Target.ts"
import { Arbitraries } from "../src/testing.ts"

const net = (target: string) => Target.canonical("net", target)
const on = (platform: Platform.Platform, target: string) => Target.canonical("read", target, platform)

describe("endpoints", () => {
  it("law 12: a URL is the host and port that it connects to", () => {
    for (const [written, canonical] of [
      ["https://host:8443/path?q#f", "host:8443"],
      ["https://host/path", "host:443"],
      ["http://HOST", "host:80"],
      ["ws://h/", "h:80"],
      ["wss://h", "h:443"],
      ["ftp://h", "h:21"],
      ["ssh://git@h/repo", "h:22"],
      ["postgres://u:p@db.test:5432/x", "db.test:5432"],
      ["postgres://db.test/x", "db.test"],
      ["https://good.test@evil.test/", "evil.test:443"],
      ["https://evil.test\\@good.test/", "evil.test:443"],
      ["https:evil.test", "evil.test:443"],
      ["https:\\\\evil.test", "evil.test:443"],
      [" ht\ntps://evil.test", "evil.test:443"],
      ["//evil.test/a", "evil.test"],
      ["https://ev%69l.test", "evil.test:443"],
      ["https://\uff45vil.test", "evil.test:443"],
      ["https://M\u00dcLLER.test", "xn--mller-kva.test:443"],
      ["https://evil.test.:443", "evil.test:443"]
    ] as const) {
      expect(net(written), written).toBe(canonical)
    }
  })

  it("law 12: host and host:port, default ports kept, addresses in one form", () => {
    for (const [written, canonical] of [
      ["h", "h"],
      ["h:80", "h:80"],
      ["h:443", "h:443"],
      ["h:0080", "h:80"],
      ["H.:65535", "h:65535"],
      ["localhost:8080", "localhost:8080"],
      ["http:80", "http:80"],
      ["::1", "::1"],
      ["[::1]", "::1"],
      ["[::1]:80", "[::1]:80"],
      ["[0:0:0:0:0:0:0:1]:443", "[::1]:443"],
      ["https://[::1]/", "[::1]:443"],
      ["FE80::A", "fe80::a"],
      ["2130706433:80", "127.0.0.1:80"],
      ["0x7f.1", "127.0.0.1"],
      ["127.0.0.1:80", "127.0.0.1:80"],
      ["h/path", "h"],
      ["user@h:22", "h:22"],
      ["", ""],
      ["h:99999", "h:99999"],
      ["A B:C", "ab:c"]
    ] as const) {
      expect(net(written), JSON.stringify(written)).toBe(canonical)
    }
  })

  it("law 13: a rule for a host holds for every way to write it, and one for a port knows the port of a scheme", () => {
    const policy = Either.getOrThrow(
      Check.compile(
        Policy.deny(
          Policy.deny(Policy.deny(Policy.permissive, "net", "Evil.test"), "net", "a.test:443"),
          "net",
          "[::1]:80"
        )
      )
    )
    const ruling = (target: string) => Check.check(policy, "net", target).ruling
    for (const target of [
      "evil.test",
      "https://evil.test/a",
      "EVIL.test.:1",
      "https://x@evil.test",
      "https://a.test/"
    ]) {
      expect(ruling(target), target).toBe("deny")
    }
    expect([ruling("http://a.test/"), ruling("a.test"), ruling("[0::1]:80"), ruling("[::1]:81")]).toEqual([
      "allow",
      "allow",
      "deny",
      "allow"
    ])
  })

  it("IO-38 a net pattern that is more than a host and a port is malformed: a path would be ignored", () => {
    for (const pattern of [
      "https://h",
      "h/path",
      "h/*",
      "u@h",
      "h:80 ",
      "*.m\u00fcller.test",
      "h#a",
      "[ab]",
      "[::1]:x",
      "h\\a"
    ]) {
      expect(Pattern.faultOf("net", pattern), pattern).toBeTypeOf("string")
    }
    for (const pattern of [
      "h",
      "h:80",
      "*.h",
      "h:*",
      "*:443",
      "::1",
      "[::1]",
      "[::1]:80",
      "[::1]:*",
      "m\u00fcller.test",
      "?"
    ]) {
      expect(Pattern.faultOf("net", pattern), pattern).toBeUndefined()
    }
  })
})

describe("platforms", () => {
  it("law 12: separators and case are folded where the platform does, and nowhere else", () => {
    for (const [written, posix, darwin, windows] of [
      ["Src\\A.ts", "Src\\A.ts", "src\\a.ts", "src/a.ts"],
      ["./SRC//a", "SRC/a", "src/a", "src/a"],
      ["a\\..\\b", "a\\..\\b", "a\\..\\b", "b"],
      ["\\\\?\\C:\\Keys\\id_rsa", "\\\\?\\C:\\Keys\\id_rsa", "\\\\?\\c:\\keys\\id_rsa", "c:/keys/id_rsa"],
      ["\\\\?\\UNC\\s\\x", "\\\\?\\UNC\\s\\x", "\\\\?\\unc\\s\\x", "/s/x"],
      ["a./b. . /c", "a./b. . /c", "a./b. . /c", "a/b/c"],
      ["../a", "../a", "../a", "../a"],
      [".env", ".env", ".env", ".env"],
      ["e\u0301", "e\u0301", "\u00e9", "\u00e9"],
      ["STRASSE \u03a3", "STRASSE \u03a3", "strasse \u03c3", "strasse \u03c3"],
      ["\u212a\u017f\u00df", "\u212a\u017f\u00df", "ksss", "ksss"]
    ] as const) {
      expect([on(Platform.posix, written), on(Platform.darwin, written), on(Platform.windows, written)]).toEqual([
        posix,
        darwin,
        windows
      ])
    }
    expect(Target.canonical("exec", "Read\\", Platform.windows)).toBe("Read\\")
  })

  it("law 12: canonical is idempotent on every platform, for every character and for what they make together", () => {
    const platforms = [Platform.posix, Platform.darwin, Platform.windows]
    for (let code = 1; code <= 0x1_ffff; code++) {
      const name = `a${String.fromCodePoint(code)}b`
      const folded = on(Platform.darwin, name)
      if (on(Platform.darwin, folded) !== folded) throw new Error(`U+${code.toString(16)} folds twice`)
    }
    const text = FastCheck.oneof(
      FastCheck.array(FastCheck.constantFrom("A", "..", ".", "/", "\\", " ", "\u03a3", "\u0130", "\u0301", "C:", "?"), {
        maxLength: 8
      }).map((pieces) => pieces.join("")),
      FastCheck.fullUnicodeString()
    )
    FastCheck.assert(
      FastCheck.property(FastCheck.constantFrom(...platforms), Arbitraries.act, text, (platform, act, written) => {
        const once = Target.canonical(act, written, platform)
        expect(Target.canonical(act, once, platform)).toBe(once)
      }),
      { numRuns: 3_000 }
    )
  })

  it("law 13: a rule is read on the platform of its targets, and refused where nothing there could match it", () => {
    const rules = Policy.deny(Policy.deny(Policy.permissive, "read", "Secrets\\*"), "read", "*\u03a3x")
    const windows = Either.getOrThrow(Check.compile(rules, Platform.windows))
    for (const target of ["secrets/a", "SECRETS\\.\\a", ".\\x\\..\\Secrets\\a", "a\u03c3X"]) {
      expect(Check.check(windows, "read", target).ruling, target).toBe("deny")
    }
    expect(Check.explain(windows, "read", "SECRETS\\A")).toMatchObject({
      target: "secrets/a",
      verdict: { rule: "Secrets\\*" }
    })
    expect(Check.check(Either.getOrThrow(Check.compile(rules)), "read", "secrets/a").ruling).toBe("allow")
    for (const pattern of ["a\\", "a\\..\\b", "a.", "a \\b", "*."]) {
      expect(Pattern.faultOf("read", pattern, Platform.windows), pattern).toBeTypeOf("string")
      expect(Pattern.faultOf("read", pattern), pattern).toBeUndefined()
    }
    expect(Pattern.faultOf("read", "..\\a.*", Platform.windows)).toBeUndefined()
  })
})
