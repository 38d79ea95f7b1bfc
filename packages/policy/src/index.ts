/**
 * What a run may touch: acts, patterns, rules, layers and verdicts, and how the policy of a child stays inside that of
 * its parent. This is what decides. What is around a decision has modules of its own: `Approval` and `Approver` (what
 * becomes of an `ask`), `Refusal` (who is told what), `Document` (faults by their place), `Gated` (the event of a ruling).
 *
 * @since 0.1.0
 */
export * as Act from "./Act.ts"
export * as Check from "./Check.ts"
export * as Contain from "./Contain.ts"
export * as Layer from "./Layer.ts"
export * as Merge from "./Merge.ts"
export * as Pattern from "./Pattern.ts"
export * as Platform from "./Platform.ts"
export * as Policy from "./Policy.ts"
export * as Ruling from "./Ruling.ts"
export * as Target from "./Target.ts"
export * as Verdict from "./Verdict.ts"
