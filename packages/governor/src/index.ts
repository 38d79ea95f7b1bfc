/**
 * The turn: ledger, budget, policy and compaction composed, live and in a replay, and what can be asked of its logs.
 *
 * @since 0.1.0
 */
export * as Approvals from "./Approvals.ts"
export * as Audit from "./Audit.ts"
export * as Config from "./Config.ts"
export * as Economy from "./Economy.ts"
export * as Entries from "./Entries.ts"
export * as Export from "./Export.ts"
export * as Fact from "./Fact.ts"
export * as Frozen from "./Frozen.ts"
export * as Import from "./Import.ts"
export * as Log from "./Log.ts"
export * as NoteBook from "./NoteBook.ts"
export * as Prepare from "./Prepare.ts"
export * as Recall from "./Recall.ts"
export * as Report from "./Report.ts"
export * as Runs from "./Runs.ts"
export * as SectionState from "./SectionState.ts"
export * as Session from "./Session.ts"
export * as Texts from "./Texts.ts"
export * as ViewAt from "./ViewAt.ts"
export * as Walk from "./Walk.ts"
export * as Written from "./Written.ts"
