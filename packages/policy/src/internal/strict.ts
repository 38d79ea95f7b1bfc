/**
 * The annotation that makes a struct refuse keys it does not know, whoever decodes it and with whatever options; and a key
 * that is there or not there, but never undefined.
 *
 * Laws kept here: 14.
 */
import * as Schema from "effect/Schema"

export const strict = { parseOptions: { onExcessProperty: "error" } } as const

export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })
