/**
 * One session file, checked from outside: governed under each preset by the built program, and everything that it says
 * about it recomputed by the independent readers.
 *
 * @typedef {{ check: string, faults: ReadonlyArray<string>, note?: string }} Checked
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { claudeSource } from "../independent/claudeSource.mjs"
import { economics } from "../independent/economics.mjs"
import { faults as pairingFaults } from "../independent/pairing.mjs"
import { toolResults } from "../independent/toolResults.mjs"
import { estimateOf, fits } from "../independent/usage.mjs"
import { lostWords } from "../independent/userWords.mjs"
import { accountFaults } from "./account.mjs"
import { json, palimpsest } from "./palimpsest.mjs"
import { recallMany, sampleFaults } from "./recall.mjs"
import { changedResults, requestLines, requestPairs } from "./requestLines.mjs"

const SECTION = "io-harness"
const LEAST_FIT = 0.97
const SOME = 4

/** Recall is gated: what is checked here is that the bytes are there, so the policy allows all. */
const POLICY = { layers: [], defaults: { read: "allow", write: "allow", exec: "allow", net: "allow" } }

/** @param {string} file @param {string} format @param {string} folder an empty one for its databases @returns {Promise<{ report: any, checks: ReadonlyArray<Checked> }>} */
export const checkSession = async (file, format, folder) => {
  const db = ["--db", join(folder, "runs.db")]
  const policy = join(folder, "policy.json")
  writeFileSync(policy, JSON.stringify(POLICY))
  const requestsOf = (/** @type {string} */ preset) => join(folder, `${preset}.jsonl`)
  /** @type {Array<Checked>} */
  const checks = []
  const govern = (/** @type {string} */ preset) =>
    json(["govern", file, "--preset", preset, "--requests", requestsOf(preset), ...db])
  /** @type {Record<string, any>} */
  const reports = { balanced: await govern("balanced"), raw: await govern("raw") }
  // A section that cannot be made leaves the rest to be checked.
  await govern(SECTION).then(
    (report) => (reports[SECTION] = report),
    (error) => checks.push({ check: SECTION, faults: [error.message] })
  )
  const presets = Object.keys(reports)
  const main = reports["balanced"].runs[0]?.run
  for (const preset of presets) {
    checks.push({ check: `${preset}: audit`, faults: await auditFaults(reports[preset], db) })
    checks.push({ check: `${preset}: export`, faults: await exportFaults(file, reports[preset], db) })
  }
  checks.push(await recalled(file, reports["balanced"], db, policy, folder))

  const accounts = Object.fromEntries(presets.map((preset) => [preset, economics()]))
  const source = format === "claude-code" ? claudeSource(file) : undefined
  /** @type {Array<number | undefined>} */
  const estimates = []
  const unpaired = []
  const lost = []
  let changed = 0
  for await (const [governed, raw] of requestPairs(requestsOf("balanced"), requestsOf("raw"))) {
    accounts["balanced"].add(governed)
    accounts["raw"].add(raw)
    unpaired.push(...pairingFaults(governed))
    if (governed.refused === undefined) changed += changedResults(governed, raw)
    if (source === undefined || governed.run !== main) continue
    lost.push(...lostWords(source, governed))
    estimates.push(raw.refused === undefined ? estimateOf(raw) : undefined)
  }
  if (accounts[SECTION] !== undefined) {
    for await (const line of requestLines(requestsOf(SECTION))) accounts[SECTION].add(line)
  }

  for (const preset of presets) {
    checks.push({
      check: `${preset}: account`,
      faults: accountFaults(reports[preset], accounts[preset].runs, accounts["raw"].runs)
    })
  }
  checks.push({ check: "pairing", faults: unpaired })
  checks.push({ check: "elided", faults: elidedFaults(reports["balanced"], changed), note: `${changed}` })
  if (source !== undefined) {
    checks.push({ check: "user's words", faults: lost, note: `${source.words.length}` })
    checks.push(usage(source.requests, estimates))
  }
  return { report: reports["balanced"], checks }
}

/**
 * Of a file with many runs (rows, helpers) some, first and last among them: each is a process, and the report's own audit
 * has gone over all of them.
 *
 * @template A
 * @param {ReadonlyArray<A>} runs
 */
const some = (runs) => runs.filter((_, at) => at % Math.ceil(runs.length / SOME) === 0 || at === runs.length - 1)

