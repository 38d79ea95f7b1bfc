/**
 * What a run may cost: estimates, the share of one request, line and ceiling, measures, usage and prices.
 *
 * @since 0.1.0
 */
export * as BudgetInfeasible from "./BudgetInfeasible.ts"
export * as ContextBudget from "./ContextBudget.ts"
export * as Estimate from "./Estimate.ts"
export * as Line from "./Line.ts"
export * as Measure from "./Measure.ts"
export * as Price from "./Price.ts"
export * as Reported from "./Reported.ts"
export * as TokenEstimator from "./TokenEstimator.ts"
export * as Usage from "./Usage.ts"
