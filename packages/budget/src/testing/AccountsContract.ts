/**
 * What any layer of `Accounts` must do (laws 10, 11, 13): one act at a time, all of it or nothing, whoever else asks.
 *
 * ```ts
 * for (const { check, name } of AccountsContract.checks()) it.effect(name, () => Effect.provide(check, layer))
 * ```
 *
 * Each check has accounts of its own, so all of them may share a store. None waits for a clock, so the layer may have any.
 *
 * @since 0.1.0
 */
import type { Accounts } from "../Accounts.ts"
import { calls } from "./accounts/CallChecks.ts"
import { races } from "./accounts/RaceChecks.ts"
import { trees } from "./accounts/TreeChecks.ts"
import type { Check } from "./Contract.ts"

/**
 * The contract. What fails and what is interrupted is drawn from `seed`.
 *
 * @since 0.1.0
 * @category contracts
 */
export const checks = (seed = 10): ReadonlyArray<Check<Accounts>> => [...calls(seed), ...trees(seed), ...races(seed)]
