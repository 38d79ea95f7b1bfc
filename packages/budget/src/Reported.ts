/**
 * Reported: the event that holds what a provider said one request cost. The last of one request counts, as clients repeat
 * it and streams correct it.
 *
 * Laws kept here: 11 (what was not reported is unmeasured), 14 (unknown keys do not decode).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Usage } from "./Usage.ts"

/**
 * The payload. `step` is the step that the event belongs to, `request` the number of the request that the usage is of.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Reported = Schema.TaggedStruct("Reported", {
  step: Schema.NonNegativeInt,
  request: Schema.NonNegativeInt,
  usage: Usage
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/**
 * @since 0.1.0
 * @category models
 */
export type Reported = typeof Reported.Type
