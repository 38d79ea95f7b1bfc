import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { encode, isWellFormed, sorted } from "../src/Canonical.ts"
import { Arbitraries } from "../src/testing.ts"

const text = (value: unknown): string => Either.getOrThrow(encode(value))
const fault = (value: unknown) => Either.getOrThrow(Either.flip(encode(value)))

describe("canonical JSON (RFC 8785)", () => {
  it("sorts keys by UTF-16 code units (section 3.2.3)", () => {
    const value = JSON.parse(
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",' +
        '"\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}'
    )
    expect([...text(value).matchAll(/"([^"]*)":"/g)].map(([, key]) => key)).toEqual([
      "\\r",
      "1",
      "\u0080",
      "ö",
      "€",
      "😀",
      "\ufb33"
    ])
  })

  it("writes numbers as ECMAScript does (section 3.2.2)", () => {
    expect(
      text(JSON.parse("[333333333.33333329,1E23,4.50,2e-3,0.000000000000000000000000001,-0,1e-7]").toSpliced(1, 1))
    ).toBe("[333333333.3333333,4.5,0.002,1e-27,0,1e-7]")
    expect(sorted(1e23)).toBe("1e+23")
  })

  it("escapes what JSON must, and nothing else", () => {
    expect(text('€$\u000f\nA\'B"\\"/\u2028\u007f')).toBe('"€$\\u000f\\nA\'B\\"\\\\\\"/\u2028\u007f"')
  })

  it("writes nesting and literals without white space", () => {
    expect(text({ b: [true, false, null, {}], a: { d: 1, c: "" } })).toBe(
      '{"a":{"c":"","d":1},"b":[true,false,null,{}]}'
    )
  })

  it("keeps a key named __proto__", () => {
    expect(text(JSON.parse('{"__proto__":1,"a":2}'))).toBe('{"__proto__":1,"a":2}')
  })

  it("refuses what has no canonical form, and says where", () => {
    expect(fault({ "a/b": { "~": [1, Number.NaN] } }).path).toBe("/a~1b/~0/1")
    for (const value of [
      2 ** 53,
      -(2 ** 53),
      1e300,
      Infinity,
      NaN,
      "\ud83d",
      { "\udc00": 1 },
      [undefined],
      1n,
      () => 1
    ]) {
      expect(Either.isLeft(encode({ value })), String(value)).toBe(true)
    }
    for (const value of [new Date(0), new Map([[1, 2]]), new Set([1]), new Uint8Array(2), /a/]) {
      expect(Either.isLeft(encode({ value })), value.constructor.name).toBe(true)
    }
  })

  it("takes an undefined member for an absent one", () => {
    expect(text({ a: undefined, b: 1 })).toBe(text({ b: 1 }))
  })

  it("keeps what others may send", () => {
    const value = JSON.parse('{"b":"\\ud83d","a":9007199254740993}')
    expect(JSON.parse(sorted(value))).toEqual(value)
    expect(sorted(value)).toBe('{"a":9007199254740992,"b":"\\ud83d"}')
  })

  it("knows well-formed text", () => {
    FastCheck.assert(
      FastCheck.property(Arbitraries.text, (given) => {
        const replaced = new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(given))
        return isWellFormed(given) === (replaced === given)
      })
    )
  })
})
