/**
 * The port to whoever answers for an `ask`: a person, or a program that stands for one. A deny never reaches it, and no
 * answer of it lifts one; where nobody implements it, `ask` is a refusal.
 *
 * Laws kept here: 12.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type { Answer, Asked } from "./Approval.ts"

/**
 * @since 0.1.0
 * @category tags
 */
export class Approver extends Context.Tag("@palimpsest/policy/Approver")<
  Approver,
  {
    /** Answers, or says `Defer` where no answer can be had now: the run is then paused with the request on record. */
    readonly decide: (request: Asked) => Effect.Effect<Answer>
  }
>() {}

/**
 * An approver that gives these answers in this order, and behind the last of them refuses.
 *
 * @since 0.1.0
 * @category layers
 */
export const scripted = (answers: ReadonlyArray<Answer>): Layer.Layer<Approver> =>
  Layer.effect(
    Approver,
    Effect.map(Ref.make(0), (next) => ({
      decide: () =>
        Effect.map(
          Ref.getAndUpdate(next, (n) => n + 1),
          (n) => answers[n] ?? { _tag: "Deny", reason: "no more answers" }
        )
    }))
  )
