/**
 * Canonical targets: one name for what is one thing, so that no spelling slips past a rule.
 *
 * Purely lexical: links, short names, streams and the root are the workspace's business, which asks again about what it
 * opened; what a host name resolves to is the network's. Rules:
 *
 * - `read`, `write`: `.` segments and repeated or trailing `/` go; `a/..` goes; a `..` that climbs above the start stays
 *   where it is (the workspace refuses it). The root itself is `.`. What else is one name, the `Platform` says: by
 *   default a backslash is an ordinary character and case counts.
 * - `net`: `host`, or `host:port` where a port is known, as whoever opens the connection would read it: scheme, user,
 *   path, query and fragment of a URL go, and the port that its scheme stands for comes; case, the dot after a fully
 *   qualified host, the many ways to write an address and a name beyond ASCII are brought to one form. An IPv6 address
 *   has brackets where a port follows. What cannot be read stays, without blanks and in lower case.
 * - `exec`: the name as it is: a tool's name is no path.
 *
 * Laws kept here: 12 (aliases), 13 (a narrower rule cannot be walked around).
 *
 * @since 0.1.0
 */
import type { Act } from "./Act.ts"
import { type Platform, posix } from "./Platform.ts"

/**
 * The canonical form of a target of an act. Idempotent.
 *
 * @since 0.1.0
 * @category canonical form
 */
export const canonical = (act: Act, target: string, platform: Platform = posix): string =>
  act === "exec" ? target : act === "net" ? canonicalEndpoint(target) : canonicalPath(onPlatform(target, platform))

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
export const host = (target: string): string | undefined => /^\[(.+)\]|^([^:]+):[^:]*$/.exec(target)?.slice(1).join("")

const onPlatform = (target: string, { caseFolding, separators }: Platform): string => {
  const slashed =
    separators === "/"
      ? target
      : target
          .replaceAll("\\", "/")
          .replace(/^\/\/[?.]\/(?:UNC(?=\/)|(?=[a-z]:))/i, "")
          .replace(/([^/. ][^/]*?)[. ]+(?=\/|$)/g, "$1")
  if (!caseFolding) return slashed
  // Down, up and down again, as some letters meet on one of the ways only; a sigma at the end of a word is a sigma.
  const folded = slashed.normalize("NFD").toLowerCase().toUpperCase().toLowerCase()
  return folded.replaceAll("ς", "σ").normalize("NFC")
}

const canonicalPath = (target: string): string => {
  // Almost every target is canonical already.
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(target)) return target
  const kept: Array<string> = []
  for (const segment of target.split("/")) {
    if (segment === "" || segment === ".") continue
    const last = kept.at(-1)
    if (segment === ".." && last !== undefined && last !== "..") kept.pop()
    else kept.push(segment)
  }
  const path = kept.join("/")
  return target.startsWith("/") ? `/${path}` : path === "" ? "." : path
}

const canonicalEndpoint = (target: string): string => {
  if (PLAIN.test(target)) return target
  const text = target.replace(/[\0- ]/g, "").toLowerCase()
  const [start = "", scheme = ""] =
    /^([a-z][a-z\d+.-]*):(?:\/\/|(?<=^(?:https?|wss?|ftp):)(?!\d*$)[\\/]*)/.exec(text) ?? []
  const rest = text.slice(start.length)
  const authority = /^[\da-f.]*:[\da-f.]*:[\da-f:.]*$/.test(rest) ? `[${rest}]` : rest
  try {
    // Of the two schemes at most one hides a port as its own.
    const { hostname, port } = new URL(`http://${authority}`)
    const known = port || new URL(`https://${authority}`).port || PORTS[scheme]
    const name = hostname.replace(/\.+$/, "")
    return known === undefined ? name.replace(/[[\]]/g, "") : `${name}:${known}`
  } catch {
    return text
  }
}

/** Names and ports that are their own canonical form: the last label begins with a letter, so it is no address. */
const PLAIN = /^(?:[a-z\d_-]+\.)*[a-z][a-z\d_-]*(?::[1-9]\d{0,3})?$/

const PORTS: { readonly [scheme: string]: number | undefined } = {
  http: 80,
  ws: 80,
  https: 443,
  wss: 443,
  ftp: 21,
  ssh: 22
}
