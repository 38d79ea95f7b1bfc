import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import {
  forbiddenArrows,
  forbiddenInSource,
  type Manifest,
  type ProjectGraph,
  ROWS,
  undeclared
} from "../src/boundaries.ts"
import { paths, ROOT, textOf } from "../src/tree.ts"

const folderOf = (name: string) => (name === "cli" || name === "server" ? `apps/${name}` : `packages/${name}`)
const sourcesOf = (name: string) =>
  paths().filter((path) => path.startsWith(`${folderOf(name)}/src/`) && path.endsWith(".ts"))
const json = <A>(path: string): A => JSON.parse(readFileSync(join(ROOT, path), "utf8"))
const packages = Object.keys(ROWS).filter((name) => name !== "tools")

describe("the arrows of the project graph", () => {
  let graph: ProjectGraph
  beforeAll(() => {
    const folder = mkdtempSync(join(tmpdir(), "graph-"))
    const file = join(folder, "graph.json")
    const nx = createRequire(import.meta.url).resolve("nx/bin/nx.js")
    execFileSync(process.execPath, [nx, "graph", `--file=${file}`], {
      cwd: ROOT,
      env: { ...process.env, NX_DAEMON: "false", NX_NO_CLOUD: "true" },
      stdio: "pipe"
    })
    graph = JSON.parse(readFileSync(file, "utf8")).graph
    rmSync(folder, { recursive: true })
  })

  it("point one way, and every project has a row", () => {
    expect(Object.keys(graph.nodes)).toContain("@palimpsest/ledger")
    expect(forbiddenArrows(graph)).toEqual([])
  })
})

describe("a graph that is wrong", () => {
  const nodes = Object.fromEntries(
    Object.keys(ROWS).map((name) => [name === "tools" ? name : `@palimpsest/${name}`, {}])
  )
  const good: ProjectGraph = {
    nodes,
    dependencies: { "@palimpsest/transcript": [{ source: "@palimpsest/transcript", target: "@palimpsest/ledger" }] }
  }

  it("is told from one that is right, packages of others aside", () => {
    expect(forbiddenArrows(good)).toEqual([])
    const outside = { "@palimpsest/budget": [{ source: "@palimpsest/budget", target: "npm:effect" }] }
    expect(forbiddenArrows({ nodes, dependencies: outside })).toEqual([])
  })

  it.each([
    ["@palimpsest/ledger", "@palimpsest/budget"],
    ["@palimpsest/policy", "@palimpsest/ledger"],
    ["@palimpsest/transcript", "@palimpsest/compaction"],
    ["@palimpsest/store-sql", "@palimpsest/governor"],
    ["@palimpsest/governor", "@palimpsest/cli"],
    ["@palimpsest/budget", "tools"]
  ])("mutant: %s -> %s is reported", (source, target) => {
    const dependencies = { ...good.dependencies, [source]: [...(good.dependencies[source] ?? []), { source, target }] }
    expect(forbiddenArrows({ nodes, dependencies })).toEqual([`${source} must not know ${target}`])
  })

  it("mutant: a project without a row is reported", () => {
    const more = { ...good, nodes: { ...nodes, "@palimpsest/other": {} } }
    expect(forbiddenArrows(more)).toEqual(["@palimpsest/other has no row in the table of boundaries"])
  })
})

describe.each(packages)("%s", (name) => {
  const sources = sourcesOf(name)
  it("imports and touches only what it may", () => {
    const found = sources.flatMap((path) => forbiddenInSource(name, textOf(path) ?? "").map((why) => `${path} ${why}`))
    expect(found).toEqual([])
  })

  it("declares what it imports, and imports what it declares of the project", () => {
    expect(sources).not.toEqual([])
    const manifest = json<Manifest>(`${folderOf(name)}/package.json`)
    expect(
      undeclared(
        manifest,
        sources.map((path) => textOf(path) ?? "")
      )
    ).toEqual([])
  })

  it("references in its tsconfig the packages that it declares", () => {
    const { dependencies = {} } = json<Manifest>(`${folderOf(name)}/package.json`)
    const { references = [] } = json<{ readonly references?: ReadonlyArray<{ readonly path: string }> }>(
      `${folderOf(name)}/tsconfig.json`
    )
    const declared = Object.keys(dependencies).filter((dependency) => dependency.startsWith("@palimpsest/"))
    expect(references.map(({ path }) => `@palimpsest/${path.split("/").at(-1)}`).sort()).toEqual(declared.sort())
  })
})

describe("the reading of a source", () => {
  const fileModule = ["node", "fs"].join(":")
  it.each([
    ["budget", `import * as fs from "${fileModule}"`, `imports ${fileModule} in a pure package`],
    ["policy", `export type { A } from "@effect/sql/SqlClient"`, "imports @effect/sql/SqlClient in a pure package"],
    [
      "ledger",
      `const a = await import("@palimpsest/budget/Estimate")`,
      "imports @palimpsest/budget/Estimate, which ledger must not know"
    ],
    ["ledger", "const at = Date.now()", "uses Date.now in a pure package"],
    ["budget", "const at = `${new Date()}`", "uses new Date in a pure package"],
    ["compaction", "const roll = Math.random()", "uses Math.random in a pure package"],
    ["governor", "if (a) console.log(a)", "uses console in a pure package"],
    ["transcript", "const home = process.env.HOME", "uses process in a pure package"]
  ])("mutant in %s: %s", (name, source, why) => {
    expect(forbiddenInSource(name, `/** fine */\n${source}\n`)).toEqual([why])
  })

  it.each([
    ["// const at = Date.now()"],
    ["/* import * as fs from 'node:fs' */"],
    ['const text = "Math.random() and console.log"'],
    ["const text = `process.env ${name} Date.now()`"],
    ["const glob = 'packages/**/*.ts' // new Date()"],
    ["const quote = /[\"'`/]/.test(text) // console.log"],
    ["const next = this.process.start(clock.performance.now)"],
    ['import * as Clock from "effect/Clock"']
  ])("no false alarm: %s", (source) => {
    expect(forbiddenInSource("ledger", source)).toEqual([])
  })

  it("mutant: a dependency too many and one too few are reported", () => {
    const manifest = { dependencies: { "@palimpsest/ledger": "0.1.0" }, peerDependencies: { effect: "^3.22.0" } }
    expect(
      undeclared(manifest, [`import * as S from "effect/Schema"\nimport { a } from "@palimpsest/budget/A"`])
    ).toEqual(["@palimpsest/budget is imported but not declared", "@palimpsest/ledger is declared but not imported"])
  })
})
