/**
 * What the laws of this package are about, as one record: ours, or one with a part put wrong. Each part is a function over
 * the ports; the laws bring stores in memory.
 *
 * @since 0.1.0
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { RunAddress } from "@palimpsest/ledger/Address"
import type { Stored } from "@palimpsest/ledger/Body"
import type { LogId } from "@palimpsest/ledger/Ids"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import type { CompiledPolicy } from "@palimpsest/policy/Check"
import * as Export from "../Export.ts"
import * as Recall from "../Recall.ts"
import * as Refresh from "../Refresh.ts"
import * as Runs from "../Runs.ts"
import * as ViewAt from "../ViewAt.ts"
import type { Workspace } from "../Workspace.ts"

/**
 * A file comes back from its run (`exported`), an entry from its address (`recalled`), and the messages of a request from
 * the log (`rendered`); undefined where it is refused. `refresher` reads stale files again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  readonly exported: (run: LogId) => Effect.Effect<Uint8Array, unknown, EventStore | BodyStore>
  readonly recalled: (
    policy: CompiledPolicy,
    address: RunAddress
  ) => Effect.Effect<Uint8Array | undefined, unknown, EventStore | BodyStore>
  readonly rendered: (
    run: LogId,
    request: number
  ) => Effect.Effect<ReadonlyArray<string> | undefined, unknown, EventStore | BodyStore>
  readonly refresher: (
    policy: CompiledPolicy,
    workspace: Context.Tag.Service<typeof Workspace>,
    bodies: Array<Stored>
  ) => Refresh.Refresher
}

/**
 * This package.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: Implementation = {
  exported: (run) => Export.source(hash, run),
  recalled: (policy, address) =>
    Recall.recall(hash, policy, address).pipe(
      Effect.map(({ bytes }): Uint8Array | undefined => bytes),
      Effect.catchTag("RecallRefused", () => Effect.succeed(undefined))
    ),
  rendered: (run, request) =>
    Effect.gen(function* () {
      const view = yield* ViewAt.at(hash, yield* Runs.find(hash, run), request)
      return view._tag === "Sent" ? view.messages : undefined
    }),
  refresher: (policy, workspace, bodies) => Refresh.make({ hash, policy }, workspace, bodies)
}
