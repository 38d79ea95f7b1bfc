import { atPointer } from "@palimpsest/ledger/Resolve"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as JsonSpan from "../src/internal/JsonSpan.ts"

const cut = (text: string, pointer: string): string | undefined => {
  const span = JsonSpan.find(text, pointer)
  return span === undefined ? undefined : text.slice(...span)
}

/** The pointers of all values inside a value. */
const pointers = (value: unknown, at = ""): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return [at]
  const members = Object.entries(value)
  const escape = (key: string) => key.replaceAll("~", "~0").replaceAll("/", "~1")
  return [at, ...members.flatMap(([key, member]) => pointers(member, `${at}/${escape(key)}`))]
}

const property = (find: typeof JsonSpan.find) =>
  FastCheck.property(FastCheck.jsonValue(), FastCheck.constantFrom(0, 2), (value, indent) => {
    const text = JSON.stringify(value, null, indent)
    return pointers(value).every((pointer) => {
      const span = find(text, pointer)
      return (
        span !== undefined &&
        JSON.stringify(JSON.parse(text.slice(...span))) === JSON.stringify(atPointer(value, pointer))
      )
    })
  })

describe("JSON spans", () => {
  it("law 2: the span at a pointer holds the value that a parser has there", () => {
    FastCheck.assert(property(JsonSpan.find), { numRuns: 250 })
  })

  it("law 2: a walk that takes the first quote for the end of a string is caught", () => {
    const mutant: typeof JsonSpan.find = (text, pointer) => JsonSpan.find(text.replaceAll('\\"', '"'), pointer)
    expect(FastCheck.check(property(mutant), { numRuns: 2000 }).failed).toBe(true)
  })

  it("keeps large integers, escapes and white space; passes over a separator and a mark before the value", () => {
    expect(cut('{"a" : 12345678901234567890 , "b":"\\u0041\\/"}', "/a")).toBe("12345678901234567890")
    expect(cut('{"a":1,"b":"\\u0041\\/"}', "/b")).toBe('"\\u0041\\/"')
    expect(cut(' ,\n\ufeff[1,{"x":[ true ]}]', "/1/x")).toBe("[ true ]")
  })

  it("of a doubled key the last counts; escaped keys and pointer escapes are read", () => {
    expect(cut('{"a":1,"a":{"b":2}}', "/a/b")).toBe("2")
    expect(cut('{"a":{"b":2},"a":1}', "/a/b")).toBeUndefined()
    expect(cut('{"\\u0061/~":3}', "/a~1~0")).toBe("3")
  })

  it("gives nothing where nothing is", () => {
    for (const pointer of ["/b", "/a/0", "/a/x", "/l/2", "/l/-", "/l/01"])
      expect(cut('{"a":1,"l":[1,2]}', pointer)).toBeUndefined()
    expect(cut('{"a":[1,', "/a")).toBeUndefined()
    expect(cut("", "")).toBeUndefined()
  })
})
