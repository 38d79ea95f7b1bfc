/**
 * The entries of a run, each with its address: what can be recalled.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { format } from "@palimpsest/ledger/Address"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import { bodiesOf } from "@palimpsest/ledger/Part"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Log from "./Log.ts"
import type { Run, RunError } from "./Runs.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface EntryRow {
  readonly address: string
  readonly step: number
  readonly role: string
  readonly part: string
  readonly call?: string
  readonly kind?: string
  readonly target?: string
  readonly blocks: number
  readonly bytes: number
}

/**
 * All entries of a run, in order.
 *
 * @since 0.1.0
 * @category listing
 */
export const list = (hash: Hasher, run: Run): Effect.Effect<ReadonlyArray<EntryRow>, RunError, EventStore> =>
  Effect.map(
    Log.fold(hash, run.log, [] as Array<EntryRow>, (rows, { fact, seq }) =>
      Effect.sync(() => {
        if (fact._tag !== "Entered") return rows
        const { observation, part, role, step } = fact
        const bodies = bodiesOf(part)
        rows.push({
          address: `${run.log}${format({ seq })}`,
          step,
          role,
          part: part._tag,
          ...(part._tag === "Call" || part._tag === "Result" ? { call: part.call } : {}),
          ...(observation === undefined ? {} : { kind: observation.kind }),
          ...(observation?.target === undefined ? {} : { target: observation.target }),
          blocks: bodies.length,
          bytes: bodies.reduce((sum, body) => sum + body.size.bytes, 0)
        })
        return rows
      })
    ),
    ({ state }) => state
  )
