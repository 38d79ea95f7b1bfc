/**
 * How a command ends when it does not end well: words for whoever must act, and the exit code. 1: a check failed. 2: bad
 * usage or bad input. No stack trace is ever printed for either.
 */
import * as Data from "effect/Data"

export class Failure extends Data.TaggedError("Failure")<{ readonly code: 1 | 2; readonly message: string }> {}

/** A check failed. */
export const failed = (message: string): Failure => new Failure({ code: 1, message })

/** The call or its input cannot be used. */
export const unusable = (message: string): Failure => new Failure({ code: 2, message })

/** Any error with a message, as a failure. Refusals and damage are failed checks; the rest is bad input. */
export const fromError = (error: { readonly _tag: string; readonly message: string }): Failure =>
  error instanceof Failure ? error : CHECKS.has(error._tag) ? failed(error.message) : unusable(error.message)

const CHECKS: ReadonlySet<string> = new Set(["Broken", "UnknownFact", "BodyFault", "RecallRefused", "NoSource"])
