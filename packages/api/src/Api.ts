/**
 * The HTTP contract, and nothing else: a server implements it, a client is derived from it, and the documentation is made
 * of it.
 *
 *     /api/v1/…                 runs, reading, notes, approvals, budgets
 *     /health /ready            probes
 *     /openapi.json /docs       this contract, for machines and for people
 *
 * `/v1` is not used here: the providers' own paths begin so.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { ApprovalsApi } from "./ApprovalsApi.ts"
import { BudgetsApi } from "./BudgetsApi.ts"
import { HealthApi } from "./HealthApi.ts"
import { NotesApi } from "./NotesApi.ts"
import { ReadingApi } from "./ReadingApi.ts"
import { RunsApi } from "./RunsApi.ts"

/**
 * The version of the contract.
 *
 * @since 0.1.0
 * @category constants
 */
export const VERSION = "0.1.0"

/**
 * @since 0.1.0
 * @category contract
 */
export class Api extends HttpApi.make("palimpsest")
  .add(RunsApi)
  .add(ReadingApi)
  .add(NotesApi)
  .add(ApprovalsApi)
  .add(BudgetsApi)
  .prefix("/api/v1")
  .add(HealthApi)
  .annotateContext(
    OpenApi.annotations({
      title: "Palimpsest",
      version: VERSION,
      description:
        "Governs what a long-running agent sees. The ledger is what happened, the view is what the model sees, and every " +
        "difference between the two is a recorded decision with an address."
    })
  ) {}
