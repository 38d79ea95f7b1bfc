/**
 * The port `Workspace` over a folder on the disk. Whoever asks through the port, refresh or recall, gets bytes by
 * `Confined.read` and no other way, and so under the policy of this layer as well as its own (law 12).
 *
 * @since 0.1.0
 */
import { Workspace } from "@palimpsest/governor/Workspace"
import type { CompiledPolicy } from "@palimpsest/policy/Check"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Answer from "./Answer.ts"
import * as Confined from "./Confined.ts"
import * as Root from "./Root.ts"

/**
 * `root` is a path; the folder must exist. `policy` is the run's. `refused` is told of each refusal, with what is for the
 * operator alone and goes beyond the verdict that is recorded: which link led where.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly root: string
  readonly policy: CompiledPolicy
  readonly limits?: Confined.Limits
  readonly refused?: (refused: Answer.Refused) => Effect.Effect<void>
}

/**
 * A workspace, its root open for as long as the layer is.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: Options): Layer.Layer<Workspace, Root.RootError> =>
  Layer.scoped(
    Workspace,
    Effect.map(Root.open(options.root), (root) => ({
      read: Effect.fn("Workspace.read")(function* (target: string) {
        const answer = yield* Confined.read(root, options.policy, target, options.limits)
        if (answer._tag === "Refused") {
          yield* Effect.annotateCurrentSpan("refused", Answer.explain(answer))
          if (options.refused !== undefined) yield* options.refused(answer)
        }
        return Answer.contents(answer)
      })
    }))
  )
