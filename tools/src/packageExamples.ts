/**
 * The example programs of the packages: `packages/NAME/examples/*.ts`, each shown in the package's README as it stands in
 * its file. What an example says behind `// =>` is checked against what it gives.
 *
 *     Estimate.estimate("abcde") // => 2    ──>    claim(() => (Estimate.estimate("abcde")), () => (2))
 */
import { transform } from "esbuild"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ROWS } from "./boundaries.ts"
import { codeOf, importsOf } from "./code.ts"
import { ROOT } from "./tree.ts"

export interface Example {
  readonly pack: string
  readonly file: string
  readonly text: string
}

/** What a line claims, and what it gave. */
export interface Claim {
  readonly line: string
  readonly given: unknown
  readonly claimed: unknown
}

/** The packages that run without a host: the ones that can be used alone. */
export const PURE: ReadonlyArray<string> = Object.keys(ROWS).filter((name) => ROWS[name]?.pure === true)

/** The examples of a package. */
export const examplesOf = (pack: string): ReadonlyArray<Example> => {
  const folder = join(ROOT, "packages", pack, "examples")
  return readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => ({ pack, file, text: readFileSync(join(folder, file), "utf8") }))
}

/** What stands in the fences of TypeScript of a package's README. */
export const shownIn = (pack: string): ReadonlyArray<string> =>
  [...readFileSync(join(ROOT, "packages", pack, "README.md"), "utf8").matchAll(/^```ts\n([^]*?)^```$/gm)].map(
    (match) => match[1] ?? ""
  )

/** Runs an example: what it exports, and its claims. `load` imports the modules that it names. */
export const run = async (
  { text }: Example,
  load: (module: string) => Promise<unknown>
): Promise<{ readonly exported: Readonly<Record<string, unknown>>; readonly claims: ReadonlyArray<Claim> }> => {
  const modules = new Map<string, unknown>()
  for (const name of new Set(importsOf(codeOf(text)))) modules.set(name, await load(name))
  const claims: Array<Claim> = []
  const claim = (line: string, given: () => unknown, claimed: () => unknown) =>
    void claims.push({ line, given: given(), claimed: claimed() })
  const source = text.replace(
    /^(\S.*) \/\/ => (.*)$/gm,
    (line, expression: string, value: string) =>
      `claim(${JSON.stringify(line)}, () => (${expression}), () => (${value}))`
  )
  const { code } = await transform(source, { loader: "ts", format: "cjs" })
  const exported: { exports: Record<string, unknown> } = { exports: {} }
  // An example is a file of this repository, run as itself: the claims alone are put in.
  const program = new Function("require", "module", "exports", "claim", code)
  program((name: string) => modules.get(name), exported, exported.exports, claim)
  return { exported: exported.exports, claims }
}
