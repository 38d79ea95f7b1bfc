/**
 * The port to a model that summarises, as this preset uses it: it is the package's own.
 *
 * @since 0.1.0
 */
export * from "../Summarizer.ts"
