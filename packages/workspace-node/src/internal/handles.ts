/**
 * Handles: what is held while a path is walked. Two ways to hold, one walk.
 *
 *     descriptors   /proc/self/fd/N/name   each step starts from the folder that is held: a swap behind it changes nothing
 *     names         root/a/b/name          each step starts from the root; afterwards every step is compared with what it was
 *
 * The second finds a swap by device, inode and the folders' times of change, so it is as good as those times are fine.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import type { Root } from "../Root.ts"
import { folded } from "./entryName.ts"
import { O_PATH, pathOf, PSEUDO } from "./proc.ts"

/** Something that stands at a path, not followed where it is a link. `path` finds it and what is in it. */
export interface Held {
  readonly path: string
  readonly stat: fs.BigIntStats
  readonly close: () => void
}

/** A walked path: the root, the folders on the way, and what stands at the end, which is named `real` in the root. */
export interface Trail {
  readonly steps: ReadonlyArray<Held>
  readonly real: string
  readonly folds: boolean
}

export interface Handles {
  /** The root, which is not closed here; undefined where another folder stands in its place. */
  readonly root: () => Held | undefined
  readonly hold: (folder: Held, name: string) => Held
  /** A descriptor to read with. A FIFO does not wait, a terminal does not become ours. */
  readonly open: (held: Held) => number
  /** Where the root stands now. */
  readonly place: () => string
  /** Whether an open file is still what its trail leads to. */
  readonly isAt: (descriptor: number, trail: Trail) => boolean
  readonly isPseudo: (held: Held) => boolean
}

export const handlesOf = (root: Root): Handles =>
  root.descriptor === undefined ? names(root) : descriptors(root.descriptor)

/** The same thing, and the same bytes in it as far as the file system's clock tells. */
export const isSame = (a: fs.BigIntStats, b: fs.BigIntStats): boolean =>
  isSameThing(a, b) && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.nlink === b.nlink

const isSameThing = (a: fs.BigIntStats, b: fs.BigIntStats): boolean =>
  a.dev === b.dev && a.ino === b.ino && (a.mode & TYPE) === (b.mode & TYPE)

const TYPE = BigInt(fs.constants.S_IFMT)
const keep = () => {}

const descriptors = (root: number): Handles => {
  const place = () => fs.readlinkSync(pathOf(root))
  return {
    root: () => ({ path: pathOf(root), stat: fs.fstatSync(root, { bigint: true }), close: keep }),
    hold: (folder, name) => {
      const descriptor = fs.openSync(`${folder.path}/${name}`, O_PATH | fs.constants.O_NOFOLLOW)
      const close = () => fs.closeSync(descriptor)
      try {
        return { path: pathOf(descriptor), stat: fs.fstatSync(descriptor, { bigint: true }), close }
      } catch (error) {
        close()
        throw error
      }
    },
    // The path is the held thing itself, so there is no name left to swap.
    open: ({ path }) => fs.openSync(path, READING),
    place,
    // A folder on the way may have been moved since: the kernel knows where the file is now, and says so if it is gone.
    isAt: (descriptor, trail) => isPlace(fs.readlinkSync(pathOf(descriptor)), place(), trail),
    isPseudo: ({ path }) => PSEUDO.has(fs.statfsSync(path).type)
  }
}

const names = (root: Root): Handles => {
  const hold = (at: string): Held => ({ path: at, stat: fs.lstatSync(at, { bigint: true }), close: keep })
  return {
    root: () => {
      const held = hold(root.real)
      return held.stat.dev === root.device && held.stat.ino === root.inode ? held : undefined
    },
    hold: (folder, name) => hold(path.join(folder.path, name)),
    open: (held) => fs.openSync(held.path, READING | (fs.constants.O_NOFOLLOW ?? 0)),
    place: () => root.real,
    isAt: (_, trail) =>
      trail.steps.every(({ path, stat }) => isSame(fs.lstatSync(path, { bigint: true }), stat)) &&
      isPlace(fs.realpathSync.native(trail.steps.at(-1)?.path ?? root.real), root.real, trail),
    isPseudo: ({ path }) => process.platform === "linux" && PSEUDO.has(fs.statfsSync(path).type)
  }
}

const isPlace = (found: string, root: string, { folds, real }: Trail): boolean => {
  const wanted = path.join(root, real)
  return found === wanted || (folds && folded(found) === folded(wanted))
}

// Windows has neither of the last two, and no FIFO or terminal that a path would open.
const READING = fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0) | (fs.constants.O_NOCTTY ?? 0)
