/**
 * Paths by their letters alone: `./a`, `b/../a` and `a` are one. Links are not followed; nothing here touches a disk.
 */
import type { Where } from "../Classify.ts"

/** The canonical form of a path: absolute, or relative to the root of its source where that is known and holds it. */
export const canonical = (path: string, where: Where | undefined): string => {
  if (isElsewhere(path)) return path
  if (where === undefined || !where.root.startsWith("/") || !where.cwd.startsWith("/")) return normalise(path)
  const full = normalise(path.startsWith("/") ? path : `${where.cwd}/${path}`)
  const root = normalise(where.root)
  if (full === root) return "."
  const prefix = root === "/" ? "/" : `${root}/`
  return full.startsWith(prefix) ? full.slice(prefix.length) : full
}

const normalise = (path: string): string => {
  const isAbsolute = path.startsWith("/")
  const out: Array<string> = []
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue
    if (part !== "..") out.push(part)
    else if (out.length > 0 && out.at(-1) !== "..") out.pop()
    else if (!isAbsolute) out.push("..")
  }
  const joined = out.join("/")
  return isAbsolute ? `/${joined}` : joined === "" ? "." : joined
}

/** A home directory, a drive or a URL: not for these rules. */
const isElsewhere = (path: string): boolean =>
  path.startsWith("~") || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(path) || path.includes("\\")
