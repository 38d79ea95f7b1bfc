/**
 * Export: the source file that a run came from, byte for byte, whichever of the source's runs is named (law 2). Its
 * records are named by the events of all of them; what stands behind the last one, by the log beside them.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { Digest, LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { FORMATS } from "@palimpsest/transcript/Format"
import { join } from "@palimpsest/transcript/Records"
import * as Config from "./Config.ts"
import { lastSourced } from "./internal/sourced.ts"
import { recordOf } from "./internal/resume.ts"
import * as Log from "./Log.ts"
import { find, type RunError } from "./Runs.ts"
import { fromStore } from "./Texts.ts"

/**
 * The run came from no file, or a record of it is named by no event.
 *
 * @since 0.1.0
 * @category errors
 */
export class NoSource extends Data.TaggedError("NoSource")<{ readonly run: LogId; readonly why: string }> {
  override get message(): string {
    return `${this.run}: ${this.why}`
  }
}

/**
 * The bytes of the source file.
 *
 * @since 0.1.0
 * @category exporting
 */
export const source = (
  hash: Hasher,
  run: LogId
): Effect.Effect<Uint8Array, NoSource | RunError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const { base, tree } = yield* find(hash, run)
    const { state: sourced } = yield* lastSourced(hash, Config.sourceLogOf(base))
    const format = FORMATS.find((known) => known === sourced?.format)
    if (sourced === undefined || format === undefined) {
      return yield* new NoSource({ run, why: "it was not imported from a file" })
    }
    const digests = yield* recordsOf(hash, tree, base)
    const reader = yield* fromStore(hash, tree)
    const records: Array<Uint8Array> = []
    for (let line = 1; line <= digests.size; line++) {
      const digest = digests.get(line)
      if (digest === undefined) return yield* new NoSource({ run, why: `no event names line ${line} of its source` })
      records.push(yield* reader.stored(digest))
    }
    const isRead = sourced.records === records.length
    return join(format, records, isRead ? yield* reader.stored(sourced.tail.digest) : new Uint8Array())
  })

const recordsOf = (
  hash: Hasher,
  tree: Config.Names["tree"],
  base: LogId
): Effect.Effect<ReadonlyMap<number, Digest>, RunError, EventStore> =>
  Effect.gen(function* () {
    const found = new Map<number, Digest>()
    for (const { log } of yield* Log.runsOf(tree, base)) {
      yield* Log.fold(hash, log, found, (known, { fact }) =>
        Effect.sync(() => {
          const named = recordOf(fact)
          return named === undefined ? known : known.set(named.line, named.digest)
        })
      )
    }
    return found
  })
