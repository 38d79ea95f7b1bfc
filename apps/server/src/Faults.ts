/**
 * From the errors of the packages to the failures of the contract. What a store says of itself (a file's path, a driver's
 * words) goes to the log, and the caller is told that it cannot be done now.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Failures from "@palimpsest/api/Failures"
import type { NoteBook, Recall, Runs, ViewAt } from "@palimpsest/governor"
import type { NotPending } from "@palimpsest/governor/Approvals"
import type { ResumeError } from "@palimpsest/governor/Frozen"
import type { TurnError } from "@palimpsest/governor/Governor"
import type { BadNote } from "@palimpsest/compaction/Notes"
import { LogId } from "@palimpsest/ledger/Ids"

/**
 * What reading a run fails with.
 *
 * @since 0.1.0
 * @category models
 */
export type ReadError = Runs.RunError | ViewAt.NoRequest | Recall.NoSuchEntry | NoteBook.ReadError

/**
 * What writing to a run fails with, failures of the contract included.
 *
 * @since 0.1.0
 * @category models
 */
export type WriteError = ReadError | TurnError | ResumeError | NoteBook.WriteError | NotPending | BadNote

/** @since 0.1.0 */
export type ReadFailure = typeof Failures.Reading.Type
/** @since 0.1.0 */
export type WriteFailure = typeof Failures.Writing.Type

/**
 * Turns what reading fails with into the contract's failures.
 *
 * @since 0.1.0
 * @category mapping
 */
export const reading = <A, R>(effect: Effect.Effect<A, ReadError | ReadFailure, R>): Effect.Effect<A, ReadFailure, R> =>
  Effect.catchAll(effect, (error) => Effect.flatMap(readFailure(error), Effect.fail))

/**
 * Turns what writing fails with into the contract's failures.
 *
 * @since 0.1.0
 * @category mapping
 */
export const writing = <A, R>(
  effect: Effect.Effect<A, WriteError | WriteFailure, R>
): Effect.Effect<A, WriteFailure, R> =>
  Effect.catchAll(effect, (error) => Effect.flatMap(failureOf(error), Effect.fail))

/**
 * Turns what taking up a run to look at it fails with into the contract's failures.
 *
 * @since 0.1.0
 * @category mapping
 */
export const taking = <A, R>(
  effect: Effect.Effect<A, ResumeError, R>
): Effect.Effect<A, ReadFailure | Failures.OutOfTurn | Failures.Invalid, R> =>
  Effect.catchAll(effect, (error): Effect.Effect<never, ReadFailure | Failures.OutOfTurn | Failures.Invalid> => {
    switch (error._tag) {
      case "PolicyMissing":
      case "PolicyDiffers":
      case "PlatformDiffers":
        return Effect.fail(new Failures.OutOfTurn({ run: LogId.make(error.run), why: error.message }))
      case "MalformedPattern":
        return Effect.fail(new Failures.Invalid({ field: error.path, why: error.reason }))
      default:
        return Effect.flatMap(readFailure(error), Effect.fail)
    }
  })

const readFailure = (error: ReadError | ReadFailure): Effect.Effect<ReadFailure> => {
  switch (error._tag) {
    case "NotFound":
    case "Damaged":
    case "Unavailable":
      return Effect.succeed(error)
    case "NoRun":
      return Effect.succeed(new Failures.NotFound({ what: "run", name: error.run, why: error.why }))
    case "NoRequest":
      return Effect.succeed(
        new Failures.NotFound({
          what: "request",
          name: `${error.run}/${error.request}`,
          why: `the run made ${error.last} request(s)`
        })
      )
    case "NoSuchEntry":
      return Effect.succeed(new Failures.NotFound({ what: "entry", name: error.address, why: error.why }))
    case "Broken":
    case "UnknownFact":
      return Effect.succeed(new Failures.Damaged({ log: error.log, seq: error.seq, why: error.why }))
    case "BodyFault":
      return Effect.succeed(new Failures.Damaged({ log: "", seq: 0, why: error.message }))
    case "StoreError":
      return Effect.as(
        Effect.logError("the store failed").pipe(Effect.annotateLogs("why", error.why)),
        new Failures.Unavailable({ why: "the store does not answer; the server's log says why" })
      )
  }
}

const failureOf = (error: WriteError | WriteFailure): Effect.Effect<WriteFailure> => {
  switch (error._tag) {
    case "Invalid":
    case "Reused":
    case "OutOfTurn":
      return Effect.succeed(error)
    case "Conflict":
      return Effect.succeed(
        error instanceof Failures.Conflict ? error : new Failures.Conflict({ log: error.log, head: error.actual })
      )
    case "BadAppend":
      return Effect.succeed(new Failures.Reused({ id: error.id, why: error.why }))
    case "NotCanonical":
      return Effect.succeed(new Failures.Invalid({ field: "body", why: error.message }))
    case "BadNote":
      return Effect.succeed(new Failures.Invalid({ field: error.field, why: error.why }))
    case "MalformedPattern":
      return Effect.succeed(new Failures.Invalid({ field: error.path, why: error.reason }))
    case "NotPending":
      return Effect.succeed(
        new Failures.NotFound({ what: "approval", name: `${error.run}@${error.asked}`, why: "no request waits there" })
      )
    case "PolicyMissing":
    case "PolicyDiffers":
    case "PlatformDiffers":
      return Effect.succeed(new Failures.OutOfTurn({ run: LogId.make(error.run), why: error.message }))
    default:
      return readFailure(error)
  }
}
