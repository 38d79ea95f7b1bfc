import { describe, expect, it } from "vitest"
import { paths, textOf } from "../src/tree.ts"
import { broken } from "../src/treeRules.ts"

describe("the tree", () => {
  it("breaks none of its rules", () => {
    const found = paths().flatMap((path) => broken(path, textOf(path) ?? ""))
    expect(found).toEqual([])
  })

  // Put together from pieces: written out, they would be found in this file.
  const piece = (...parts: ReadonlyArray<string>) => parts.join("")
  it.each([
    ["docs/a.md", `see ${piece("/ro", "ot/x")}`],
    ["docs/a.md", piece("/wo", "rk/main/a.ts")],
    ["package.json", `"cwd": "${piece("/ho", "me/someone")}"`],
    ["package-lock.json", piece('"reso', 'lved": "https://example.org/a.tgz"')],
    [".npmrc", piece("https://reg", "istry.npmjs.org/")],
    ["packages/a/test/a.test.ts", piece("it.sk", "ip('a', () => {})")],
    ["packages/a/test/a.test.ts", piece("describe.on", "ly('a', () => {})")],
    ["packages/a/src/A.ts", piece("const a: an", "y = 1")],
    ["packages/a/src/A.ts", piece("const a = b as unk", "nown as C")],
    ["packages/a/src/A.ts", piece("// @ts-ig", "nore")],
    ["packages/a/src/A.ts", "\n".repeat(401)]
  ])("mutant %#, in %s", (path, text) => {
    expect(broken(path, text)).toHaveLength(1)
  })

  it.each([
    ["packages/a/src/A.ts", "// there is not any rule: any of them, as any reader sees"],
    ["packages/a/src/A.ts", 'const text = "as any"'],
    ["packages/a/src/A.ts", "export const company: anything = 1"],
    ["examples/sessions/a.jsonl", '{"cwd":"/srv/project"}'],
    ["packages/a/test/a.test.ts", "// nothing is .skip'ped here"],
    [".gitignore", "node_modules/\n/tmp/\n"]
  ])("no false alarm %#, in %s", (path, text) => {
    expect(broken(path, text)).toEqual([])
  })
})
