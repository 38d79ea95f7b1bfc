/**
 * A session in the accounting of a report: imported under a configuration into memory, the client's own compactions as they
 * happened, every part in, and its runs summed.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import type { NotCanonical } from "@palimpsest/ledger/Canonical"
import type { Digest } from "@palimpsest/ledger/Ids"
import * as Memory from "@palimpsest/ledger/Memory"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Config } from "../Config.ts"
import type { ImportError } from "../Import.ts"
import * as ImportTree from "../ImportTree.ts"
import * as Report from "../Report.ts"
import * as Runs from "../Runs.ts"
import type { WalkError } from "../Walk.ts"
import type { Terms } from "./Drive.ts"
import type { Source } from "./Recording.ts"

/**
 * What the client's requests cost, and the governed ones.
 *
 * @since 0.1.0
 * @category models
 */
export interface AsSent {
  readonly raw: number
  readonly governed: number
}

/**
 * Imports and reports.
 *
 * @since 0.1.0
 * @category reporting
 */
export const of = (
  hash: Hasher,
  { agents, bytes, format }: Source,
  config: Config,
  { fixed, prices }: Terms
): Effect.Effect<AsSent, ImportError | NotCanonical | Runs.RunError | WalkError> =>
  Effect.gen(function* () {
    const { base, tree } = yield* ImportTree.run(hash, { format, bytes }, agents ?? [], config)
    const logs = yield* ImportTree.runsOf(tree, base)
    const checked = new Set<Digest>()
    const reports = yield* Effect.forEach(logs, ({ log }) =>
      Effect.flatMap(Runs.find(hash, log), (run) => Report.report<never>(hash, run, { fixed, prices, checked }))
    )
    return {
      raw: reports.reduce((sum, { raw }) => sum + raw.cost, 0),
      governed: reports.reduce((sum, { governed }) => sum + governed.cost, 0)
    }
  }).pipe(Effect.provide(Memory.layer(hash)))
