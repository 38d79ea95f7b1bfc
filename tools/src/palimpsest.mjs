/** The built program, run as a person would run it: a process of its own for each command. */
import { execFileSync, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const ROOT = fileURLToPath(new URL("../../", import.meta.url))
const PROGRAM = fileURLToPath(new URL("../../apps/cli/dist/palimpsest.js", import.meta.url))

/** Builds the program where it is not there yet. What the build prints is no part of what is printed here. */
export const ensureBuilt = () => {
  if (existsSync(PROGRAM)) return
  const env = { ...process.env, NX_DAEMON: "false", NX_NO_CLOUD: "true" }
  execFileSync("npm", ["run", "build"], {
    cwd: ROOT,
    env,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32"
  })
}

/** @typedef {{ code: number | null, stdout: Buffer, stderr: string }} Outcome @param {ReadonlyArray<string>} args @returns {Promise<Outcome>} */
export const palimpsest = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ["ignore", "pipe", "pipe"] })
    /** @type {Array<Buffer>} */
    const out = []
    let stderr = ""
    child.stdout.on("data", (chunk) => out.push(chunk))
    child.stderr.on("data", (chunk) => (stderr += chunk))
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout: Buffer.concat(out), stderr }))
  })

/** The JSON that a command prints; an error with the program's own words where it fails. @param {ReadonlyArray<string>} args */
export const json = async (args) => {
  const { code, stdout, stderr } = await palimpsest([...args, "--json"])
  if (code !== 0)
    throw new Error(
      `palimpsest ${args.slice(0, 2).join(" ")} exited ${code}: ${stderr.trim() || stdout.toString("utf8", 0, 400)}`
    )
  return JSON.parse(stdout.toString("utf8"))
}
