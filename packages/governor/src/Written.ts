/**
 * The messages of a request as they were written down: their digests and the chain over them. The same object of a view
 * stands for the same bytes, so only what changed is rendered again; and the log of requests is linear, as each holds
 * only the digests behind the longest prefix that it shares with the one before (laws 6 and 7).
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"

/**
 * One request's messages: `parts` are whatever they were rendered from, compared by identity.
 *
 * @since 0.1.0
 * @category models
 */
export interface Written<M> {
  readonly parts: ReadonlyArray<M>
  readonly digests: ReadonlyArray<Digest>
  readonly chain: ReadonlyArray<Digest>
}

/**
 * Before the first request.
 *
 * @since 0.1.0
 * @category constructors
 */
export const nothing: Written<never> = { parts: [], digests: [], chain: [] }

/**
 * The next request's messages, and from which index on they differ from the last one's.
 *
 * @since 0.1.0
 * @category writing
 */
export const next = <M, E, R>(
  hash: Hasher,
  before: Written<M>,
  parts: ReadonlyArray<M>,
  render: (part: M, index: number) => Effect.Effect<string, E, R>
): Effect.Effect<{ readonly written: Written<M>; readonly from: number }, E, R> =>
  Effect.gen(function* () {
    let same = 0
    while (same < parts.length && parts[same] === before.parts[same]) same++
    const rendered: Array<Digest> = []
    for (let i = same; i < parts.length; i++) {
      rendered.push(parts[i] === before.parts[i] ? before.digests[i]! : hash(encodeUtf8(yield* render(parts[i]!, i))))
    }
    let from = same
    while (from < parts.length && rendered[from - same] === before.digests[from]) from++
    return { written: extend(hash, before, parts, from, rendered.slice(from - same)), from }
  })

/**
 * What a recorded request wrote: the last one's digests up to `from`, and the added ones.
 *
 * @since 0.1.0
 * @category writing
 */
export const extend = <M>(
  hash: Hasher,
  before: Written<M>,
  parts: ReadonlyArray<M>,
  from: number,
  added: ReadonlyArray<Digest>
): Written<M> => {
  const chain = before.chain.slice(0, from)
  for (const digest of added) chain.push(hash(encodeUtf8((chain.at(-1) ?? "") + digest)))
  return { parts, digests: [...before.digests.slice(0, from), ...added], chain }
}

/**
 * The digest over the whole list.
 *
 * @since 0.1.0
 * @category accessors
 */
export const chainOf = (written: Written<unknown>): Digest => written.chain.at(-1) ?? Digest.make("0".repeat(64))

/**
 * How many leading parts are the ones last written: what a cache can hold of them.
 *
 * @since 0.1.0
 * @category accessors
 */
export const cachedIn = <M>(before: ReadonlyArray<M>, parts: ReadonlyArray<M>): number => {
  let same = 0
  while (same < before.length && same < parts.length && before[same] === parts[same]) same++
  return same
}
