/**
 * The annotation that makes a struct refuse keys it does not know, and a key that is there or not there, but never
 * undefined (law 14).
 */
import * as Schema from "effect/Schema"

export const strict = { parseOptions: { onExcessProperty: "error" } } as const

export const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** A struct that refuses unknown keys. */
export const struct = <Fields extends Schema.Struct.Fields>(fields: Fields) => Schema.Struct(fields).annotations(strict)
