/**
 * What both ports hold, as plain data: taken out through the ports, put into another store through the ports, or served as
 * it stands by a store that only reads.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { digestOf, type Stored } from "@palimpsest/ledger/Body"
import { BodyFault, BodyStore } from "@palimpsest/ledger/BodyStore"
import { sorted } from "@palimpsest/ledger/Canonical"
import type { Draft, Head, Sealed } from "@palimpsest/ledger/Event"
import { EMPTY } from "@palimpsest/ledger/Event"
import { EventStore, StoreError } from "@palimpsest/ledger/EventStore"
import type { LogId, TreeId } from "@palimpsest/ledger/Ids"
import * as Log from "../../src/Log.ts"
import { hash } from "./Hash.ts"
import { objectOf, stringOf } from "./Json.ts"
import { decode } from "./Sessions.ts"

export interface KeptLog {
  readonly log: LogId
  readonly tree: TreeId
  readonly head: Head
  readonly events: ReadonlyArray<Sealed>
}

export interface Kept {
  readonly logs: ReadonlyArray<KeptLog>
  readonly bodies: ReadonlyArray<Stored & { readonly tree: TreeId }>
}

/** Everything in the store, read through the ports. */
export const dump: Effect.Effect<Kept, StoreError | BodyFault, EventStore | BodyStore> = Effect.gen(function* () {
  const events = yield* EventStore
  const bodies = yield* BodyStore
  const infos = yield* Log.allOf()
  const logs = yield* Effect.forEach(infos, (info) =>
    Effect.map(events.read(info.log, 0, EVERYTHING), (read): KeptLog => ({ ...info, events: read }))
  )
  const trees = [...new Set(infos.map(({ tree }) => tree))]
  const stored = yield* Effect.forEach(trees, (tree) =>
    Effect.flatMap(
      bodies.list(tree, "", EVERYTHING),
      Effect.forEach((digest) => Effect.map(bodies.get(tree, digest), (body) => ({ ...body, tree })))
    )
  )
  return { logs, bodies: stored.flat() }
})

/** Writes it all again, as drafts and bodies: a fresh store numbers, chains and digests for itself. */
export const reload = (kept: Kept) =>
  Effect.gen(function* () {
    const events = yield* EventStore
    const bodies = yield* BodyStore
    for (const { tree, ...body } of kept.bodies) yield* bodies.put(tree, [body])
    for (const { events: read, log, tree } of kept.logs) {
      const [first, ...rest] = read.map(draftOf)
      if (first === undefined) continue
      const expected = { _tag: "Head", digest: EMPTY.digest } as const
      yield* events.append({ id: `copy of ${log}`, tree, writes: [{ log, expected, drafts: [first, ...rest] }] })
    }
  })

/** A store that only reads. As the port demands, a body that does not have its digest is a fault. */
export const serve = (kept: Kept): Layer.Layer<EventStore | BodyStore> => {
  const readOnly = new StoreError({ why: "this store only reads" })
  const byName = new Map(kept.logs.map((log) => [log.log, log]))
  const byDigest = new Map(kept.bodies.map((body) => [`${body.tree} ${body.digest}`, body]))
  const events = Layer.succeed(EventStore, {
    append: () => Effect.fail(readOnly),
    read: (log, after, limit) => {
      const from = byName.get(log)?.events.findIndex(({ seq }) => seq > after) ?? -1
      return Effect.succeed(from < 0 ? [] : (byName.get(log)?.events.slice(from, from + limit) ?? []))
    },
    head: (log) => Effect.succeed(Option.fromNullable(byName.get(log))),
    logs: ({ after, limit, tree }) =>
      Effect.succeed(
        kept.logs.filter((log) => log.log > after && (tree === undefined || log.tree === tree)).slice(0, limit)
      ),
    inspect: () => Effect.succeed([])
  })
  const bodies = Layer.succeed(BodyStore, {
    put: () => Effect.fail(readOnly),
    get: (tree, digest) => {
      const found = byDigest.get(`${tree} ${digest}`)
      if (found === undefined) return Effect.fail(new BodyFault({ digest, why: "missing" }))
      return digestOf(hash, found.media, found.bytes) === digest
        ? Effect.succeed(found)
        : Effect.fail(new BodyFault({ digest, why: "changed" }))
    },
    list: (tree, after, limit) =>
      Effect.succeed(
        kept.bodies
          .filter((body) => body.tree === tree && body.digest > after)
          .map(({ digest }) => digest)
          .sort()
          .slice(0, limit)
      )
  })
  return Layer.merge(events, bodies)
}

/** The heads of the runs, by name; the logs beside them say how far a source was read, and depend on how it was. */
export const heads = Effect.map(Log.allOf(), (logs) =>
  Object.fromEntries(logs.filter(({ log }) => !Log.isSourceLog(log)).map(({ head, log }) => [log, head]))
)

const draftOf = ({ bytes }: Sealed): Draft => {
  const { at, id, kind, payload, version } = objectOf(JSON.parse(decode(bytes)))
  return {
    id: stringOf(id),
    at: stringOf(at),
    kind: stringOf(kind),
    version: Number(version),
    payload: sorted(payload)
  }
}

const EVERYTHING = 1_000_000
