import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { forbiddenInSource, packageOf, ROWS } from "../src/boundaries.ts"
import { codeOf, importsOf } from "../src/code.ts"
import { examplesOf, PURE, run, shownIn } from "../src/packageExamples.ts"

const load = (module: string): Promise<unknown> => import(module)

it("each package that runs without a host has an example", () => {
  expect(PURE).toEqual(["ledger", "budget", "policy", "compaction", "transcript", "governor"])
  for (const pack of PURE) expect(examplesOf(pack)).not.toEqual([])
})

describe.each(PURE)("@palimpsest/%s", (pack) => {
  const examples = examplesOf(pack)

  it("shows its examples in its README as they stand in their files, and nothing else", () => {
    expect(shownIn(pack)).toEqual(examples.map(({ text }) => text))
  })

  it.each(examples)("$file is short, and imports the package, what that may know, and effect", ({ text }) => {
    const packages = new Set(importsOf(codeOf(text)).map(packageOf))
    const known = ROWS[pack]?.knows.map((other) => `@palimpsest/${other}`) ?? []
    expect(packages).toContain(`@palimpsest/${pack}`)
    expect([...packages].filter((name) => ![`@palimpsest/${pack}`, "effect", ...known].includes(name))).toEqual([])
    expect(forbiddenInSource(pack, text)).toEqual([])
    expect(text.split("\n").length).toBeLessThan(40)
  })

  it.each(examples)("$file runs, and what it claims is so", async (example) => {
    const { claims, exported } = await run(example, load)
    for (const { claimed, given, line } of claims) expect(given, line).toEqual(claimed)
    const values = Object.values(exported)
    expect(claims.length + values.length).toBeGreaterThan(0)
    for (const value of values) if (isProgram(value)) await Effect.runPromise(value)
  })
})

describe("the running of an example", () => {
  const example = (text: string) => ({ pack: "budget", file: "a.ts", text })

  it("mutant: a claim that is wrong is seen", async () => {
    const { claims } = await run(
      example('import { estimate } from "@palimpsest/budget/Estimate"\nestimate("abcde") // => 3\n'),
      load
    )
    expect(claims).toMatchObject([{ given: 2, claimed: 3 }])
  })

  it("mutant: an example that throws does not run", async () => {
    await expect(run(example('throw new Error("no")\n'), load)).rejects.toThrow("no")
  })
})

/** An example's program may fail or want something only by being wrong. */
const isProgram = (value: unknown): value is Effect.Effect<unknown> => Effect.isEffect(value)
