/** A database as anyone with the file can reach it: plain SQL, past every store of ours. */
import { createRequire } from "node:module"

export type Value = string | number | bigint | Uint8Array | null
export type Row = Readonly<Record<string, Value>>

interface Statement {
  readonly run: (...values: ReadonlyArray<Value>) => { readonly changes: number }
  readonly all: (...values: ReadonlyArray<Value>) => ReadonlyArray<Row>
}

export interface Tables {
  readonly prepare: (sql: string) => Statement
  readonly exec: (sql: string) => void
  readonly close: () => void
}

const Sqlite: new (file: string) => Tables = createRequire(import.meta.url)("better-sqlite3")

/** Works on a file's tables, and closes it: everything is in the one file then. */
export const withTables = <A>(file: string, use: (tables: Tables) => A): A => {
  const tables = new Sqlite(file)
  try {
    const result = use(tables)
    tables.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    return result
  } finally {
    tables.close()
  }
}
