/** The approvals of a run, folded over all its facts. */
import * as Approval from "@palimpsest/policy/Approval"
import type { Fact } from "../Fact.ts"

/** The approvals after one more fact. */
export const record = (approvals: Approval.Approvals, seq: number, fact: Fact): Approval.Approvals =>
  fact._tag === "Asked" || fact._tag === "Answered" ? Approval.record(approvals, seq, fact) : approvals
