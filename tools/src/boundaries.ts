/**
 * Which way the arrows point (DESIGN §3), and what a pure package may touch. One table; everything else here compares
 * the tree with it and says in words what disagrees.
 *
 *     ledger   budget   policy          know no other package
 *     transcript ─> ledger              compaction ─> ledger, budget
 *     governor ─> all of these          store-sql ─> ledger, budget
 *     workspace-node ─> governor, whose port it implements, ledger, policy
 *     api ─> governor and what it composes, for their schemas alone
 *     apps ─> packages                  cli ─> server, which it starts       nothing else ─> apps, tools
 */
import { codeOf, importsOf } from "./code.ts"

const SCOPE = "@palimpsest/"

/** A package's row: the packages that it may know, and whether it runs without a host (no clock, file, network, …). */
export interface Row {
  readonly knows: ReadonlyArray<string>
  readonly pure: boolean
}

const LIBRARIES = ["ledger", "budget", "policy", "compaction", "transcript", "governor", "store-sql", "workspace-node"]

export const ROWS: Readonly<Record<string, Row>> = {
  ledger: { knows: [], pure: true },
  budget: { knows: [], pure: true },
  policy: { knows: [], pure: true },
  compaction: { knows: ["ledger", "budget"], pure: true },
  transcript: { knows: ["ledger"], pure: true },
  governor: { knows: ["ledger", "budget", "policy", "compaction", "transcript"], pure: true },
  "store-sql": { knows: ["ledger", "budget"], pure: false },
  "workspace-node": { knows: ["governor", "ledger", "policy"], pure: false },
  api: { knows: ["ledger", "budget", "policy", "compaction", "governor"], pure: false },
  server: { knows: [...LIBRARIES, "api"], pure: false },
  cli: { knows: [...LIBRARIES, "server"], pure: false },
  tools: { knows: [...LIBRARIES, "cli"], pure: false }
}

/** The part of Nx's project graph that is read here. */
export interface ProjectGraph {
  readonly nodes: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, ReadonlyArray<{ readonly source: string; readonly target: string }>>>
}

/** The arrows of the graph that the table does not allow, and the projects that it does not name. */
export const forbiddenArrows = (graph: ProjectGraph): ReadonlyArray<string> => {
  const projects = Object.keys(graph.nodes)
  const unnamed = projects.filter((project) => ROWS[short(project)] === undefined)
  const arrows = Object.values(graph.dependencies).flat()
  return [
    ...unnamed.map((project) => `${project} has no row in the table of boundaries`),
    ...arrows
      .filter(
        ({ source, target }) =>
          projects.includes(target) && ROWS[short(source)]?.knows.includes(short(target)) === false
      )
      .map(({ source, target }) => `${source} must not know ${target}`)
  ]
}

/** What a source of a package must not import or touch. */
export const forbiddenInSource = (name: string, source: string): ReadonlyArray<string> => {
  const row = ROWS[name]
  if (row === undefined) return [`${name} has no row in the table of boundaries`]
  const code = codeOf(source)
  const imports = importsOf(code).flatMap((module) => {
    if (module.startsWith(SCOPE)) {
      const other = packageOf(module).slice(SCOPE.length)
      return other === name || row.knows.includes(other) ? [] : [`imports ${module}, which ${name} must not know`]
    }
    if (!row.pure || module.startsWith("./") || module.startsWith("../") || packageOf(module) === "effect") return []
    return [`imports ${module} in a pure package`]
  })
  if (!row.pure) return imports
  return [
    ...imports,
    ...HOST.filter(([, used]) => used.test(code.text)).map(([what]) => `uses ${what} in a pure package`)
  ]
}

/** A package's dependencies, as its manifest declares them. */
export interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** Where the manifest of a package and the imports of its sources disagree, in either direction. */
export const undeclared = (manifest: Manifest, sources: ReadonlyArray<string>): ReadonlyArray<string> => {
  const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))
  const imported = new Set(
    sources
      .flatMap((source) => importsOf(codeOf(source)))
      .filter((module) => !/^(?:\.|node:)/.test(module))
      .map(packageOf)
  )
  return [
    ...[...imported].filter((name) => !declared.has(name)).map((name) => `${name} is imported but not declared`),
    ...[...declared]
      .filter((name) => name.startsWith(SCOPE) && !imported.has(name))
      .map((name) => `${name} is declared but not imported`)
  ]
}

/** The package of a module: `effect/Schema` is of `effect`, `@effect/sql/SqlClient` of `@effect/sql`. */
export const packageOf = (module: string): string =>
  module
    .split("/")
    .slice(0, module.startsWith("@") ? 2 : 1)
    .join("/")

const short = (project: string): string => (project.startsWith(SCOPE) ? project.slice(SCOPE.length) : project)

/** What only a host can give: each would make the same events render other bytes some day (law 7). */
const HOST: ReadonlyArray<readonly [string, RegExp]> = [
  ["process", /(?<![.\w$])process\s*[.[]/],
  ["Date.now", /\bDate\s*\.\s*now\b/],
  ["new Date", /\bnew\s+Date\b/],
  ["Math.random", /\bMath\s*\.\s*random\b/],
  ["console", /(?<![.\w$])console\s*[.[]/],
  ["performance", /(?<![.\w$])performance\s*\./],
  ["a timer", /(?<![.\w$])set(?:Timeout|Interval|Immediate)\s*\(/],
  ["fetch", /(?<![.\w$])fetch\s*\(/],
  ["globalThis", /(?<![.\w$])globalThis\b/],
  ["Buffer", /(?<![.\w$])Buffer\s*\./],
  ["crypto", /(?<![.\w$])crypto\s*\./],
  ["require", /(?<![.\w$])require\s*\(/]
]