/** The runs that stand in the file itself: a sub-agent's own file, imported beside it, is checked when its turn comes. */
const ofFile = (/** @type {any} */ report) => {
  const fileOf = (/** @type {any} */ { run }) => run.split("~")[0]
  return report.runs.filter((/** @type {any} */ one) => fileOf(one) === fileOf(report.runs[0]))
}

const auditFaults = async (/** @type {any} */ report, /** @type {string[]} */ db) => {
  const faults = report.audit.differ === 0 ? [] : [`${report.audit.differ} requests differ`]
  for (const { run, head } of some(report.runs)) {
    const { code, stdout, stderr } = await palimpsest(["audit", run, "--head", head, "--json", ...db])
    const differ = code === 0 ? JSON.parse(stdout.toString("utf8")).differ : undefined
    if (code !== 0 || (differ !== undefined && differ !== 0))
      faults.push(`${run}: exit ${code}, ${differ} differ ${stderr.trim()}`)
  }
  return faults
}

const exportFaults = async (/** @type {string} */ file, /** @type {any} */ report, /** @type {string[]} */ db) => {
  const original = readFileSync(file)
  const faults = []
  for (const { run } of some(ofFile(report))) {
    const { code, stdout, stderr } = await palimpsest(["export", run, ...db])
    if (code !== 0 || !stdout.equals(original))
      faults.push(`${run}: exit ${code}, ${stdout.length} bytes for ${original.length} ${stderr.trim()}`)
  }
  return faults
}

/** Every result that the independent reader finds is recalled, block by block, with the same bytes. */
const recalled = async (
  /** @type {string} */ file,
  /** @type {any} */ report,
  /** @type {string[]} */ db,
  /** @type {string} */ policy,
  /** @type {string} */ folder
) => {
  const results = toolResults(file)
  /** @type {Map<string, Array<string>>} */
  const addresses = new Map()
  for (const { run } of ofFile(report)) {
    const { entries } = await json(["entries", run, ...db])
    for (const entry of entries) {
      if (entry.part === "Result") addresses.set(entry.call, [...(addresses.get(entry.call) ?? []), entry.address])
    }
  }
  const asked = results.flatMap(({ call, blocks }) => {
    const address = addresses.get(call)?.shift()
    return blocks.map((block, at) => ({
      call,
      block,
      address: address && (blocks.length === 1 ? address : `${address}.${at + 1}`)
    }))
  })
  const found = asked.filter(({ address }) => address !== undefined)
  const wanted = found.map(({ address }) => `${address}`)
  const bodies = recallMany(db[1], wanted, folder)
  const left = [...addresses].filter(([, some]) => some.length > 0)
  return {
    check: "recall",
    note: `${results.length}`,
    faults: [
      ...(await sampleFaults(wanted, bodies, [...db, "--policy", policy])),
      ...asked.filter(({ address }) => address === undefined).map(({ call }) => `${call} has no entry`),
      ...found
        .filter(({ block }, at) => !isSame(block, bodies[at]))
        .map(({ call, address }) => `${address} is not the result of ${call}`),
      ...left.map(([call]) => `${call} has an entry that no reader knows`)
    ]
  }
}

/** Ill-formed text comes back escaped, as JSON; a picture as its bytes; a block that is no text as its own JSON. */
const isSame = (/** @type {any} */ block, /** @type {Buffer | undefined} */ bytes) => {
  if (bytes === undefined) return false
  if ("base64" in block) return bytes.equals(Buffer.from(block.base64, "base64"))
  const text = bytes.toString("utf8")
  if (text === block.text) return true
  try {
    const value = JSON.parse(text)
    return value === block.text || JSON.stringify(value) === block.text
  } catch {
    return false
  }
}

const elidedFaults = (/** @type {any} */ report, /** @type {number} */ changed) => {
  const told = Object.values(report.total.elided).reduce((/** @type {number} */ sum, count) => sum + Number(count), 0)
  return told === changed ? [] : [`the report tells of ${told} changed entries, the requests show ${changed}`]
}

const usage = (/** @type {any} */ recorded, /** @type {ReadonlyArray<number | undefined>} */ estimates) => {
  const found = fits(recorded, estimates)
  const faults = found
    .filter(({ r2 }) => r2 < LEAST_FIT)
    .map(({ segment, r2 }) => `segment ${segment}: r² ${r2.toFixed(4)}`)
  const count =
    recorded.length === estimates.length ? [] : [`${estimates.length} requests for ${recorded.length} recorded`]
  return {
    check: "recorded usage",
    faults: [...count, ...faults],
    note: found.map(({ r2 }) => r2.toFixed(4)).join(" ")
  }
}
