/**
 * File systems to try law 12 on: the same files each time, some of them denied, and generated links between them; and acts
 * that change the links in the middle of a read. What a file holds says whether it may be given.
 */
import type { CompiledPolicy } from "@palimpsest/policy/Check"
import * as FastCheck from "effect/FastCheck"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Disk from "./Disk.ts"

export const OPEN = ["open/a", "open/b", "open/deep/c", "top"] as const
const DENIED = ["private/a", "private/b", "open/key.pem", "ask/a"] as const
const NAMES = ["l1", "l2", "l3", "open/l4", "open/deep/l5", "x.pem", "ask/l6"] as const
const FOLDERS = ["open", "open/deep", "private", "ask"] as const

/** A link at a path: to a path in the root, by a relative or an absolute text; to one outside; or a hard link. */
export interface Link {
  readonly at: string
  readonly to: string
  readonly how: "relative" | "absolute" | "outside" | "hard" | "hard outside"
}

/** The links that stand in the beginning, and those put in the place of something when policy is asked the n-th time. */
export interface Tree {
  readonly links: ReadonlyArray<Link>
  readonly swaps: ReadonlyArray<Link & { readonly when: number }>
}

const target = FastCheck.constantFrom(...OPEN, ...DENIED, ...NAMES, ...FOLDERS)
const how = FastCheck.constantFrom(
  "relative" as const,
  "relative" as const,
  "absolute" as const,
  "outside" as const,
  "hard" as const,
  "hard outside" as const
)
const link = FastCheck.record({ at: FastCheck.constantFrom(...NAMES), to: target, how })
const swap = FastCheck.record({
  at: FastCheck.constantFrom(...OPEN, ...NAMES, "open", "open/deep"),
  to: target,
  how,
  when: FastCheck.integer({ min: 1, max: 5 })
})

export const tree: FastCheck.Arbitrary<Tree> = FastCheck.record({
  links: FastCheck.array(link, { maxLength: 7 }),
  swaps: FastCheck.array(swap, { maxLength: 3 })
})

/** What is asked for: every name there is, what lies behind a link to a folder, and other spellings. */
const SPELLINGS = "l1/a l1/../private/a l2/deep/c open/l4/a open/deep/l5/b ./open//key.pem ../outside/a open/.."

export const TARGETS: ReadonlyArray<string> = [OPEN, DENIED, NAMES, SPELLINGS.split(" ")].flat()

/** Makes the files of every tree, and its links. */
export const build = (disk: Disk.Disk, { links }: Tree): void => {
  for (const name of OPEN) Disk.write(disk.root, { [name]: `OPEN ${name}` })
  for (const name of DENIED) Disk.write(disk.root, { [name]: `DENIED ${name}` })
  for (const name of ["a", "b", "deep/c"]) Disk.write(disk.outside, { [name]: `OUTSIDE ${name}` })
  for (const link of links) put(disk, link)
}

/** A policy that answers as the house does, and has the swaps of a tree done right after the answer, once each. */
export const swapping = (disk: Disk.Disk, { swaps }: Tree): CompiledPolicy => {
  let asked = 0
  return {
    ...Disk.HOUSE,
    get acts() {
      asked++
      for (const swap of swaps) if (swap.when === asked) put(disk, swap)
      return Disk.HOUSE.acts
    }
  }
}

/** Puts a link where something may stand; what stood there is gone, or, if it is a folder, elsewhere. */
const put = (disk: Disk.Disk, link: Link): void => {
  try {
    replace(disk, link)
  } catch (error) {
    // A folder has no hard link, and what was put before may have taken the place itself away.
    if (!(error instanceof Error && "code" in error)) throw error
  }
}

const replace = ({ outside, root }: Disk.Disk, { at, how, to }: Link): void => {
  const place = path.join(root, at)
  const fresh = `${place}.new`
  const away = `${outside}.${fs.readdirSync(path.dirname(outside)).length}`
  fs.rmSync(fresh, { force: true })
  if (how === "hard") fs.linkSync(path.join(root, to), fresh)
  else if (how === "hard outside") fs.linkSync(path.join(outside, "a"), fresh)
  else fs.symlinkSync(textOf(how, outside, root, at, to), fresh)
  if (fs.lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true) fs.renameSync(place, away)
  fs.renameSync(fresh, place)
}

const textOf = (how: Link["how"], outside: string, root: string, at: string, to: string): string => {
  if (how === "outside") return path.join(outside, to.split("/").at(-1) ?? "")
  return how === "absolute"
    ? path.join(root, to)
    : path.relative(path.join(root, path.dirname(at)), path.join(root, to))
}
