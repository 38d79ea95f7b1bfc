/**
 * What happened: events, chains, entries, observations and bodies, with the ports that keep them.
 *
 * @since 0.1.0
 */
export * as Address from "./Address.ts"
export * as Body from "./Body.ts"
export * as BodyStore from "./BodyStore.ts"
export * as Canonical from "./Canonical.ts"
export * as Event from "./Event.ts"
export * as EventStore from "./EventStore.ts"
export * as Fact from "./Fact.ts"
export * as Ids from "./Ids.ts"
export * as Ledger from "./Ledger.ts"
export * as Memory from "./Memory.ts"
export * as Observation from "./Observation.ts"
export * as Part from "./Part.ts"
export * as Removal from "./Removal.ts"
export * as Resolve from "./Resolve.ts"
export * as Sha256 from "./Sha256.ts"
