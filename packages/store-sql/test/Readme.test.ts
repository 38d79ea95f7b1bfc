import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { expect } from "vitest"
import { program } from "./Example.ts"
import { temporaryFile } from "./TemporaryStore.ts"

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")

it("the README says in two sentences what it is, and shows the example as it stands in its file", () => {
  const [before = "", rest = ""] = text("../README.md").split("```ts\n")
  expect(rest.split("```")[0]).toBe(text("./Example.ts"))
  expect(before.split("\n\n")[1]?.match(/\.(?=\s|$)/g)).toHaveLength(2)
})

it.scopedLive("the example appends once, however often it is run", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* program(file)
    expect((yield* program(file)).map(({ id, seq }) => [id, seq])).toEqual([["e1", 1]])
  })
)
