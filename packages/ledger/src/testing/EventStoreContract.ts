/**
 * What any `EventStore` must do (laws 1 and 3): all of an append or nothing, numbered and chained, and a repeat answered
 * as the first was.
 *
 * @since 0.1.0
 */
import type { EventStore } from "../EventStore.ts"
import type { Hasher } from "../Sha256.ts"
import type { Check } from "./Contract.ts"
import { appending } from "./contract/Appending.ts"
import { racing } from "./contract/Racing.ts"
import { reading } from "./contract/Reading.ts"
import { refusing } from "./contract/Refusing.ts"
import { repeating } from "./contract/Repeating.ts"

/**
 * The contract, for a store that takes its digests by `hash`.
 *
 * @since 0.1.0
 * @category contracts
 */
export const checks = (hash: Hasher): ReadonlyArray<Check<EventStore>> => [
  ...appending(hash),
  ...repeating(hash),
  ...refusing(hash),
  ...reading(hash),
  ...racing(hash)
]
