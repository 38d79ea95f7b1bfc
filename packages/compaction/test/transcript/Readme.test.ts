import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { plan } from "../../examples/view.ts"

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")

it("the README says in two sentences what it is, and shows the example as it stands in its file", () => {
  const [before = "", rest = ""] = text("../../README.md").split("```ts\n")
  expect(rest.split("```")[0]).toBe(text("../../examples/view.ts"))
  expect(before.split("\n\n")[1]?.match(/\.(?=\s|$)/g)).toHaveLength(2)
})

it("the example plans a batch: the first read is superseded by the second, and its mark says where it is", () => {
  expect(plan).toMatchObject({ _tag: "Batch", cause: "schedule", changes: [{ entries: [2, 2] }] })
  expect(JSON.stringify(plan)).toContain("[@2 left out: read a.ts, 2,500 chars, superseded by @4]")
})
