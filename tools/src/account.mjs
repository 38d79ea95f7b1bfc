/** Where the figures of a report are not those that its `--requests` files give. */

/**
 * @param {any} report of `govern --json`
 * @param {ReadonlyMap<string, any>} governed the independent account of the same command's requests
 * @param {ReadonlyMap<string, any>} raw that of `--preset raw`: other runs, in the same order
 * @returns {ReadonlyArray<string>}
 */
export const accountFaults = (report, governed, raw) => {
  const raws = [...raw.values()]
  const empty = { requests: 0, refused: 0, tokens: 0, cached: 0, cost: 0, peakTokens: 0 }
  const faults = report.runs.flatMap((/** @type {any} */ told, /** @type {number} */ at) =>
    figureFaults(told.run, told, governed.get(told.run) ?? empty, raws[at] ?? empty)
  )
  return [...faults, ...figureFaults("total", report.total, total([...governed.values()]), total(raws))]
}

const figureFaults = (
  /** @type {string} */ name,
  /** @type {any} */ told,
  /** @type {any} */ ours,
  /** @type {any} */ raw
) =>
  [
    ["requests", told.requests, ours.requests],
    ["refused", told.refused, ours.refused],
    ["tokens.governed", told.tokens.governed, ours.tokens],
    ["tokens.raw", told.tokens.raw, raw.tokens],
    ["cost.governed", told.cost.governed, ours.cost],
    ["cost.raw", told.cost.raw, raw.cost],
    ["cost.ratio", told.cost.ratio, raw.cost === 0 ? undefined : ours.cost / raw.cost],
    ["cachedShare", told.cachedShare, ours.tokens === 0 ? undefined : ours.cached / ours.tokens],
    ["peakTokens", told.peakTokens, ours.peakTokens]
  ]
    .filter(([, said, own]) => own !== undefined && !isClose(said, own))
    .map(([what, said, own]) => `${name}: ${what} is ${said}, recomputed ${own}`)

/** Equal to six digits. */
const isClose = (/** @type {number} */ a, /** @type {number} */ b) =>
  typeof a === "number" && Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b))

const total = (/** @type {ReadonlyArray<any>} */ runs) => {
  const sum = (/** @type {string} */ key) => runs.reduce((all, run) => all + run[key], 0)
  const peakTokens = Math.max(0, ...runs.map((run) => run.peakTokens))
  return {
    requests: sum("requests"),
    refused: sum("refused"),
    tokens: sum("tokens"),
    cached: sum("cached"),
    cost: sum("cost"),
    peakTokens
  }
}
