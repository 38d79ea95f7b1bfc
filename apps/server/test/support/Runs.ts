import type * as Run from "@palimpsest/api/Run"
import { LogId } from "@palimpsest/ledger/Ids"

export const RUN = LogId.make("fix-login")

export const balanced = (line = 50_000, ceiling?: number): Run.Begin["config"] => ({
  preset: "balanced",
  shape: "anthropic",
  line,
  lowWater: Math.floor(line / 2),
  schedule: "investment",
  model: "claude-sonnet-4-5",
  ...(ceiling === undefined ? {} : { ceiling })
})

export const user = (text: string, message = "u1"): Run.Entry => ({ _tag: "Said", role: "user", message, text })

export const reads = (call: string, file: string, text: string): ReadonlyArray<Run.Entry> => [
  { _tag: "Called", message: `a-${call}`, call, name: "Read", args: { file_path: file } },
  {
    _tag: "Returned",
    message: `t-${call}`,
    call,
    text,
    tool: { name: "Read", args: { file_path: file } }
  }
]
