import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { PURE } from "../src/packageExamples.ts"
import { DECIDING, PACKAGES, sizeOf, SIZES } from "../src/sizes.mjs"

const written: Readonly<Record<string, number>> = JSON.parse(readFileSync(SIZES, "utf8"))

describe("the size of each package alone, minified, without effect", () => {
  it("is written down for every package that runs without a host", () => {
    expect(PACKAGES).toEqual(PURE)
    expect(Object.keys(written)).toEqual(PURE)
  })

  it.each(PACKAGES)("%s is no more than a fifth above what is written down", async (name) => {
    const bytes = await sizeOf(name)
    process.stdout.write(`@palimpsest/${name}: ${bytes} bytes\n`)
    expect(bytes).toBeGreaterThan(1_000)
    expect(bytes).toBeLessThanOrEqual((written[name] ?? 0) * 1.2)
  })

  it("of policy, all that decides, is at most 10 kB", async () => {
    expect(await sizeOf("policy", DECIDING)).toBeLessThanOrEqual(10_000)
  })
})
