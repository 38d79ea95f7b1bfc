/** One act inside its transaction: answer a repeat, say what is done, write it down, delete. */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import { encode } from "@palimpsest/ledger/Canonical"
import { EMPTY, type Head } from "@palimpsest/ledger/Event"
import { BadAppend, StoreError, type Append, type Conflict } from "@palimpsest/ledger/EventStore"
import type { Digest, LogId, TreeId } from "@palimpsest/ledger/Ids"
import { Removed, removalsOf, type Act, type Forgotten } from "@palimpsest/ledger/Removal"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { chunksOf, forUpdate } from "../Database.ts"
import { commit } from "./commit.ts"
import { page } from "./events.ts"
import { lockLogs } from "./lock.ts"

export interface Answer {
  readonly removed: Removed
  readonly head: Head
}

export const remove = (
  hash: Hasher,
  sql: SqlClient,
  act: Act
): Effect.Effect<Answer, BadAppend | Conflict | StoreError | SqlError> =>
  Effect.gen(function* () {
    const log = removalsOf(act.tree)
    yield* lockLogs(sql, act.tree, [log])
    const before = yield* answered(sql, act, log)
    if (before !== undefined) return before
    const removed = yield* factOf(sql, act, log)
    const { _tag, ...payload } = removed
    const text = Either.getOrUndefined(encode(payload))
    if (text === undefined) return yield* bad(act, "its words hold a lone surrogate")
    const drafts: Append["writes"][number]["drafts"] = [
      { id: act.id, at: act.at, kind: _tag, version: 1, payload: text }
    ]
    const append: Append = { id: act.id, tree: act.tree, writes: [{ log, expected: { _tag: "Next" }, drafts }] }
    const { writes } = yield* commit(hash, sql, append)
    const head = writes[0]?.head
    if (head === undefined) return yield* new StoreError({ why: `the act ${act.id} has no head` })
    yield* removed._tag === "Forgotten" ? bury(sql, act.tree, log, head) : deleteBodies(sql, act.tree, removed.bodies)
    return { removed, head }
  })

/**
 * No log begins any more in a tree that is to be forgotten: a transaction of its own, so that the locks on its logs are
 * then taken in the order in which writers take them. The row is the tombstone's, which has no event yet.
 */
export const close = (sql: SqlClient, tree: TreeId): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    yield* sql.onDialectOrElse({
      pg: () => Effect.asVoid(sql`LOCK TABLE tombstones IN EXCLUSIVE MODE`),
      orElse: () => Effect.void
    })
    const row = { tree, log: removalsOf(tree), seq: EMPTY.seq, digest: EMPTY.digest }
    yield* sql`INSERT INTO tombstones ${sql.insert(row)} ON CONFLICT (tree) DO NOTHING`
  })

const bad = ({ id }: Act, why: string) => new BadAppend({ id, why })

/** What this id did before: the fact as it stands there, if it is one that this command would give. */
const answered = (sql: SqlClient, act: Act, log: LogId) =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ readonly log: string; readonly last: number; readonly head: Digest }>`
      SELECT log, last, head FROM appends WHERE id = ${act.id} ORDER BY place LIMIT 1`
    if (row === undefined) return undefined
    const [event] = row.log === log ? yield* page(sql, log, row.last - 1, 1) : []
    const removed = event === undefined ? undefined : factIn(event.bytes)
    if (removed === undefined || !isOf(removed, act)) return yield* bad(act, "this id was used for something else")
    return { removed, head: { seq: row.last, digest: row.head } }
  })

const isOf = (removed: Removed, { command }: Act): boolean => {
  switch (command._tag) {
    case "Expire":
      return removed._tag === "Expired" && removed.before === command.before
    case "Erase":
      return removed._tag === "Erased" && removed.why === command.why && same(removed.bodies, command.bodies)
    case "Forget":
      return removed._tag === "Forgotten" && removed.why === command.why
  }
}

const same = (a: ReadonlyArray<Digest>, b: ReadonlyArray<Digest>): boolean =>
  a.length === new Set(b).size && a.every((digest) => b.includes(digest))

