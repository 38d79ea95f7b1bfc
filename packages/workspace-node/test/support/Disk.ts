/** A folder on the disk for one test: `root`, which may be read, beside `outside`, which may not. */
import * as Root from "../../src/Root.ts"
import { compile, type CompiledPolicy } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Scope from "effect/Scope"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

export interface Disk {
  readonly root: string
  readonly outside: string
}

export const make = (): Disk => {
  const base = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "palimpsest-workspace-")))
  const disk = { root: path.join(base, "root"), outside: path.join(base, "outside") }
  for (const folder of Object.values(disk)) fs.mkdirSync(folder)
  return disk
}

export const remove = ({ root }: Disk): void => fs.rmSync(path.dirname(root), { recursive: true, force: true })

export const disk: Effect.Effect<Disk, never, Scope.Scope> = Effect.acquireRelease(Effect.sync(make), (disk) =>
  Effect.sync(() => remove(disk))
)

/** Writes files, and the folders that they need. */
export const write = (folder: string, files: Readonly<Record<string, string | Uint8Array>>): void => {
  for (const [name, contents] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.writeFileSync(path.join(folder, name), contents)
  }
}

export const link = (folder: string, links: Readonly<Record<string, string>>): void => {
  for (const [name, to] of Object.entries(links)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    fs.symlinkSync(to, path.join(folder, name))
  }
}

/** Both ways to hold a root: what one answers, the other must. */
export const HOLDING = ["descriptors", "names"] as const

export const opened = (by: (typeof HOLDING)[number] = "descriptors") =>
  Effect.flatMap(disk, (disk) => Effect.map(Root.open(disk.root, { by }), (root) => ({ ...disk, handle: root })))

export const compiled = (policy: Policy.Policy): CompiledPolicy => Either.getOrThrow(compile(policy))

export const ALL = compiled(Policy.permissive)

/** Allows, but for `private/*` and `*.pem` (denied) and `ask/*` (for a person). */
export const HOUSE_POLICY: Policy.Policy = Policy.ask(
  Policy.deny(Policy.deny(Policy.layer(Policy.permissive, "house"), "read", "private/*"), "read", "*.pem"),
  "read",
  "ask/*"
)

export const HOUSE = compiled(HOUSE_POLICY)
