/** Readers that law 12 is tried on: ours, held in either way, and wrong ones, each named after what is wrong with it. */
import { check, type CompiledPolicy } from "@palimpsest/policy/Check"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Confined from "../../src/Confined.ts"
import * as Root from "../../src/Root.ts"

/** The text of a target in a root, or undefined where none is given. */
export type Read = (policy: CompiledPolicy, target: string) => string | undefined

export interface Reader {
  readonly name: string
  /** Opens a root for as long as `use` takes. */
  readonly within: <A>(root: string, use: (read: Read) => A) => A
}

const ours = (by: "descriptors" | "names"): Reader => ({
  name: `ours, held by ${by}`,
  within: (folder, use) => {
    const scope = Effect.runSync(Scope.make())
    try {
      const root = Effect.runSync(Scope.extend(Root.open(folder, { by }), scope))
      return use((policy, target) => {
        const answer = Effect.runSync(Confined.read(root, policy, target))
        return answer._tag === "Found" && answer.contents._tag === "Text" ? answer.contents.text : undefined
      })
    } finally {
      Effect.runSync(Scope.close(scope, Exit.void))
    }
  }
})

export const OURS: ReadonlyArray<Reader> = [ours("descriptors"), ours("names")]

/** A reader that works by names; whatever goes wrong is no text. */
const naive = (name: string, read: (root: string, policy: CompiledPolicy, target: string) => string | undefined) => ({
  name,
  within: <A>(root: string, use: (read: Read) => A): A =>
    use((policy, target) => {
      try {
        return read(root, policy, target)
      } catch {
        return undefined
      }
    })
})

const allows = (policy: CompiledPolicy, target: string) => check(policy, "read", target).ruling === "allow"
const lexical = (target: string) => Either.getOrThrow(Root.resolve(target))
const isInside = (root: string, real: string) => real.startsWith(`${root}/`)

export const MUTANTS: ReadonlyArray<Reader> = [
  naive("checks the words, then reads the path", (root, policy, target) => {
    const resolved = lexical(target)
    return allows(policy, resolved) ? fs.readFileSync(path.join(root, resolved), "utf8") : undefined
  }),
  naive("confines to the root, and asks for the target alone", (root, policy, target) => {
    const resolved = lexical(target)
    const real = fs.realpathSync.native(path.join(root, resolved))
    return allows(policy, resolved) && isInside(root, real) ? fs.readFileSync(real, "utf8") : undefined
  }),
  naive("checks the real path, then reads that, though a link may stand there by now", (root, policy, target) => {
    const resolved = lexical(target)
    const real = fs.realpathSync.native(path.join(root, resolved))
    if (!isInside(root, real) || !allows(policy, resolved) || !allows(policy, path.relative(root, real)))
      return undefined
    return fs.statSync(real).nlink === 1 ? fs.readFileSync(real, "utf8") : undefined
  }),
  naive("checks where the path leads, then reads it by its name", (root, policy, target) => {
    const resolved = lexical(target)
    const named = path.join(root, resolved)
    const real = fs.realpathSync.native(named)
    const allowed = allows(policy, resolved) && allows(policy, path.relative(root, real))
    if (!allowed || !isInside(root, real) || fs.statSync(named).nlink > 1) return undefined
    return fs.readFileSync(named, "utf8")
  }),
  naive("forgets that a file may have several names", (root, policy, target) => {
    const resolved = lexical(target)
    const descriptor = fs.openSync(path.join(root, resolved), fs.constants.O_RDONLY)
    try {
      const real = fs.readlinkSync(`/proc/self/fd/${descriptor}`)
      const allowed = allows(policy, resolved) && allows(policy, path.relative(root, real))
      return allowed && isInside(root, real) ? fs.readFileSync(descriptor, "utf8") : undefined
    } finally {
      fs.closeSync(descriptor)
    }
  })
]

/** The one that only a race tells from ours: each of its checks is right, and what it reads is not what it checked. */
export const CHECK_THEN_READ = MUTANTS[3]
