/**
 * What the laws of this package are about, as one record: ours, or one with a part put wrong.
 *
 * @since 0.1.0
 */
import type * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { BudgetInfeasible } from "../BudgetInfeasible.ts"
import * as ContextBudget from "../ContextBudget.ts"
import * as Line from "../Line.ts"
import * as Measure from "../Measure.ts"
import * as Price from "../Price.ts"
import * as Reported from "../Reported.ts"
import * as Usage from "../Usage.ts"

/**
 * @since 0.1.0
 * @category models
 */
export interface Implementation {
  readonly effectiveTokens: (budget: ContextBudget.ContextBudget, remaining: number | undefined) => number
  readonly window: (options: Partial<Line.Window>) => Either.Either<Line.Window, BudgetInfeasible>
  readonly ceilingOf: (bounds: Line.Bounds) => Either.Either<number | undefined, BudgetInfeasible>
  readonly managed: (ceiling: number, fixed: number) => Either.Either<number, BudgetInfeasible>
  readonly sum: (measures: ReadonlyArray<Measure.Measure>) => Measure.Measure
  readonly fromAnthropic: (json: unknown) => Usage.Usage
  readonly fromOpenAiChat: (json: unknown) => Usage.Usage
  readonly decode: { readonly [K in Document]: (json: unknown) => Either.Either<unknown, unknown> }
}

/**
 * The forms of this package that are written to disk or read from a configuration.
 *
 * @since 0.1.0
 * @category models
 */
export type Document = "contextBudget" | "priceTable" | "measure" | "reported"

/**
 * This package.
 *
 * @since 0.1.0
 * @category implementations
 */
export const ours: Implementation = {
  effectiveTokens: ContextBudget.effectiveTokens,
  window: Line.make,
  ceilingOf: Line.ceilingOf,
  managed: Line.managed,
  sum: Measure.sum,
  fromAnthropic: Usage.fromAnthropic,
  fromOpenAiChat: Usage.fromOpenAiChat,
  decode: {
    contextBudget: Schema.decodeUnknownEither(ContextBudget.ContextBudget),
    priceTable: Schema.decodeUnknownEither(Price.PriceTable),
    measure: Schema.decodeUnknownEither(Measure.Measure),
    reported: Schema.decodeUnknownEither(Reported.Reported)
  }
}
