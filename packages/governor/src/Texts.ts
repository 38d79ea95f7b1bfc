/**
 * Texts of entries: the way from a view's addresses to bytes. Every byte that is shown has been checked against the
 * digest of its body first (law 4).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { decodeUtf8, encodeUtf8 } from "@palimpsest/ledger/Body"
import { BodyFault, BodyStore } from "@palimpsest/ledger/BodyStore"
import type { StoreError } from "@palimpsest/ledger/EventStore"
import type { Entered } from "@palimpsest/ledger/Fact"
import type { Digest, Seq, TreeId } from "@palimpsest/ledger/Ids"
import { bodiesOf } from "@palimpsest/ledger/Part"
import { bytesOf, parseRecord, storedUnder, textOf } from "@palimpsest/ledger/Resolve"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Range, Splice } from "@palimpsest/compaction/Splice"

/**
 * What a body could not be read for.
 *
 * @since 0.1.0
 * @category errors
 */
export type Fault = BodyFault | StoreError

/**
 * Gives the stored bytes of a digest, and remembers the newest few records, what their JSON parses to, and the bodies
 * that were checked.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reader {
  readonly hash: Hasher
  readonly stored: (digest: Digest) => Effect.Effect<Uint8Array, Fault>
  readonly parse: (digest: Digest, bytes: Uint8Array) => unknown
  readonly checked: Recent<Uint8Array>
}

/**
 * A reader over a function of the host.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (hash: Hasher, load: (digest: Digest) => Effect.Effect<Uint8Array, Fault>): Reader => {
  const bytes = new Recent<Uint8Array>(KEPT_BYTES, (value) => value.length)
  const checked = new Recent<Uint8Array>(KEPT_BYTES, (value) => value.length)
  const parsed = new Recent<{ readonly value: unknown }>(KEPT_PARSED, () => 1)
  return {
    hash,
    checked,
    stored: (digest) => {
      const known = bytes.get(digest)
      return known !== undefined
        ? Effect.succeed(known)
        : Effect.tap(load(digest), (found) => Effect.sync(() => bytes.set(digest, found)))
    },
    parse: (digest, record) => {
      const known = parsed.get(digest)
      if (known !== undefined) return known.value
      const value = parseRecord(digest, record)
      parsed.set(digest, { value })
      return value
    }
  }
}

/**
 * A reader over the store of a tree's bodies.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromStore = (hash: Hasher, tree: TreeId): Effect.Effect<Reader, never, BodyStore> =>
  Effect.map(BodyStore, (store) =>
    make(hash, (digest) => Effect.map(store.get(tree, digest), (stored) => stored.bytes))
  )

/**
 * The bytes of one block (1-based) of an entry.
 *
 * @since 0.1.0
 * @category reading
 */
export const blockBytes = (reader: Reader, entered: Entered, block = 1): Effect.Effect<Uint8Array, Fault> => {
  const body = bodiesOf(entered.part)[block - 1]
  if (body === undefined)
    return Effect.fail(new BodyFault({ digest: bodiesOf(entered.part)[0].digest, why: "missing" }))
  const known = reader.checked.get(body.digest)
  if (known !== undefined) return Effect.succeed(known)
  return Effect.tap(
    Effect.flatMap(reader.stored(storedUnder(body)), (stored) => bytesOf(reader.hash, body, stored, reader.parse)),
    (bytes) => Effect.sync(() => reader.checked.set(body.digest, bytes))
  )
}

/**
 * The text of one block of an entry.
 *
 * @since 0.1.0
 * @category reading
 */
export const blockText = (reader: Reader, entered: Entered, block = 1): Effect.Effect<string, Fault> =>
  Effect.map(blockBytes(reader, entered, block), (bytes) => textOf(bodiesOf(entered.part)[block - 1]!, bytes))

/**
 * The text of an entry: its text blocks, one behind the other. Media have none.
 *
 * @since 0.1.0
 * @category reading
 */
export const entryText = (reader: Reader, entered: Entered): Effect.Effect<string, Fault> =>
  Effect.map(
    Effect.forEach(bodiesOf(entered.part), (body, i) =>
      body.encoding === "bytes" ? Effect.succeed("") : blockText(reader, entered, i + 1)
    ),
    (texts) => texts.join("")
  )

/**
 * The text of a splice. Ranges count bytes of the UTF-8 of the text, so that they fall on its characters.
 *
 * @since 0.1.0
 * @category reading
 */
export const spliceText = (
  reader: Reader,
  splice: Splice,
  entry: (seq: Seq) => Effect.Effect<Entered, Fault>
): Effect.Effect<string, Fault> =>
  Effect.map(
    Effect.forEach(splice, (piece) =>
      typeof piece === "string" ? Effect.succeed(piece) : rangeText(reader, piece, entry)
    ),
    (pieces) => pieces.join("")
  )

const rangeText = (
  reader: Reader,
  range: Range,
  entry: (seq: Seq) => Effect.Effect<Entered, Fault>
): Effect.Effect<string, Fault> =>
  Effect.flatMap(entry(range.of.seq), (entered) =>
    Effect.map(
      range.of.block === undefined ? entryText(reader, entered) : blockText(reader, entered, range.of.block),
      (text) => decodeUtf8(encodeUtf8(text).subarray(range.bytes[0], range.bytes[1]))
    )
  )

/** Values by digest, the newest ones up to a weight. */
export class Recent<A> {
  private readonly kept = new Map<string, A>()
  private weight = 0
  private readonly limit: number
  private readonly weigh: (value: A) => number

  constructor(limit: number, weigh: (value: A) => number) {
    this.limit = limit
    this.weigh = weigh
  }

  get(key: string): A | undefined {
    return this.kept.get(key)
  }

  set(key: string, value: A): void {
    this.kept.set(key, value)
    this.weight += this.weigh(value)
    for (const [oldest, old] of this.kept) {
      if (this.weight <= this.limit || oldest === key) return
      this.kept.delete(oldest)
      this.weight -= this.weigh(old)
    }
  }
}

const KEPT_BYTES = 16 << 20
const KEPT_PARSED = 64
