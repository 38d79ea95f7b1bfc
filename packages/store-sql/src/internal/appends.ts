/**
 * The rows of the table `appends`: what each append did to each log, so that a repeat answers as the first did. Each row
 * has a digest over its own columns, as nothing else holds the append's id, and says to how many logs the append wrote,
 * so that a log that vanished whole is missed by the others.
 */
import type { Append, Appended } from "@palimpsest/ledger/EventStore"
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import { EMPTY, sealAll, type Head, type Sealed } from "@palimpsest/ledger/Event"
import type { Digest, LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"

// A type, not an interface: rows go where a record of columns is asked for.
export type AppendRow = {
  readonly id: string
  readonly place: number
  readonly writes: number
  readonly tree: string
  readonly log: string
  readonly first: number
  readonly last: number
  readonly head: string
  readonly digest: string
}

export const digestOfRow = (hash: Hasher, row: Omit<AppendRow, "digest">): Digest =>
  hash(encodeUtf8(JSON.stringify([row.id, row.place, row.writes, row.tree, row.log, row.first, row.last, row.head])))

export const rowsOf = (
  hash: Hasher,
  append: Append,
  sealed: ReadonlyArray<ReadonlyArray<Sealed>>
): ReadonlyArray<AppendRow> =>
  append.writes.map(({ log }, place) => {
    const events = sealed[place]!
    const last = events.at(-1)!
    const row = {
      id: append.id,
      place,
      writes: append.writes.length,
      tree: append.tree,
      log,
      first: events[0]!.seq,
      last: last.seq,
      head: last.digest
    }
    return { ...row, digest: digestOfRow(hash, row) }
  })

export const answerOf = (rows: ReadonlyArray<AppendRow>): Appended => ({
  writes: rows.map(({ first, head, last, log }) => ({
    log: log as LogId,
    first,
    head: { seq: last, digest: head as Digest }
  }))
})

/**
 * Whether an append is the one that the rows tell of. The chain itself answers: the same drafts behind the same event
 * seal to the same head, and other drafts do not. `before` is the head that each write stood behind.
 */
export const isRepeat = (
  hash: Hasher,
  append: Append,
  rows: ReadonlyArray<AppendRow>,
  before: ReadonlyArray<Head>
): boolean =>
  rows.length === append.writes.length &&
  rows.every((row, place) => {
    const write = append.writes[place]!
    if (row.tree !== append.tree || row.log !== write.log) return false
    if (row.last - row.first + 1 !== write.drafts.length) return false
    return sealAll(hash, write.log, before[place] ?? EMPTY, write.drafts).at(-1)?.digest === row.head
  })
