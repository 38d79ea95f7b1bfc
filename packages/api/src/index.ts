/**
 * The HTTP contract, and the client that is derived from it.
 *
 * @since 0.1.0
 */
export * as Api from "./Api.ts"
export * as ApprovalsApi from "./ApprovalsApi.ts"
export * as Authorization from "./Authorization.ts"
export * as BudgetsApi from "./BudgetsApi.ts"
export * as Client from "./Client.ts"
export * as Failures from "./Failures.ts"
export * as HealthApi from "./HealthApi.ts"
export * as NotesApi from "./NotesApi.ts"
export * as Page from "./Page.ts"
export * as Reading from "./Reading.ts"
export * as ReadingApi from "./ReadingApi.ts"
export * as Run from "./Run.ts"
export * as RunsApi from "./RunsApi.ts"
