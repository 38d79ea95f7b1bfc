/**
 * Other people's words: agents' session files and providers' messages as moves of a ledger, and back, byte for byte.
 *
 * @since 0.1.0
 */
export * as Agents from "./Agents.ts"
export * as Classify from "./Classify.ts"
export * as Decoder from "./Decoder.ts"
export * as Format from "./Format.ts"
export * as Move from "./Move.ts"
export * as Records from "./Records.ts"
export * as Render from "./Render.ts"
export * as Shape from "./Shape.ts"
export * as Shell from "./Shell.ts"
export * as Source from "./Source.ts"
export * as Validate from "./Validate.ts"
export * as WellFormed from "./WellFormed.ts"
