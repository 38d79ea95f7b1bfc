import { build } from "esbuild"
import { spawn, type ChildProcess } from "node:child_process"
import * as path from "node:path"
import { fileURLToPath } from "node:url"

/** Bundles the server's process to a file that any Node runs. */
export const bundle = async (folder: string): Promise<string> => {
  const here = fileURLToPath(import.meta.url)
  const outfile = path.join(folder, "node.cjs")
  await build({
    entryPoints: [path.join(path.dirname(here), "node.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "cjs",
    conditions: ["@palimpsest/source"],
    external: ["better-sqlite3", "pg-native"],
    banner: { js: `require = require("node:module").createRequire(${JSON.stringify(here)})` },
    logLevel: "error"
  })
  return outfile
}

export interface Process {
  readonly url: string
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
}

/** Starts a process, and waits until it listens. */
export const launch = (file: string, database: string): Promise<Process> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, database], { stdio: ["ignore", "pipe", "inherit"] })
    const ended = new Promise<number | null>((done) => child.on("close", done))
    let said = ""
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes("\n")) resolve({ url: said.trim(), child, ended })
    })
    child.on("error", reject)
    child.on("close", () => reject(new Error(`it ended before it listened: ${said}`)))
  })
