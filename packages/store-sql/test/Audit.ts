import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { open, type Head } from "@palimpsest/ledger/Event"
import { EventStore } from "@palimpsest/ledger/EventStore"
import type { Digest, LogId, TreeId } from "@palimpsest/ledger/Ids"
import { Chained } from "@palimpsest/ledger/testing"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { hash } from "../src/NodeHasher.ts"
import { storeAt } from "./TemporaryStore.ts"

/** What is said against a file: an event, a body, or the whole file. */
export type Objection =
  | { readonly _tag: "Event"; readonly log: string; readonly seq: number }
  | { readonly _tag: "Body"; readonly digest: string }
  | { readonly _tag: "File"; readonly why: string }

export interface Known {
  readonly heads: ReadonlyMap<LogId, Head>
  /** The bodies that events refer to. */
  readonly bodies: ReadonlyArray<readonly [TreeId, Digest]>
  readonly trees: ReadonlyArray<TreeId>
}

/** All that can be found without having seen the file before, and with the bodies that are known to be referred to. */
export const audit = (file: string, known: Known, heads: Known["heads"] = new Map()) =>
  Effect.gen(function* () {
    const store = yield* EventStore
    const found: Array<Objection> = []
    const listed = yield* store.logs({ after: "", limit: 1_000 })
    for (const log of new Set([...listed.map((info) => info.log), ...heads.keys()])) {
      const events = yield* store.read(log, 0, 10_000)
      const last = events.at(-1)
      const head = heads.get(log) ?? { seq: last?.seq ?? 0, digest: last?.digest ?? ("" as Digest) }
      const broken = Chained.firstBroken((name, before, stored) => open(hash, name, before, stored), log, head, events)
      if (broken !== undefined) found.push({ _tag: "Event", log, seq: broken })
      for (const { seq } of yield* store.inspect(log)) found.push({ _tag: "Event", log, seq })
    }
    const bodies = yield* BodyStore
    const stored = yield* Effect.forEach(known.trees, (tree) =>
      Effect.map(bodies.list(tree, "", 1_000), (page) => page.map((digest) => [tree, digest] as const))
    )
    for (const [tree, digest] of [...known.bodies, ...stored.flat()]) {
      if (Either.isLeft(yield* Effect.either(bodies.get(tree, digest)))) found.push({ _tag: "Body", digest })
    }
    return found
  }).pipe(
    Effect.provide(storeAt(file)),
    Effect.catchTag("StoreError", ({ why }) => Effect.succeed<ReadonlyArray<Objection>>([{ _tag: "File", why }]))
  )
