/**
 * The HTTP server over the governor.
 *
 * @since 0.1.0
 */
export * as Export from "./Export.ts"
export * as Search from "./Search.ts"
export * as Server from "./Server.ts"
export * as Settings from "./Settings.ts"
export * as Telemetry from "./Telemetry.ts"
export * as Tokens from "./Tokens.ts"
