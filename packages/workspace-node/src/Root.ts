/**
 * The root: the folder that a run may read in, opened once. What was opened is kept, by its device and inode and, where
 * the system has `/proc`, by a descriptor: whoever moves the folder away and puts another in its place changes nothing.
 *
 *     target ── resolve (words alone) ──> canonical path in the root ── Confined.read ──> what stands there
 *
 * Law 12: `resolve` refuses what leaves the root by its words; what leaves it by links is found by whoever opens it.
 * Source: IO-41.
 *
 * @since 0.1.0
 */
import { isWellFormed } from "@palimpsest/ledger/Canonical"
import * as Target from "@palimpsest/policy/Target"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as path from "node:path"
import { codeOf } from "./internal/errno.ts"
import { O_PATH, pathOf } from "./internal/proc.ts"

/**
 * An open root. `path` is absolute, as it was named; `real` has no links in it, and is where the folder stood when it was
 * opened. `descriptor` holds the folder itself; without one (no `/proc`) every read compares device and inode instead,
 * which finds a swap on the way but cannot rule one out.
 *
 * @since 0.1.0
 * @category models
 */
export interface Root {
  readonly path: string
  readonly real: string
  readonly device: bigint
  readonly inode: bigint
  readonly descriptor: number | undefined
}

/**
 * The folder cannot be opened. `code` is the system's, or `ENOTDIR`.
 *
 * @since 0.1.0
 * @category errors
 */
export class RootError extends Data.TaggedError("RootError")<{ readonly path: string; readonly code: string }> {
  override get message(): string {
    return `the workspace root ${this.path} cannot be opened: ${this.code}`
  }
}

/**
 * How a target leaves the root by its words. `malformed` has a character that no file name has: NUL, a lone surrogate
 * (which the system would read as another name), on Windows a colon.
 *
 * @since 0.1.0
 * @category models
 */
export type Way = "absolute" | "climbing" | "malformed"

/**
 * A target that is not in the root, whatever stands on the disk.
 *
 * @since 0.1.0
 * @category errors
 */
export class EscapesRoot extends Data.TaggedError("EscapesRoot")<{ readonly target: string; readonly way: Way }> {
  override get message(): string {
    return escapes(this.target)
  }
}

/**
 * The seed's words for a path that leaves the root. Source: IO-41.
 *
 * @since 0.1.0
 * @category words
 */
export const escapes = (target: string): string => `path escapes workspace: ${target}`

/**
 * Opens a root for as long as the scope is. `by: "names"` does without descriptors where there would be some.
 *
 * @since 0.1.0
 * @category constructors
 */
export const open = (
  folder: string,
  { by = "descriptors" }: { readonly by?: "descriptors" | "names" } = {}
): Effect.Effect<Root, RootError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.suspend(() => {
      try {
        return Effect.succeed(opened(folder, by))
      } catch (error) {
        const code = codeOf(error)
        return code === undefined ? Effect.die(error) : Effect.fail(new RootError({ path: folder, code }))
      }
    }),
    ({ descriptor }) => Effect.sync(() => descriptor !== undefined && fs.closeSync(descriptor))
  )

/**
 * The canonical path of a target in any root: `.` segments and `a/..` go, and what is left never begins with `/` or `..`.
 * Words alone decide; nothing is looked up. On Windows a backslash parts segments too; a name keeps its case everywhere.
 *
 * @since 0.1.0
 * @category resolving
 */
export const resolve = (target: string, platform: string = process.platform): Either.Either<string, EscapesRoot> => {
  const leaves = (way: Way) => Either.left(new EscapesRoot({ target, way }))
  const windows = platform === "win32"
  if (target.startsWith("/") || (windows && path.win32.isAbsolute(target))) return leaves("absolute")
  if (!isWellFormed(target) || target.includes("\0")) return leaves("malformed")
  const canonical = Target.canonical("read", target, { separators: windows ? "/\\" : "/", caseFolding: false })
  if (canonical === ".." || canonical.startsWith("../")) return leaves("climbing")
  // There a colon names a stream of a file, or a drive: more than the name that policy would be asked about.
  return windows && canonical.includes(":") ? leaves("malformed") : Either.right(canonical)
}

const opened = (folder: string, by: "descriptors" | "names"): Root => {
  const named = path.resolve(folder)
  const real = fs.realpathSync.native(named)
  const descriptor = by === "descriptors" ? descriptorOf(real) : undefined
  const stat =
    descriptor === undefined ? fs.lstatSync(real, { bigint: true }) : fs.fstatSync(descriptor, { bigint: true })
  if (!stat.isDirectory()) throw Object.assign(new Error("not a directory"), { code: "ENOTDIR" })
  return { path: named, real, device: stat.dev, inode: stat.ino, descriptor }
}

/** Undefined where `/proc` is missing or something else stands in its place. */
const descriptorOf = (real: string): number | undefined => {
  if (process.platform !== "linux") return undefined
  const { O_DIRECTORY, O_NOFOLLOW } = fs.constants
  const descriptor = fs.openSync(real, O_PATH | O_DIRECTORY | O_NOFOLLOW)
  try {
    const mine = fs.fstatSync(descriptor, { bigint: true })
    const seen = fs.statSync(pathOf(descriptor), { bigint: true })
    if (mine.dev === seen.dev && mine.ino === seen.ino) return descriptor
  } catch (error) {
    if (codeOf(error) === undefined) throw error
  }
  fs.closeSync(descriptor)
  return undefined
}
