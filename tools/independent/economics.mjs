/**
 * An independent account of what requests cost, from their lines alone. Fold lines in with `add`, in the order of the
 * file; read the sums per run. Cached are the messages that a request shares with the run's last one (of a section, its
 * bytes: floor(scalars / 4)) and, but in a run's first, the fixed part.
 *
 *     cost = min(0.1 * cached + 1.25 * rest, cached + rest)
 */
import { scalarsOf, tokensOf } from "./estimate.mjs"

/** @param {number} [fixed] tokens of system and tools, in every request */
export const economics = (fixed = 3_000) => {
  /** @type {Map<string, any>} */
  const runs = new Map()
  return {
    runs,
    add: (/** @type {any} */ line) => {
      const run = runs.get(line.run) ?? { requests: 0, refused: 0, tokens: 0, cached: 0, cost: 0, peakTokens: 0 }
      runs.set(line.run, run)
      run.requests++
      if (line.refused !== undefined) return void run.refused++
      const now = line.messages.map((/** @type {any} */ message) => ({
        tokens: tokensOf(message),
        key: keyOf(message)
      }))
      const section =
        line.rendering === "section"
          ? (line.messages[0]?.content?.[0]?.text ?? line.messages[0]?.content ?? "")
          : undefined
      const estimate = sum(now)
      const shared =
        section === undefined
          ? sum(prefix(run.last?.now, now))
          : Math.floor(sharedScalars(run.last?.section, section) / 4)
      const cached = shared + (run.last === undefined ? 0 : fixed)
      const rest = estimate + fixed - cached
      run.tokens += estimate + fixed
      run.cached += cached
      run.cost += Math.min(0.1 * cached + 1.25 * rest, cached + rest)
      run.peakTokens = Math.max(run.peakTokens, estimate)
      run.last = { now, section }
    }
  }
}

const sum = (/** @type {ReadonlyArray<{ tokens: number }>} */ some) =>
  some.reduce((total, { tokens }) => total + tokens, 0)

/** A mark for the cache is no part of what a message says. */
const keyOf = (/** @type {any} */ message) =>
  JSON.stringify(message, (key, value) => (key === "cache_control" ? undefined : value))

const prefix = (/** @type {any[]} */ before = [], /** @type {any[]} */ now) => {
  const end = now.findIndex((message, at) => message.key !== before[at]?.key)
  return end === -1 ? now : now.slice(0, end)
}

const sharedScalars = (/** @type {string} */ before = "", /** @type {string} */ now) => {
  let at = 0
  while (at < now.length && before[at] === now[at]) at++
  // Half a pair is no scalar value, and its bytes are not those of the other's.
  if (/[\ud800-\udbff]$/.test(now.slice(0, at)) && at < now.length) at--
  return scalarsOf(now.slice(0, at))
}
