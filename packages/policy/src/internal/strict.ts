/**
 * The annotation that makes a struct refuse keys it does not know, whoever decodes it and with whatever options.
 *
 * Laws kept here: 14.
 */
export const strict = { parseOptions: { onExcessProperty: "error" } } as const
