import * as FastCheck from "effect/FastCheck"
import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { pure } from "../src/Sha256.ts"

const reference = (...parts: ReadonlyArray<Uint8Array>): string =>
  parts.reduce((state, part) => state.update(part), createHash("sha256")).digest("hex")

it("equals node:crypto at every length around the block", () => {
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 0xff)
    expect(pure(bytes)).toBe(reference(bytes))
  }
})

it("equals node:crypto on any parts", () => {
  FastCheck.assert(
    FastCheck.property(
      FastCheck.array(FastCheck.uint8Array({ maxLength: 300 }), { maxLength: 5 }),
      (parts) => pure(...parts) === reference(...parts)
    ),
    { numRuns: 500 }
  )
})

it("equals node:crypto beyond 2^16 bytes", () => {
  for (const length of [65_535, 65_536, 65_537, 1_000_003]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7) & 0xff)
    expect(pure(bytes)).toBe(reference(bytes))
  }
})
