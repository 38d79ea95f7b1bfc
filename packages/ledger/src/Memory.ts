/**
 * In-memory layers of both ports: the reference that any other store is held to by the contracts in
 * `@palimpsest/ledger/testing`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { digestOf, type Stored } from "./Body.ts"
import { BodyFault, BodyStore } from "./BodyStore.ts"
import { EMPTY, sealAll, type Head, type Sealed } from "./Event.ts"
import {
  BadAppend,
  Conflict,
  EventStore,
  flawOf,
  StoreError,
  type Append,
  type Appended,
  type LogInfo
} from "./EventStore.ts"
import type { LogId, TreeId } from "./Ids.ts"
import type { Hasher } from "./Sha256.ts"

/**
 * Logs in memory, for tests and for programs that keep nothing.
 *
 * @since 0.1.0
 * @category layers
 */
export const events = (hash: Hasher): Layer.Layer<EventStore> =>
  Layer.sync(EventStore, () => {
    const logs = new Map<LogId, Log>()
    const answered = new Map<string, { readonly append: Append; readonly answer: Appended }>()
    return {
      append: (append) => Effect.suspend(() => commit(hash, logs, answered, append)),
      read: (log, after, limit) =>
        Effect.sync(() => (logs.get(log)?.events.slice(after, after + limit) ?? []).map(ownBytes)),
      head: (log) =>
        Effect.sync(() => Option.fromNullable(logs.get(log)).pipe(Option.map((found) => info(log, found)))),
      logs: ({ after, limit, tree }) =>
        Effect.sync(() =>
          [...logs]
            .filter(([log, found]) => log > after && (tree === undefined || found.tree === tree))
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .slice(0, limit)
            .map(([log, found]) => info(log, found))
        ),
      inspect: () => Effect.succeed([])
    }
  })

/**
 * Bodies in memory.
 *
 * @since 0.1.0
 * @category layers
 */
export const bodies = (hash: Hasher): Layer.Layer<BodyStore> =>
  Layer.sync(BodyStore, () => {
    const trees = new Map<TreeId, Map<string, Stored>>()
    return {
      put: (tree, given) =>
        Effect.suspend(() => {
          const wrong = given.find((body) => digestOf(hash, body.media, body.bytes) !== body.digest)
          if (wrong !== undefined) return Effect.fail(new StoreError({ why: `body ${wrong.digest} has other bytes` }))
          const kept = trees.get(tree) ?? new Map<string, Stored>()
          trees.set(tree, kept)
          for (const body of given) kept.set(body.digest, { ...body, bytes: body.bytes.slice() })
          return Effect.void
        }),
      get: (tree, digest) =>
        Effect.suspend(() => {
          const found = trees.get(tree)?.get(digest)
          return found === undefined
            ? Effect.fail(new BodyFault({ digest, why: "missing" }))
            : Effect.succeed(ownBytes(found))
        }),
      list: (tree, after, limit) =>
        Effect.sync(() =>
          [...(trees.get(tree)?.values() ?? [])]
            .map((body) => body.digest)
            .filter((digest) => digest > after)
            .sort()
            .slice(0, limit)
        )
    }
  })

/**
 * Both ports in memory.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (hash: Hasher): Layer.Layer<EventStore | BodyStore> => Layer.merge(events(hash), bodies(hash))

interface Log {
  readonly tree: TreeId
  readonly events: Array<Sealed>
  readonly ids: Set<string>
}

/** A reader's own copy: nothing that it does to the bytes may change what is kept (law 1). */
const ownBytes = <A extends { readonly bytes: Uint8Array }>(kept: A): A => ({ ...kept, bytes: kept.bytes.slice() })

const info = (log: LogId, found: Log): LogInfo => ({ log, tree: found.tree, head: headOf(found) })

const headOf = (log: Log | undefined): Head => {
  const last = log?.events.at(-1)
  return last === undefined ? EMPTY : { seq: last.seq, digest: last.digest }
}

const commit = (
  hash: Hasher,
  logs: Map<LogId, Log>,
  answered: Map<string, { readonly append: Append; readonly answer: Appended }>,
  append: Append
): Effect.Effect<Appended, Conflict | BadAppend> => {
  const before = answered.get(append.id)
  if (before !== undefined) {
    return sameEvents(before.append, append)
      ? Effect.succeed(before.answer)
      : Effect.fail(new BadAppend({ id: append.id, why: "this id was used for another append" }))
  }
  const refusal = refuse(logs, append)
  if (refusal !== undefined) return Effect.fail(refusal)
  const writes = append.writes.map(({ drafts, log }) => {
    const kept = logs.get(log) ?? { tree: append.tree, events: [], ids: new Set<string>() }
    logs.set(log, kept)
    const sealed = sealAll(hash, log, headOf(kept), drafts)
    for (const event of sealed) {
      kept.events.push(event)
      kept.ids.add(event.id)
    }
    return { log, first: sealed[0]!.seq, head: headOf(kept) }
  })
  const answer = { writes }
  answered.set(append.id, { append, answer })
  return Effect.succeed(answer)
}

const refuse = (logs: ReadonlyMap<LogId, Log>, append: Append): Conflict | BadAppend | undefined => {
  const bad = (why: string) => new BadAppend({ id: append.id, why })
  const flaw = flawOf(append)
  if (flaw !== undefined) return bad(flaw)
  for (const { drafts, expected, log } of append.writes) {
    const kept = logs.get(log)
    if (kept !== undefined && kept.tree !== append.tree) return bad(`${log} belongs to the tree ${kept.tree}`)
    const actual = headOf(kept)
    if (expected._tag === "Head" && expected.digest !== actual.digest) {
      return new Conflict({ log, expected: expected.digest, actual })
    }
    const twice = drafts.find(({ id }) => kept?.ids.has(id) === true)
    if (twice !== undefined) return bad(`${log} has an event ${twice.id} already`)
  }
  return undefined
}

const sameEvents = (a: Append, b: Append): boolean =>
  a.tree === b.tree &&
  a.writes.length === b.writes.length &&
  a.writes.every((write, i) => {
    const other = b.writes[i]!
    return (
      write.log === other.log &&
      write.drafts.length === other.drafts.length &&
      write.drafts.every((draft, k) => {
        const twin = other.drafts[k]!
        return (
          draft.id === twin.id &&
          draft.at === twin.at &&
          draft.kind === twin.kind &&
          draft.version === twin.version &&
          draft.payload === twin.payload
        )
      })
    )
  })
