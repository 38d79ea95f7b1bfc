import { describe, it } from "@effect/vitest"
import { WorkspaceContract } from "@palimpsest/governor/testing"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Workspace from "../src/Layer.ts"
import * as Disk from "./support/Disk.ts"

const { checks, Ground } = WorkspaceContract

/** A workspace over a new folder, and the hand that changes what is in it. */
const layer = Layer.unwrapScoped(
  Effect.map(Disk.disk, ({ root }) =>
    Layer.merge(
      Workspace.layer({ root, policy: Disk.ALL }),
      Layer.succeed(Ground, {
        set: (target, contents) => Effect.sync(() => Disk.write(root, { [target]: contents })),
        remove: (target) => Effect.sync(() => fs.rmSync(path.join(root, target)))
      })
    )
  )
)

describe("the contract of Workspace, on real files", () => {
  for (const { check, name } of checks) it.effect(name, () => Effect.provide(check, layer))
})
