/**
 * Canonical targets: one name for what is one thing, so that no spelling slips past a rule.
 *
 * Purely lexical: links, case-folding file systems and the root are the workspace's business, which asks again about
 * what it opened. Rules:
 *
 * - `read`, `write`: `.` segments and repeated or trailing `/` go; `a/..` goes; a `..` that climbs above the start stays
 *   where it is (the workspace refuses it). The root itself is `.`. A backslash is an ordinary character.
 * - `net`: ASCII letters are lowered, as host names have no case; the dot after a fully qualified host goes.
 * - `exec`: the name as it is.
 *
 * Laws kept here: 12 (aliases), 13 (a narrower rule cannot be walked around).
 *
 * @since 0.1.0
 */
import type { Act } from "./Act.ts"

/**
 * The canonical form of a target of an act. Idempotent.
 *
 * @since 0.1.0
 * @category canonical form
 */
export const canonical = (act: Act, target: string): string =>
  act === "exec" ? target : act === "net" ? canonicalEndpoint(target) : canonicalPath(target)

/**
 * What follows the last `/`, or `undefined` where that is the whole target or nothing.
 *
 * @since 0.1.0
 * @category parts
 */
export const basename = (target: string): string | undefined => {
  const slash = target.lastIndexOf("/")
  return slash === -1 || slash === target.length - 1 ? undefined : target.slice(slash + 1)
}

/**
 * The host of `host:port` or `[v6]:port`, or `undefined` where there is no port to leave off. An IPv6 address without
 * brackets has no port.
 *
 * @since 0.1.0
 * @category parts
 */
export const host = (target: string): string | undefined => {
  if (target.startsWith("[")) {
    const end = target.indexOf("]")
    return end <= 1 ? undefined : target.slice(1, end)
  }
  const colon = target.indexOf(":")
  return colon <= 0 || target.indexOf(":", colon + 1) !== -1 ? undefined : target.slice(0, colon)
}

const canonicalPath = (target: string): string => {
  if (isCanonicalPath(target)) return target
  const absolute = target.startsWith("/")
  const kept: Array<string> = []
  for (const segment of target.split("/")) {
    if (segment === "" || segment === ".") continue
    const last = kept[kept.length - 1]
    if (segment === ".." && last !== undefined && last !== "..") kept.pop()
    else kept.push(segment)
  }
  const path = kept.join("/")
  return absolute ? `/${path}` : path === "" ? "." : path
}

/** Almost every target is canonical already: one pass without an allocation says so. */
const isCanonicalPath = (target: string): boolean => {
  if (target === "." || target === "/") return true
  let start = target.charCodeAt(0) === SLASH ? 1 : 0
  for (let i = start; i <= target.length; i++) {
    if (i < target.length && target.charCodeAt(i) !== SLASH) continue
    const length = i - start
    if (length === 0) return false
    if (target.charCodeAt(start) === DOT && (length === 1 || (length === 2 && target.charCodeAt(start + 1) === DOT))) {
      return false
    }
    start = i + 1
  }
  return true
}

const canonicalEndpoint = (target: string): string => {
  const lowered = /[A-Z]/.test(target) ? target.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : target
  return lowered.includes(".:") || lowered.endsWith(".") ? lowered.replace(/([^.*?])\.(:\d*)?$/, "$1$2") : lowered
}

const SLASH = 0x2f
const DOT = 0x2e
