import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { ledger, log } from "../examples/log.ts"
import * as Ledger from "../src/Ledger.ts"

const text = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8")

it("the README says in two sentences what it is, and shows the example as it stands in its file", () => {
  const [before = "", rest = ""] = text("../README.md").split("```ts\n")
  expect(rest.split("```")[0]).toBe(text("../examples/log.ts"))
  expect(before.split("\n\n")[1]?.match(/\.(?=\s|$)/g)).toHaveLength(2)
})

it("the example builds a ledger by hand", () => {
  expect(ledger.length).toBe(2)
  expect(log).toBe("export const answer = 42\nanswer is exported from a.ts\n")
  expect(Ledger.textForStep(ledger, 0, () => "read")).toBe("read")
})
