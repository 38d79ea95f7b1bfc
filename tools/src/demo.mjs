/**
 * `npm run demo`: an example session, governed in a temporary database; the report; the audit's line; and one result that
 * the view left out, recalled and compared with the session file.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { toolResults } from "../independent/toolResults.mjs"
import { ensureBuilt, json, palimpsest } from "./palimpsest.mjs"
import { changedResults, requestLines } from "./requestLines.mjs"

const SESSION = relative("", fileURLToPath(new URL("../../examples/sessions/claude-code.jsonl", import.meta.url)))
/** Long enough to be worth leaving out. */
const LEAST = 2_000

const say = (/** @type {string} */ text) => process.stdout.write(`${text}\n`)
const folder = mkdtempSync(join(tmpdir(), "palimpsest-demo-"))
const db = ["--db", join(folder, "demo.db")]

/** A result of the session whose text the last request of its run shows no more. */
const leftOut = async (/** @type {string} */ run, /** @type {string} */ requests) => {
  /** @type {any} */
  let last
  for await (const line of requestLines(requests)) if (line.run === run) last = line
  const { entries } = await json(["entries", run, ...db])
  for (const { call, blocks } of toolResults(SESSION)) {
    const [block] = blocks
    const whole = {
      messages: [
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: call, content: "text" in block ? block.text : "" }]
        }
      ]
    }
    const entry = entries.find((/** @type {any} */ one) => one.part === "Result" && one.call === call)
    if (entry?.bytes > LEAST && "text" in block && blocks.length === 1 && changedResults(last, whole) > 0)
      return { entry, text: block.text }
  }
  throw new Error("the last request shows every result whole: there is nothing to recall")
}

try {
  ensureBuilt()
  const requests = join(folder, "requests.jsonl")
  const governed = await palimpsest(["govern", SESSION, "--requests", requests, ...db])
  process.stdout.write(governed.stdout)
  if (governed.code !== 0) throw new Error(governed.stderr)
  const { runs } = await json(["runs", ...db])
  const { entry, text } = await leftOut(runs[0].run, requests)
  const recalled = await palimpsest(["recall", entry.address, ...db])
  const isEqual = recalled.code === 0 && recalled.stdout.equals(Buffer.from(text))
  say(
    `recalled ${entry.address} (${entry.kind} ${entry.target ?? ""}): ${recalled.stdout.length} bytes, ${isEqual ? "equal to the original" : "NOT the original"}`
  )
  process.exitCode = isEqual ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
