/** Another thread that swaps what stands at some paths, as fast as it can, until it is told to stop. */
import { Worker } from "node:worker_threads"

/** At `path`, in turn: links to these texts, hard links to these files, or (first) the file or folder that stands there. */
export interface Swap {
  readonly path: string
  readonly links: ReadonlyArray<string>
  readonly hard?: ReadonlyArray<string>
}

export interface Swapping {
  /** How often something was swapped so far. */
  readonly count: () => number
  readonly stop: () => Promise<unknown>
}

export const start = async (swaps: ReadonlyArray<Swap>): Promise<Swapping> => {
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(SOURCE, { eval: true, workerData: { swaps, shared } })
  await new Promise((resolve, reject) => {
    worker.once("message", resolve)
    worker.once("error", reject)
  })
  return {
    count: () => Atomics.load(shared, 1),
    stop: () => {
      Atomics.store(shared, 0, 1)
      return new Promise((resolve) => worker.once("exit", resolve))
    }
  }
}

// What has another name is not kept: a copy of it would be a file that holds the other's bytes by right.
// Plain JavaScript: a thread of a test runner has no loader for sources. What stands there is kept beside it as `.own`,
// and put back in the end; a folder cannot be renamed over, so for a moment nothing stands there.
const SOURCE = `
const fs = require("node:fs")
const { parentPort, workerData } = require("node:worker_threads")
const { shared, swaps } = workerData
const attempt = (act) => { try { act() } catch {} }
const put = (path, make) => attempt(() => {
  attempt(() => fs.unlinkSync(path + ".new"))
  make(path + ".new")
  if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) fs.renameSync(path + ".new", path)
  else { fs.renameSync(path, path + ".own"); fs.renameSync(path + ".new", path) }
  Atomics.add(shared, 1, 1)
})
const restore = (path) => attempt(() => {
  const own = fs.lstatSync(path + ".own", { throwIfNoEntry: false })
  if (own === undefined) return
  if (own.isDirectory()) { attempt(() => fs.unlinkSync(path)); fs.renameSync(path + ".own", path) }
  else { fs.copyFileSync(path + ".own", path + ".new"); fs.renameSync(path + ".new", path) }
  Atomics.add(shared, 1, 1)
})
for (const { path } of swaps) {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isFile() && stat.nlink === 1) fs.copyFileSync(path, path + ".own")
}
parentPort.postMessage("ready")
while (Atomics.load(shared, 0) === 0) {
  for (const { path, links, hard = [] } of swaps) {
    for (const to of links) { put(path, (at) => fs.symlinkSync(to, at)); restore(path) }
    for (const from of hard) { put(path, (at) => fs.linkSync(from, at)); restore(path) }
  }
}
for (const { path } of swaps) restore(path)
`
