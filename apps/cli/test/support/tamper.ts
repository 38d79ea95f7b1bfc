/** One random change of one database by plain SQL, and which event or body an audit has to name for it. */
import { withTables, type Row, type Tables, type Value } from "./tables.ts"

export const TABLES = {
  logs: ["log", "tree", "seq", "head"],
  events: ["log", "seq", "id", "digest", "kind", "bytes"],
  appends: ["id", "place", "writes", "tree", "log", "first", "last", "head", "digest"],
  bodies: ["tree", "digest", "media", "bytes"]
} as const
export type Table = keyof typeof TABLES

const KEYS = {
  logs: ["log"],
  events: ["log", "seq"],
  appends: ["id", "place"],
  bodies: ["tree", "digest"]
} as const

export const KINDS = ["update", "delete", "swap", "insert"] as const
export type Kind = (typeof KINDS)[number]

/** What was done, and what has to be named for it: one of these events (of whichever number, where `from` is 0) or bodies. */
export interface Tampered {
  readonly what: string
  readonly named: ReadonlyArray<
    { readonly log: string; readonly from: number; readonly to: number } | { readonly digest: string }
  >
}

/** Changes the database in the file. The same seed changes it in the same way. */
export const tamper = (file: string, table: Table, kind: Kind, seed: number): Tampered =>
  withTables(file, (tables) => {
    const random = randomFrom(seed)
    const rows = tables.prepare(`SELECT * FROM ${table} ORDER BY ${KEYS[table].join(", ")}`).all()
    for (;;) {
      try {
        return change(tables, table, kind, rows, random)
      } catch (error) {
        // The table itself forbids this one: another is tried.
        if (!(error instanceof Error && /constraint/i.test(error.message))) throw error
      }
    }
  })

type Random = (below: number) => number

const change = (tables: Tables, table: Table, kind: Kind, rows: ReadonlyArray<Row>, random: Random): Tampered => {
  const row = rows[random(rows.length)]!
  const named = namedBy(table, row)
  switch (kind) {
    case "update": {
      const column = TABLES[table][random(TABLES[table].length)]!
      set(tables, table, row, { [column]: other(row[column]!, random) })
      return { named, what: `UPDATE ${table}.${column} of ${nameOf(table, row)}` }
    }
    case "delete":
      tables.prepare(`DELETE FROM ${table} WHERE ${where(table)}`).run(...keyOf(table, row))
      return { named, what: `DELETE ${table} ${nameOf(table, row)}` }
    case "swap": {
      const columns = TABLES[table].filter((column) => !(KEYS[table] as ReadonlyArray<string>).includes(column))
      const others = rows.filter((other) => columns.some((column) => !isSame(other[column]!, row[column]!)))
      const twin = others[random(others.length)]!
      const [ours, theirs] = [row, twin].map((one) =>
        Object.fromEntries(columns.map((column) => [column, one[column]!]))
      )
      // Out of the way of the unique indexes, until the other has its place.
      if (table === "events") set(tables, table, row, { id: "moved" })
      if (table === "appends") set(tables, table, row, { first: 1_000_000 })
      set(tables, table, twin, ours!)
      set(tables, table, row, theirs!)
      return {
        named: [...named, ...namedBy(table, twin)],
        what: `SWAP ${table} ${nameOf(table, row)} and ${nameOf(table, twin)}`
      }
    }
    case "insert": {
      const made = Object.fromEntries(TABLES[table].map((column) => [column, other(row[column]!, random)]))
      const kept: Row = {
        ...made,
        ...(table === "bodies" || table === "logs" ? { tree: row["tree"]! } : { log: row["log"]! })
      }
      insert(tables, table, kept)
      return {
        named: table === "bodies" ? namedBy(table, kept) : anyOf(kept),
        what: `INSERT ${table} ${nameOf(table, kept)}`
      }
    }
  }
}

const namedBy = (table: Table, row: Row): Tampered["named"] => {
  const log = String(row["log"])
  switch (table) {
    case "logs":
      return anyOf(row)
    case "events":
      return [{ log, from: Number(row["seq"]), to: Number(row["seq"]) }]
    case "appends":
      return [{ log, from: Number(row["first"]), to: Number(row["last"]) }]
    case "bodies":
      return [{ digest: String(row["digest"]) }]
  }
}

const anyOf = (row: Row): Tampered["named"] => [{ log: String(row["log"]), from: 0, to: 0 }]

const set = (tables: Tables, table: Table, row: Row, values: Row): void => {
  const columns = Object.keys(values).map((column) => `${column} = ?`)
  tables
    .prepare(`UPDATE ${table} SET ${columns.join(", ")} WHERE ${where(table)}`)
    .run(...Object.values(values), ...keyOf(table, row))
}

const insert = (tables: Tables, table: Table, row: Row): void => {
  const marks = Object.keys(row).map(() => "?")
  tables
    .prepare(`INSERT INTO ${table} (${Object.keys(row).join(", ")}) VALUES (${marks.join(", ")})`)
    .run(...Object.values(row))
}

const where = (table: Table): string => KEYS[table].map((key) => `${key} = ?`).join(" AND ")
const keyOf = (table: Table, row: Row): ReadonlyArray<Value> => KEYS[table].map((key) => row[key]!)
const nameOf = (table: Table, row: Row): string => keyOf(table, row).map(String).join("@")

/** Another value of the same type: one bit, one character or a few units away, or nothing at all. */
const other = (value: Value, random: Random): Value => {
  if (typeof value === "number") return value + [-2, -1, 1, 2, 1_000][random(5)]!
  if (typeof value === "string") {
    const at = random(value.length + 1)
    return at === value.length
      ? `${value}x`
      : value.slice(0, at) + (value[at] === "a" ? "b" : "a") + value.slice(at + 1)
  }
  if (!(value instanceof Uint8Array) || value.length === 0) return new Uint8Array([random(256)])
  const bytes = Uint8Array.from(value)
  const at = random(bytes.length)
  bytes[at] = bytes[at]! ^ (1 << random(8))
  return bytes
}

const isSame = (a: Value, b: Value): boolean =>
  a instanceof Uint8Array && b instanceof Uint8Array ? Buffer.from(a).equals(b) : a === b

const randomFrom = (seed: number): Random => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
