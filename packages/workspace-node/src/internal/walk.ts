/**
 * Walks from the root to a target, link by link, holding each folder on the way. The system never follows a link here:
 * its text is read and walked like any other path, so no link leads out, or to a name that the policy was not asked about.
 *
 *     a/b ── hold a ── hold b ──┬─ a folder: go on in it
 *                               ├─ a link:   the rest of the way is its text and what was left; judge that name; go on
 *                               └─ a file:   the end
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { entryName } from "./entryName.ts"
import type { Handles, Held, Trail } from "./handles.ts"
import { codeOf, isMissing } from "./errno.ts"

/** `link` is the path of a link in the root, and `to` its text. */
export type Walked<Refusal> =
  | { readonly _tag: "There"; readonly trail: Trail; readonly held: Held }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Outside"; readonly link: string; readonly to: string }
  | { readonly _tag: "Loop" }
  | { readonly _tag: "Judged"; readonly refusal: Refusal }
  | { readonly _tag: "Gone" }

/**
 * What `use` makes of where a canonical path leads. `roots` are the absolute paths that name the root in a link. Each name
 * that the path stands for is judged before anything of it is looked up. Everything held is let go in the end.
 */
export const walk = <Refusal, A>(
  handles: Handles,
  roots: ReadonlyArray<string>,
  target: string,
  judge: (name: string) => Refusal | undefined,
  use: (walked: Walked<Refusal>) => A
): A => {
  const root = handles.root()
  if (root === undefined) return use({ _tag: "Gone" })
  const steps: Array<Held> = [root]
  const real: Array<string> = []
  const letGo = (length: number) => {
    while (steps.length > length) steps.pop()?.close()
  }
  try {
    let rest = split(target)
    let folds = false
    for (let links = 0; rest.length > 0;) {
      const [name = "", ...after] = rest
      rest = after
      if (name === "..") {
        // The text of a link leads up; the target itself is canonical. Out of the root was found when it was read.
        letGo(Math.max(1, steps.length - 1))
        real.pop()
        continue
      }
      const folder = steps.at(-1) ?? root
      const held = holdIn(handles, folder, name)
      if (held === undefined) return use({ _tag: "Missing" })
      steps.push(held)
      const named = entryName(folderOf(folder), name, identityOf(held.stat))
      if (named === undefined) return use({ _tag: "Missing" })
      folds ||= named.folds
      if (named.name !== name) {
        const refusal = judge(join([...real, named.name, ...rest]))
        if (refusal !== undefined) return use({ _tag: "Judged", refusal })
      }
      if (!held.stat.isSymbolicLink()) {
        real.push(named.name)
        continue
      }
      const link = join([...real, named.name])
      const to = fs.readlinkSync(path.join(folder.path, name))
      letGo(steps.length - 1)
      if (++links > MOST_LINKS) return use({ _tag: "Loop" })
      const way = wayOf(to, roots)
      if (way === undefined) return use({ _tag: "Outside", link, to })
      if (way.fromRoot) {
        letGo(1)
        real.length = 0
      }
      rest = [...way.segments, ...rest]
      if (climbs(real.length, rest)) return use({ _tag: "Outside", link, to })
      const refusal = judge(join([...real, ...rest]))
      if (refusal !== undefined) return use({ _tag: "Judged", refusal })
    }
    const trail = { steps, real: join(real), folds }
    const refusal = judge(trail.real)
    if (refusal !== undefined) return use({ _tag: "Judged", refusal })
    return use({ _tag: "There", trail, held: steps.at(-1) ?? root })
  } finally {
    letGo(1)
  }
}

/** As many as Linux follows. */
const MOST_LINKS = 40

const split = (text: string): ReadonlyArray<string> => text.split("/").filter((name) => name !== "" && name !== ".")

const join = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "." : path.posix.normalize(names.join("/"))

/** Whether a way climbs above the root on any of its steps, though it may come back. */
const climbs = (depth: number, names: ReadonlyArray<string>): boolean => {
  let at = depth
  return names.some((name) => (at += name === ".." ? -1 : 1) < 0)
}

/** The steps of a link's text; undefined where it is absolute and names no root. */
const wayOf = (
  to: string,
  roots: ReadonlyArray<string>
): { readonly fromRoot: boolean; readonly segments: ReadonlyArray<string> } | undefined => {
  const text = slashed(to)
  if (!path.isAbsolute(to)) return { fromRoot: false, segments: split(text) }
  const root = roots.map(slashed).find((root) => text === root || text.startsWith(root === "/" ? root : `${root}/`))
  return root === undefined ? undefined : { fromRoot: true, segments: split(text.slice(root.length)) }
}

const slashed = (text: string): string =>
  (path.sep === "\\" ? text.replaceAll("\\", "/") : text).replace(/\/{2,}/g, "/")

const identityOf = ({ dev, ino }: fs.BigIntStats): string => `${dev}:${ino}`

const folderOf = (folder: Held) => ({
  identityOf: (name: string) => {
    const stat = fs.lstatSync(path.join(folder.path, name), { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? undefined : identityOf(stat)
  },
  list: () => fs.readdirSync(folder.path)
})

const holdIn = (handles: Handles, folder: Held, name: string): Held | undefined => {
  try {
    return handles.hold(folder, name)
  } catch (error) {
    if (isMissing(codeOf(error) ?? "")) return undefined
    throw error
  }
}
