/**
 * What a server is started with, and what it will not start with.
 *
 * It listens on loopback unless told otherwise. On any other address it demands tokens: without any it does not start.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type { CompiledPolicy } from "@palimpsest/policy/Check"
import type { PriceTable } from "@palimpsest/budget/Price"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Token } from "./Tokens.ts"

/**
 * The limits of one request. Sizes are in bytes, times in milliseconds. `drain` is how long a server that closes waits for
 * the requests that it is answering; `streams` how many followers it keeps at once.
 *
 * @since 0.1.0
 * @category models
 */
export interface Limits {
  readonly body: number
  readonly headers: number
  readonly headersWithin: number
  readonly bodyWithin: number
  readonly answerWithin: number
  readonly idle: number
  readonly drain: number
  readonly streams: number
  readonly recalled: number
}

/**
 * @since 0.1.0
 * @category constants
 */
export const LIMITS: Limits = {
  body: 16 << 20,
  headers: 16 << 10,
  headersWithin: 10_000,
  bodyWithin: 30_000,
  answerWithin: 120_000,
  idle: 60_000,
  drain: 10_000,
  streams: 1_000,
  recalled: 16 << 20
}

/**
 * `port` 0 takes a free one. `hosts` are names that the server may be called by besides loopback and plain addresses,
 * `origins` pages of other origins that may call it. `policy` narrows every run's own. Where `tokens` is undefined nobody
 * is asked for one, which only loopback allows.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly host: string
  readonly port: number
  readonly hosts: ReadonlyArray<string>
  readonly origins: ReadonlyArray<string>
  readonly tokens: ReadonlyArray<Token> | undefined
  readonly policy: CompiledPolicy
  readonly hash: Hasher
  readonly prices: PriceTable
  readonly limits: Limits
}

/**
 * @since 0.1.0
 * @category tags
 */
export class Settings extends Context.Tag("@palimpsest/server/Settings")<Settings, Options>() {}

/**
 * Why a server does not start.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotStarted extends Data.TaggedError("NotStarted")<{ readonly why: string }> {
  override get message(): string {
    return this.why
  }
}

/**
 * Whether only this machine can reach an address.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(?:\.[0-9]{1,3}){3}$/.test(host)

/**
 * What stands against starting; undefined where nothing does.
 *
 * @since 0.1.0
 * @category predicates
 */
export const complaint = ({ host, tokens }: Options): string | undefined => {
  if (isLoopback(host)) return undefined
  if (tokens === undefined || tokens.length === 0) {
    return `${host} can be reached from other machines, so it takes a token: make one with \`palimpsest serve token\``
  }
  return undefined
}
