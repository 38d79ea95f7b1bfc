import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import { expect, it } from "vitest"
import * as Address from "../src/Address.ts"
import { Arbitraries } from "../src/testing.ts"

it("an address comes back from its text", () => {
  FastCheck.assert(
    FastCheck.property(Arbitraries.logId, Arbitraries.address, (run, address) => {
      const parsed = Address.parse(run + Address.format(address))
      expect(Option.getOrThrow(parsed)).toEqual({ run, address })
    })
  )
})

it("what shows an address shows it as the design writes it", () => {
  const shown = ["run@41", "run@41.2", "run@41:120-180", "run@41.2:1-1"].map((text) =>
    Option.map(Address.parse(text), ({ address }) => Address.format(address))
  )
  expect(shown.map(Option.getOrThrow)).toEqual(["@41", "@41.2", "@41:120-180", "@41.2:1-1"])
})

it("nothing else is an address", () => {
  const others = [
    "@41",
    "run@0",
    "run@041",
    "run@41.0",
    "run@41:0-1",
    "run@41:5-4",
    "run@41:5",
    "run@41 ",
    "run@4294967296"
  ]
  const malformed = ["run@1@2", "../run@1", "run@1\n", "@", "", "run@-1", "run@1.5.2", "ru n@1"]
  for (const text of [...others, ...malformed])
    expect(Option.isNone(Address.parse(text)), JSON.stringify(text)).toBe(true)
})
