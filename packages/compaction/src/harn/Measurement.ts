/**
 * What a compaction measured of its source, before anything was appended to the summary. Each of the four numbers is
 * there or is not known; unknown is never read as none (law 11).
 *
 * Kept: HA-W3. One carried byte passes, and each byte of a summariser's answer counts as carried.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { bytesOf } from "./Bytes.ts"
import type { Summary } from "./Fate.ts"
import { bodyOf, type Message } from "./Message.ts"

const measured = Schema.optionalWith(Schema.NonNegativeInt, { exact: true })

/**
 * @since 0.1.0
 * @category models
 */
export const SourceMeasurement = Schema.Struct({
  sourceMessageCount: measured.pipe(Schema.fromKey("source_message_count")),
  sourceBytes: measured.pipe(Schema.fromKey("source_bytes")),
  summaryBytes: measured.pipe(Schema.fromKey("summary_bytes")),
  carriedSourceBytes: measured.pipe(Schema.fromKey("carried_source_bytes"))
})
/** @since 0.1.0 */
export interface SourceMeasurement extends Schema.Schema.Type<typeof SourceMeasurement> {}

/**
 * A measurement of everything.
 *
 * @since 0.1.0
 * @category models
 */
export type Complete = { readonly [K in keyof SourceMeasurement]-?: number }

/**
 * The measurement of a summary of messages.
 *
 * @since 0.1.0
 * @category constructors
 */
export const measure = (messages: ReadonlyArray<Message>, summary: Summary): Complete => ({
  sourceMessageCount: messages.length,
  sourceBytes: messages.reduce((sum, message) => sum + bytesOf(bodyOf(message)), 0),
  summaryBytes: bytesOf(summary.text),
  carriedSourceBytes: summary.carriedBytes
})

/**
 * Whether there was a source and nothing of it was carried. A number that is not known proves nothing.
 *
 * @since 0.1.0
 * @category predicates
 */
export const discardedSourceContext = (measurement: SourceMeasurement): boolean =>
  measurement.sourceBytes !== undefined && measurement.sourceBytes > 0 && measurement.carriedSourceBytes === 0
