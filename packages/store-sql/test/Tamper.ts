import type { SqlClient } from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

type Row = Readonly<Record<string, string | number | Uint8Array>>

/** What was done, and what has to be found: an event (for its log), a body, or the file. */
export interface Deed {
  readonly what: string
  readonly row: Row
  readonly other?: Row
}

export const TABLES = ["events", "logs", "appends", "bodies", "palimpsest_migrations"] as const
export type Table = (typeof TABLES)[number]

const KEYS: Readonly<Record<Table, ReadonlyArray<string>>> = {
  events: ["log", "seq"],
  logs: ["log"],
  appends: ["id", "place"],
  bodies: ["tree", "digest"],
  palimpsest_migrations: ["migration_id"]
}

const COLUMNS: Readonly<Record<Table, ReadonlyArray<string>>> = {
  events: ["log", "seq", "id", "digest", "kind", "bytes"],
  logs: ["log", "tree", "seq", "head"],
  appends: ["id", "place", "writes", "tree", "log", "first", "last", "head", "digest"],
  bodies: ["tree", "digest", "media", "bytes"],
  palimpsest_migrations: ["migration_id", "name"]
}

/** One random deed on one table: a column changed, a row removed or put in, a column of two rows swapped. */
export const deed = (sql: SqlClient, table: Table, random: () => number): Effect.Effect<Deed, unknown> =>
  Effect.gen(function* () {
    const pick = <A>(of: ReadonlyArray<A>): A => of[Math.floor(random() * of.length)]!
    const columns = COLUMNS[table]
    const rows = yield* sql.unsafe<Row>(`SELECT ${columns.join(", ")} FROM ${table}`)
    const row = pick(rows)
    const other = pick(rows)
    const column = pick(columns)
    const act = pick(["update", "update", "delete", "insert", "swap"])
    const where = KEYS[table].map((key) => `${key} = ?`).join(" AND ")
    const keys = (of: Row) => KEYS[table].map((key) => of[key]!)
    const set = (of: Row, name: string, value: unknown) =>
      sql.unsafe(`UPDATE ${table} SET ${name} = ? WHERE ${where}`, [value, ...keys(of)])
    const changed = (value: Row[string]): Row[string] => {
      if (typeof value === "number") return value + pick([-1, 1, 2, 1_000, -1_000_000])
      if (typeof value === "string")
        return pick([`${value}x`, value.slice(1), ...rows.map((one) => String(one[column]))])
      const bytes = Uint8Array.from(value)
      if (bytes.length === 0) return new Uint8Array([1])
      bytes[Math.floor(random() * bytes.length)]! ^= 1 << Math.floor(random() * 8)
      return bytes
    }
    switch (act) {
      case "update": {
        const value = changed(row[column]!)
        if (same(value, row[column]!)) return yield* Effect.fail("nothing changed")
        yield* set(row, column, value)
        return { what: `${table}.${column} updated`, row }
      }
      case "delete":
        yield* sql.unsafe(`DELETE FROM ${table} WHERE ${where}`, keys(row))
        return { what: `${table} row deleted`, row }
      case "insert": {
        // A copy of a row under another key, with one more column changed or not. A body that is what its digest says,
        // in whatever tree, is no tampering: every body stands there alone before an event refers to it.
        const copy: Record<string, Row[string]> = { ...row }
        const key = table === "bodies" ? "digest" : pick(KEYS[table])
        const more = table === "bodies" ? pick(["media", "bytes"]) : pick(columns)
        for (const name of [key, more]) copy[name] = changed(copy[name]!)
        if (table === "events") copy["id"] = `${String(copy["id"])}${Math.floor(random() * 1e9)}`
        yield* sql.unsafe(
          `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
          columns.map((name) => copy[name]!)
        )
        return { what: `${table} row inserted`, row: copy }
      }
      default: {
        const value = row[column]!
        if (other === row || same(value, other[column]!)) return yield* Effect.fail("nothing to swap")
        if (KEYS[table].includes(column)) return yield* Effect.fail("a key is not swapped alone")
        yield* sql.withTransaction(Effect.zipRight(set(row, column, other[column]), set(other, column, value)))
        return { what: `${table}.${column} swapped`, row, other }
      }
    }
  })

const same = (a: Row[string], b: Row[string]): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.from(a).equals(b) : a === b
