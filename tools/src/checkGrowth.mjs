/**
 * A session file at several times: each is a byte prefix of the next, so importing them one after the other is one run
 * that grows, and ends exactly where the last one alone does.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { json, palimpsest } from "./palimpsest.mjs"

/** The files that are the same session at several times, shortest first. @param {ReadonlyArray<string>} files @returns {ReadonlyArray<ReadonlyArray<string>>} */
export const growingFiles = (files) => {
  const known = files
    .map((file) => ({ file, bytes: readFileSync(file) }))
    .sort((a, b) => a.bytes.length - b.bytes.length)
  /** @type {Array<Array<{ file: string, bytes: Buffer }>>} */
  const chains = []
  for (const one of known) {
    const chain = chains.find((some) => {
      const { bytes } = some[some.length - 1]
      return bytes.length > 0 && one.bytes.subarray(0, bytes.length).equals(bytes)
    })
    if (chain === undefined) chains.push([one])
    else chain.push(one)
  }
  return chains.filter((chain) => chain.length > 1).map((chain) => chain.map(({ file }) => file))
}

/** What is wrong with a chain, in words. @param {ReadonlyArray<string>} chain @param {string} folder @returns {Promise<ReadonlyArray<string>>} */
export const growthFaults = async (chain, folder) => {
  const [grown, alone] = ["grown.db", "alone.db"].map((name) => ["--db", join(folder, name)])
  const faults = []
  const heads = []
  let run
  for (const file of chain) {
    const report = await json(["govern", file, ...grown])
    const first = report.runs[0]
    if (run !== undefined && first.run !== run) faults.push(`${file} is another run: ${first.run}, not ${run}`)
    run = first.run
    heads.push(first.head)
  }
  for (const [at, head] of heads.entries()) {
    const { code, stderr } = await palimpsest(["audit", run, "--head", head, ...grown])
    if (code !== 0) faults.push(`the head after stage ${at + 1} is not in the chain of the last: ${stderr.trim()}`)
  }
  const last = await json(["govern", chain[chain.length - 1], ...alone])
  if (last.runs[0].head !== heads.at(-1)) faults.push(`grown to ${heads.at(-1)}, alone ${last.runs[0].head}`)
  for (const file of [chain[chain.length - 1], chain[0]]) {
    const { code, stdout, stderr } = await palimpsest(["govern", file, ...grown])
    if (code !== 0 || !/\b0 new\b/.test(`${stdout}${stderr}`))
      faults.push(`${file} once more is not "0 new": exit ${code}`)
  }
  const after = (await json(["govern", chain[chain.length - 1], ...grown])).runs[0].head
  if (after !== heads.at(-1)) faults.push("importing again moved the head")
  return faults
}
