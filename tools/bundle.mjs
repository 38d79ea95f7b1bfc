/**
 * Bundles a program into files that node runs as they are: `node tools/bundle.mjs ENTRY OUT.js`.
 *
 *     apps/cli/src/main.ts ──> dist/palimpsest.js           what every start needs
 *                          └─> dist/chunks/*.js             what only some commands import, lazily
 *
 * Sources are read through the `@palimpsest/source` condition, so that no package has to be built first. Native modules
 * stay outside. The same sources give the same bytes: names of chunks are digests of what they hold.
 */
import { build } from "esbuild"
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"

const NATIVE = ["better-sqlite3", "pg-native"]

// Dependencies in CommonJS call `require` for what node brings; an ESM file has none of its own.
const BANNER =
  'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);'

const [entry, out] = process.argv.slice(2)
if (entry === undefined || out === undefined) {
  process.stderr.write("usage: node tools/bundle.mjs ENTRY OUT.js\n")
  process.exit(2)
}

const target = resolve(out)
const folder = dirname(target)
const name = basename(target, ".js")
rmSync(join(folder, "chunks"), { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const { metafile } = await build({
  entryPoints: { [name]: resolve(entry) },
  outdir: folder,
  // Comments in the output name files relative to this folder: the bytes must not depend on where one stands.
  absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
  chunkNames: "chunks/[hash]",
  bundle: true,
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  conditions: ["@palimpsest/source"],
  external: NATIVE,
  treeShaking: true,
  legalComments: "none",
  charset: "utf8",
  banner: { js: BANNER },
  metafile: true,
  logLevel: "warning"
})

const program = readFileSync(target, "utf8")
if (!program.startsWith("#!")) writeFileSync(target, `#!/usr/bin/env node\n${program}`)
chmodSync(target, 0o755)

const sizes = Object.values(metafile.outputs).map((output) => output.bytes)
const total = sizes.reduce((sum, bytes) => sum + bytes, 0)
process.stdout.write(`${basename(target)}: ${(total / 1024).toFixed(0)} KiB in ${sizes.length} files\n`)