const factOf = (sql: SqlClient, act: Act, log: LogId): Effect.Effect<Removed, BadAppend | SqlError> => {
  const { command, tree } = act
  switch (command._tag) {
    case "Expire":
      return Effect.gen(function* () {
        const minute = Math.floor(Date.parse(command.before) / 60_000)
        if (!Number.isSafeInteger(minute)) return yield* bad(act, `${command.before} is no time`)
        const [first, ...more] = yield* stillAged(sql, tree, minute, command.bodies)
        if (first === undefined) return yield* bad(act, `none of its bodies is older than ${command.before}`)
        return { _tag: "Expired", step: 0, before: command.before, bodies: [first, ...more] }
      }).pipe(Effect.map(asRemoved))
    case "Erase": {
      const [first, ...more] = command.bodies
      const bodies = [first, ...new Set(more.filter((digest) => digest !== first))] as const
      return Effect.succeed(asRemoved({ _tag: "Erased", step: 0, why: command.why, entries: command.entries, bodies }))
    }
    case "Forget":
      return Effect.map(headsOf(sql, tree, log), (heads) =>
        asRemoved({ _tag: "Forgotten", step: 0, why: command.why, heads })
      )
  }
}

const asRemoved = Schema.decodeUnknownSync(Removed)

const factIn = (bytes: Uint8Array): Removed | undefined => {
  const event: unknown = JSON.parse(decodeUtf8(bytes))
  if (typeof event !== "object" || event === null) return undefined
  const payload: unknown = Reflect.get(event, "payload")
  const kind: unknown = Reflect.get(event, "kind")
  return typeof payload === "object"
    ? Either.getOrUndefined(Schema.decodeUnknownEither(Removed)({ ...payload, _tag: kind }))
    : undefined
}

const stillAged = (sql: SqlClient, tree: TreeId, minute: number, bodies: ReadonlyArray<Digest>) =>
  Effect.gen(function* () {
    const found: Array<Digest> = []
    for (const chunk of chunksOf(bodies)) {
      const rows = yield* sql<{ readonly digest: Digest }>`
        SELECT digest FROM bodies WHERE tree = ${tree} AND touched < ${minute} AND ${sql.in("digest", chunk)}
        ORDER BY digest ${forUpdate(sql)}`
      found.push(...rows.map(({ digest }) => digest))
    }
    return found
  })

/** The heads of a tree that was closed, none of which moves any more until the transaction ends. */
const headsOf = (sql: SqlClient, tree: TreeId, log: LogId) =>
  sql<Forgotten["heads"][number]>`
    SELECT log, seq, head AS digest FROM logs WHERE tree = ${tree} AND log <> ${log} AND seq > 0
    ORDER BY log ${forUpdate(sql)}`

const deleteBodies = (sql: SqlClient, tree: TreeId, bodies: ReadonlyArray<Digest>) =>
  Effect.forEach(
    chunksOf(bodies),
    (chunk) => sql`DELETE FROM bodies WHERE tree = ${tree} AND ${sql.in("digest", chunk)}`,
    { discard: true }
  )

/** Leaves the heads, the log of removals, and the row that names the tombstone. */
const bury = (
  sql: SqlClient,
  tree: TreeId,
  log: LogId,
  { digest, seq }: { readonly digest: Digest; readonly seq: number }
) =>
  Effect.gen(function* () {
    yield* sql`DELETE FROM bodies WHERE tree = ${tree}`
    yield* sql.onDialectOrElse({
      pg: () => sql`DELETE FROM events WHERE tree = ${tree} AND log <> ${log}`,
      orElse: () => sql`
        DELETE FROM events WHERE log IN (SELECT logs.log FROM logs WHERE tree = ${tree} AND logs.log <> ${log})`
    })
    yield* sql`DELETE FROM appends WHERE tree = ${tree} AND log <> ${log}`
    yield* sql`INSERT INTO tombstones ${sql.insert({ tree, log, seq, digest })}
      ON CONFLICT (tree) DO UPDATE SET seq = excluded.seq, digest = excluded.digest`
  })
