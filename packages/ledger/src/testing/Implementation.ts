/**
 * What the laws of this package are about, as one record: ours, or one with a part put wrong.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Body from "../Body.ts"
import * as Canonical from "../Canonical.ts"
import * as Event from "../Event.ts"
import * as Fact from "../Fact.ts"
import type { LogId } from "../Ids.ts"
import * as Ledger from "../Ledger.ts"
import { Kind } from "../Observation.ts"
import * as Resolve from "../Resolve.ts"
import * as Sha256 from "../Sha256.ts"

/**
 * A ledger value with its operations, so that a law can hold several implementations.
 *
 * @since 0.1.0
 * @category models
 */
export interface Value {
  readonly length: number
  /** Throws where the entry cannot stand behind the last. */
  readonly append: (entry: Ledger.Entry) => Value
  readonly at: (position: number) => Ledger.Entry | undefined
  readonly lastOf: (subject: string) => number | undefined
  readonly lastWriteTo: (subject: string) => number | undefined
  readonly observedScalars: () => number
  readonly fullText: (read: (position: number) => string) => string
  readonly textForStep: (step: number, read: (position: number) => string) => string
  readonly steps: () => ReadonlyArray<number>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  readonly hash: Sha256.Hasher
  readonly empty: () => Value
  readonly ownText: (text: string) => { readonly body: Body.Body; readonly stored: Body.Stored }
  readonly textOf: (body: Body.Body, stored: Uint8Array) => string
  readonly encode: (value: unknown) => string
  readonly sealAll: (log: LogId, head: Event.Head, drafts: ReadonlyArray<Event.Draft>) => ReadonlyArray<Event.Sealed>
  readonly open: (log: LogId, before: Event.Head, stored: Event.Sealed) => Either.Either<Event.Event, Event.Broken>
  readonly decodeFact: (json: unknown) => Either.Either<Fact.Fact, unknown>
  readonly encodeFact: (fact: Fact.Fact) => unknown
  readonly decodeKind: (json: unknown) => Either.Either<Kind, unknown>
}

/**
 * This package.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: Implementation = {
  hash: Sha256.pure,
  empty: () => valueOf(Ledger.empty()),
  ownText: (text) => Body.ownText(Sha256.pure, text),
  textOf: (body, stored) => Resolve.textOf(body, Either.getOrThrow(Resolve.bytesOf(Sha256.pure, body, stored))),
  encode: (value) => Either.getOrThrow(Canonical.encode(value)),
  sealAll: (log, head, drafts) => Event.sealAll(Sha256.pure, log, head, drafts),
  open: (log, before, stored) => Event.open(Sha256.pure, log, before, stored),
  decodeFact: Schema.decodeUnknownEither(Fact.Fact),
  encodeFact: Schema.encodeSync(Fact.Fact),
  decodeKind: Schema.decodeUnknownEither(Kind)
}

const valueOf = (ledger: Ledger.Ledger): Value => ({
  length: ledger.length,
  append: (entry) => valueOf(Either.getOrThrow(Ledger.append(ledger, entry))),
  at: (position) => Ledger.at(ledger, position),
  lastOf: (subject) => Option.getOrUndefined(Ledger.lastOf(ledger, subject)),
  lastWriteTo: (subject) => Option.getOrUndefined(Ledger.lastWriteTo(ledger, subject)),
  observedScalars: () => Ledger.observedScalars(ledger),
  fullText: (read) => Ledger.fullText(ledger, read),
  textForStep: (step, read) => Ledger.textForStep(ledger, step, read),
  steps: () => Ledger.steps(ledger)
})
