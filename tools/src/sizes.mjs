/**
 * How large each package that runs without a host is by itself: what a bundle holds of it that uses all of it, minified,
 * without `effect` and without the other packages of the project. `node tools/src/sizes.mjs` writes the sizes down, in
 * bytes.
 *
 *     every export of every module, by a short name ──> one file ──> its bytes
 *
 * The law kit (`testing`) is no part of a program, nor are the namespaces of the index.
 */
import { build } from "esbuild"
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

export const SIZES = fileURLToPath(new URL("../bench/sizes.json", import.meta.url))

export const PACKAGES = ["ledger", "budget", "policy", "compaction", "transcript", "governor"]

/** The modules of policy that a program needs which decides, and asks nobody. */
export const DECIDING = [
  "Act",
  "Check",
  "Contain",
  "Layer",
  "Merge",
  "Pattern",
  "Platform",
  "Policy",
  "Ruling",
  "Target",
  "Verdict"
]

/**
 * The bytes of one package, or of some of its modules with all that they import.
 *
 * @param {string} name
 * @param {ReadonlyArray<string>} [modules]
 * @returns {Promise<number>}
 */
export const sizeOf = async (name, modules) => {
  const { outputFiles } = await build({
    ...SHARED,
    stdin: { contents: await everything(join(root, "packages", name, "src"), modules), resolveDir: root, loader: "ts" },
    bundle: true,
    minify: true,
    external: ["effect", "effect/*", "@palimpsest/*"]
  })
  return outputFiles[0]?.contents.length ?? 0
}

/**
 * A program that exports all that the modules of a folder and of those in it export, or some of them.
 *
 * @param {string} folder
 * @param {ReadonlyArray<string>} [some]
 * @returns {Promise<string>}
 */
const everything = async (folder, some) => {
  const modules = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !/^(?:index\.ts|testing(?:\.ts$|[/\\])|internal[/\\])/.test(file))
    .filter((file) => some === undefined || some.includes(file.slice(0, -".ts".length)))
    .sort()
  const { metafile } = await build({
    ...SHARED,
    entryPoints: modules.map((file) => join(folder, file)),
    outdir: folder,
    metafile: true
  })
  const exported = Object.values(metafile.outputs).flatMap(({ entryPoint = "", exports }) =>
    exports.map((as) => /** @type {const} */ ([as, entryPoint]))
  )
  return exported.map(([as, from], i) => `export { ${as} as e${i} } from "./${from}"`).join("\n")
}

/** @satisfies {import("esbuild").BuildOptions} */
const SHARED = {
  absWorkingDir: root,
  write: false,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  charset: "utf8",
  logLevel: "warning"
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  /** @type {Record<string, number>} */
  const sizes = {}
  for (const name of PACKAGES) sizes[name] = await sizeOf(name)
  writeFileSync(SIZES, `${JSON.stringify(sizes, null, 2)}\n`)
  process.stdout.write(`${PACKAGES.map((name) => `${name}: ${sizes[name]} bytes`).join("\n")}\n`)
}
