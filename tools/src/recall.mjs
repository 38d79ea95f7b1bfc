/** What stands behind addresses: all of them read in one process, and some of them by the program itself. */
import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { palimpsest } from "./palimpsest.mjs"

const SAMPLE = 12
const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url))

/** Bundles the process that recalls many; once is enough. */
export const ensureRecaller = () => {
  execFileSync(process.execPath, [here("../bundle.mjs"), here("recallMany.ts"), here("../dist/recallMany.js")], {
    stdio: "pipe"
  })
}

/**
 * The bytes behind each address, none where the recall failed.
 *
 * @param {string} db
 * @param {ReadonlyArray<string>} addresses
 * @param {string} folder for what passes between the processes
 * @returns {ReadonlyArray<Buffer | undefined>}
 */
export const recallMany = (db, addresses, folder) => {
  const [list, out] = [join(folder, "addresses.json"), join(folder, "bodies.jsonl")]
  writeFileSync(list, JSON.stringify(addresses))
  execFileSync(process.execPath, [here("../dist/recallMany.js"), db, list, out], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  return readFileSync(out, "utf8")
    .split("\n", addresses.length)
    .map((line) => JSON.parse(line))
    .map((bytes) => (bytes === null ? undefined : Buffer.from(bytes, "base64")))
}

/**
 * Where the program itself gives other bytes, for some addresses spread over the list.
 *
 * @param {ReadonlyArray<string>} addresses
 * @param {ReadonlyArray<Buffer | undefined>} bodies
 * @param {ReadonlyArray<string>} options
 * @returns {Promise<ReadonlyArray<string>>}
 */
export const sampleFaults = async (addresses, bodies, options) => {
  const stride = Math.max(1, Math.floor(addresses.length / SAMPLE))
  const some = addresses.flatMap((address, at) => (at % stride === 0 ? [{ address, at }] : []))
  const faults = []
  for (const { address, at } of some) {
    const { code, stdout } = await palimpsest(["recall", address, ...options])
    if (code !== 0 || bodies[at]?.equals(stdout) !== true)
      faults.push(`${address}: the program exits ${code} with ${stdout.length} bytes`)
  }
  return faults
}
