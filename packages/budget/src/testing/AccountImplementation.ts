/**
 * What the laws of accounts are about, as one record: ours, or one with a part put wrong.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type * as Either from "effect/Either"
import { AccountFact } from "../AccountFact.ts"
import * as Evolve from "../Evolve.ts"
import * as Fold from "../Fold.ts"
import * as Limits from "../Limits.ts"
import * as Timeline from "../Timeline.ts"
import * as Transact from "../Transact.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface AccountImplementation {
  readonly transact: typeof Transact.transact
  readonly evolve: typeof Evolve.evolve
  readonly encode: typeof Fold.encode
  readonly decode: typeof Fold.decode
  readonly footprint: typeof Fold.footprint
  readonly narrow: typeof Limits.narrow
  readonly advance: typeof Timeline.advance
  readonly note: typeof Timeline.note
  readonly decodeFact: (json: unknown) => Either.Either<AccountFact, unknown>
}

/**
 * This package.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: AccountImplementation = {
  transact: Transact.transact,
  evolve: Evolve.evolve,
  encode: Fold.encode,
  decode: Fold.decode,
  footprint: Fold.footprint,
  narrow: Limits.narrow,
  advance: Timeline.advance,
  note: Timeline.note,
  decodeFact: Schema.decodeUnknownEither(AccountFact)
}
