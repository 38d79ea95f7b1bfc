/**
 * Checks the program on the sessions below a folder: `npm run check:sessions -- DIR`. Prints a line a file, then what
 * failed, and exits 1 where anything did.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { growingFiles, growthFaults } from "./checkGrowth.mjs"
import { checkSession } from "./checkSession.mjs"
import { ensureBuilt } from "./palimpsest.mjs"
import { ensureRecaller } from "./recall.mjs"
import { sessionFiles } from "./sessionFiles.mjs"

const MOST_TOLD = 5

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write("usage: npm run check:sessions -- DIR\n")
  process.exit(2)
}

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)
/** @template A @param {(folder: string) => Promise<A>} use @returns {Promise<A>} */
const inFolder = async (use) => {
  const own = mkdtempSync(join(tmpdir(), "palimpsest-"))
  try {
    return await use(own)
  } finally {
    rmSync(own, { recursive: true, force: true })
  }
}

ensureBuilt()
ensureRecaller()
const sessions = sessionFiles(folder)
/** @type {Array<string>} */
const failures = []
say("requests  refused  rewrites  cost     cached  results  usage r²              file")
for (const { file, format } of sessions) {
  const name = relative(folder, file)
  try {
    const { report, checks } = await inFolder((own) => checkSession(file, format, own))
    const noteOf = (/** @type {string} */ check) => checks.find((one) => one.check === check)?.note ?? ""
    const { requests, refused, rewrites, cost, cachedShare } = report.total
    const bad = checks.filter(({ faults }) => faults.length > 0)
    say(
      [
        `${requests}`.padStart(8),
        `${refused}`.padStart(7),
        `${rewrites}`.padStart(8),
        `${Number(cost.ratio).toFixed(3)}`.padEnd(7),
        `${(100 * cachedShare).toFixed(1)}%`.padStart(6),
        noteOf("recall").padStart(7),
        noteOf("recorded usage").padEnd(20),
        `${bad.length === 0 ? "ok    " : "FAILED"} ${name}`
      ].join("  ")
    )
    for (const { check, faults } of bad) {
      failures.push(
        `${name}: ${check}: ${faults.length} faults`,
        ...faults.slice(0, MOST_TOLD).map((fault) => `    ${fault}`)
      )
    }
  } catch (error) {
    say(`FAILED ${name}`)
    failures.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

for (const chain of growingFiles(sessions.filter(({ format }) => format === "claude-code").map(({ file }) => file))) {
  const names = chain.map((file) => relative(folder, file)).join(" -> ")
  const faults = await inFolder((own) => growthFaults(chain, own)).catch((error) => [String(error)])
  say(`${faults.length === 0 ? "ok" : "FAILED"}  one growing run: ${names}`)
  failures.push(...faults.map((fault) => `${names}: ${fault}`))
}

if (sessions.length === 0) failures.push(`no session below ${folder}`)
for (const failure of failures) say(failure)
say(failures.length === 0 ? `${sessions.length} sessions hold` : "some sessions do not hold")
process.exitCode = failures.length === 0 ? 0 : 1
