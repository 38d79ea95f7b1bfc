/**
 * Why an account refuses a command. A refusal leaves the account exactly as it was.
 *
 * Laws kept here: 10, 11. Source: LE-07, LE-08, LE-19, mending LE-W3, LE-W8.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import { type Axis, NAME } from "./Axis.ts"
import type { AccountId, ReservationId, RunId } from "./Ids.ts"
import { crossings, words, type Reading } from "./Reading.ts"

/**
 * A limit would be passed, or has been. The whole reading says which, all of them; `waits` whether only what is reserved
 * stands in the way, so that the same may be asked again when that is settled.
 *
 * @since 0.1.0
 * @category errors
 */
export class LimitReached extends Data.TaggedError("LimitReached")<{
  readonly run: RunId
  readonly reading: Reading
  readonly waits: boolean
}> {
  override get message(): string {
    return `${this.run}: ${crossings(this.reading).map(words).join("; also ")}`
  }
}

/**
 * There is a limit on an axis whose spending is not known: no tariff for what is to be called, or calls that were not
 * measured where the rules refuse that.
 *
 * @since 0.1.0
 * @category errors
 */
export class UnmeasuredAxis extends Data.TaggedError("UnmeasuredAxis")<{
  readonly run: RunId
  readonly scope: RunId
  readonly axis: Axis
  readonly why: string
}> {
  override get message(): string {
    return `${this.run}: ${NAME[this.axis]} of ${this.scope} cannot be checked: ${this.why}; give calls a tariff, or accept by a grant what was charged`
  }
}

/**
 * @since 0.1.0
 * @category errors
 */
export class UnknownAccount extends Data.TaggedError("UnknownAccount")<{ readonly account: AccountId }> {
  override get message(): string {
    return `there is no account ${this.account}: open it first`
  }
}

/**
 * @since 0.1.0
 * @category errors
 */
export class UnknownRun extends Data.TaggedError("UnknownRun")<{ readonly run: RunId }> {
  override get message(): string {
    return `the account has no run ${this.run}: dispatch it first`
  }
}

/**
 * The run has ended and makes no calls and no children.
 *
 * @since 0.1.0
 * @category errors
 */
export class RunOver extends Data.TaggedError("RunOver")<{ readonly run: RunId; readonly epitaph: string }> {
  override get message(): string {
    return `${this.run} has ended (${this.epitaph})`
  }
}

/**
 * No reservation of this name is held or lately closed.
 *
 * @since 0.1.0
 * @category errors
 */
export class ReservationGone extends Data.TaggedError("ReservationGone")<{
  readonly reservation: ReservationId
  readonly why: string
}> {
  override get message(): string {
    return `reservation ${this.reservation}: ${this.why}`
  }
}

/**
 * A command that can never be accepted as it is: an id used for something else, a grant of nothing, an end that
 * contradicts an earlier one.
 *
 * @since 0.1.0
 * @category errors
 */
export class BadCommand extends Data.TaggedError("BadCommand")<{ readonly command: string; readonly why: string }> {
  override get message(): string {
    return `${this.command}: ${this.why}`
  }
}

/**
 * A fact that does not fit the account that it is said to follow: the log, or the fold kept beside it, is damaged.
 *
 * @since 0.1.0
 * @category errors
 */
export class BrokenAccount extends Data.TaggedError("BrokenAccount")<{
  readonly position: number
  readonly why: string
}> {
  override get message(): string {
    return `account, fact ${this.position}: ${this.why}`
  }
}

/**
 * @since 0.1.0
 * @category errors
 */
export type Refusal =
  | LimitReached
  | UnmeasuredAxis
  | UnknownAccount
  | UnknownRun
  | RunOver
  | ReservationGone
  | BadCommand
  | BrokenAccount
