/**
 * What the store's own records say against a log: the head row, the kinds beside the bytes, and the appends, which must
 * tile the events without gap or overlap. With the chain over the bytes, a random change of any row is found.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import { EMPTY } from "@palimpsest/ledger/Event"
import type { LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Effect from "effect/Effect"
import { digestOfRow, type AppendRow } from "./appends.ts"
import { page, type EventRow } from "./events.ts"
import type { LogRow } from "./logs.ts"

export interface Finding {
  readonly seq: number
  readonly why: string
}

export const inspect = (hash: Hasher, sql: SqlClient, log: LogId): Effect.Effect<ReadonlyArray<Finding>, SqlError> =>
  Effect.gen(function* () {
    const [row] = yield* sql<LogRow>`SELECT log, tree, seq, head FROM logs WHERE log = ${log}`
    const appends = yield* sql<AppendRow>`SELECT * FROM appends WHERE log = ${log} ORDER BY first`
    const events = yield* walk(sql, log, new Set(appends.map(({ last }) => last)))
    const lame = yield* sql<{ readonly id: string; readonly first: number }>`
      SELECT mine.id, mine.first
      FROM appends AS mine JOIN appends AS twin ON twin.id = mine.id AND twin.tree = mine.tree
      WHERE mine.log = ${log}
      GROUP BY mine.id, mine.place, mine.first, mine.writes
      HAVING count(*) <> mine.writes
      ORDER BY mine.first`
    if (row !== undefined && events.last === undefined && appends.length === 0) {
      const tombstone = yield* tombstoneOf(sql, row.tree)
      if (tombstone !== undefined) return buried(row, tombstone)
    }
    return [
      ...events.findings,
      ...headFindings(row, events.last, appends.length),
      ...appendFindings(hash, row, appends, events),
      ...lame.map(({ first, id }) => ({ seq: first, why: `the append ${id} wrote to logs that have no record of it` }))
    ]
  })

interface Walked {
  readonly findings: ReadonlyArray<Finding>
  readonly last: { readonly seq: number; readonly digest: string } | undefined
  /** The digests of the events that an append ends with, by seq. */
  readonly ends: ReadonlyMap<number, string>
}

const walk = (sql: SqlClient, log: LogId, wanted: ReadonlySet<number>) =>
  Effect.gen(function* () {
    const findings: Array<Finding> = []
    const ends = new Map<number, string>()
    let last: Walked["last"]
    for (;;) {
      const rows: ReadonlyArray<EventRow> = yield* page(sql, log, last?.seq ?? LOWEST, PAGE)
      for (const event of rows) {
        if (event.seq < 1) findings.push({ seq: event.seq, why: "no event has a number below 1" })
        const kind = kindOf(event.bytes)
        if (kind !== event.kind)
          findings.push({ seq: event.seq, why: `its kind is stored as ${event.kind}, its bytes say ${kind}` })
        if (wanted.has(event.seq)) ends.set(event.seq, event.digest)
        last = { seq: event.seq, digest: event.digest }
      }
      if (rows.length < PAGE) return { findings, ends, last }
    }
  })

const headFindings = (row: LogRow | undefined, last: Walked["last"], appends: number): ReadonlyArray<Finding> => {
  if (row === undefined) {
    return last === undefined && appends === 0 ? [] : [{ seq: last?.seq ?? 1, why: "the log has no head any more" }]
  }
  const seq = row.seq ?? 0
  if (last === undefined) return [{ seq: 1, why: `missing; the head is event ${seq}` }]
  if (seq > last.seq) return [{ seq: last.seq + 1, why: `missing; the head is event ${seq}` }]
  if (seq < last.seq) return [{ seq: Math.max(seq, 0) + 1, why: `it stands behind the head, which is event ${seq}` }]
  return row.head === last.digest ? [] : [{ seq, why: `the head is another event (${row.head})` }]
}

const appendFindings = (
  hash: Hasher,
  row: LogRow | undefined,
  appends: ReadonlyArray<AppendRow>,
  events: Walked
): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  const last = events.last?.seq ?? 0
  let told = 0
  for (const append of appends) {
    // A row that was changed may name any number: what is said about it is said about an event that could be there.
    const say = (seq: number, why: string) =>
      findings.push({ seq: Math.max(1, Math.min(seq, last)), why: `${why} (append ${append.id})` })
    if (append.first > told + 1) say(told + 1, "no append accounts for it")
    if (append.first <= told) say(append.first, "two appends account for it")
    if (append.last < append.first) say(append.first, "its append ends before it begins")
    if (append.digest !== digestOfRow(hash, append)) {
      // Either end may be what was changed: both are named.
      for (const end of new Set([append.first, append.last])) say(end, "the record of its append was changed")
    }
    if (row !== undefined && append.tree !== row.tree) say(append.first, `its append was for the tree ${append.tree}`)
    if (events.ends.get(append.last) !== append.head) say(append.last, "its append ended with another event")
    told = Math.max(told, Math.min(append.last, last))
  }
  if (last > told) findings.push({ seq: told + 1, why: "no append accounts for it" })
  return findings
}

/** The log of a forgotten tree: the tombstone names its head. */
const tombstoneOf = (sql: SqlClient, tree: string) =>
  Effect.gen(function* () {
    const [grave] = yield* sql<{ readonly log: LogId; readonly seq: number; readonly digest: string }>`
      SELECT log, seq, digest FROM tombstones WHERE tree = ${tree}`
    if (grave === undefined || grave.seq === EMPTY.seq) return undefined
    const [event] = yield* page(sql, grave.log, grave.seq - 1, 1)
    return event?.digest === grave.digest ? event.bytes : undefined
  })

const buried = ({ head, log, seq }: LogRow, tombstone: Uint8Array): ReadonlyArray<Finding> =>
  decodeUtf8(tombstone).includes(JSON.stringify({ digest: head, log, seq }))
    ? []
    : [{ seq: 1, why: `missing; the head is event ${seq ?? 0}, and the tombstone of its tree names another` }]

const kindOf = (bytes: Uint8Array): string | undefined => {
  try {
    const event: unknown = JSON.parse(decodeUtf8(bytes))
    const kind: unknown = typeof event === "object" && event !== null ? Reflect.get(event, "kind") : undefined
    return typeof kind === "string" ? kind : undefined
  } catch {
    return undefined
  }
}

const PAGE = 1_000

/** Below every number that a column can hold that a hand has changed, on PostgreSQL but for one. */
const LOWEST = -2_147_483_648
