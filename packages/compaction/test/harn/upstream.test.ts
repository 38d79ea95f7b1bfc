/** The other tests that the seed's source has, by the names they have there (`spec` §4.4): outputs, splits and the mask. */
import { describe, expect, it } from "vitest"
import { clamp } from "../../src/harn/Clamp.ts"
import { isFailureLine } from "../../src/harn/FailureLines.ts"
import { mask } from "../../src/harn/Mask.ts"
import { bodyOf, type Message } from "../../src/harn/Message.ts"
import { microcompact, snapToLineEnd, snapToLineStart } from "../../src/harn/Microcompact.ts"
import { instructionsOf } from "../../src/harn/Prompt.ts"
import { recap } from "../../src/harn/Recap.ts"
import { snapOffResults, windowOf } from "../../src/harn/Split.ts"
import { tokensOf } from "../../src/harn/TokenEstimate.ts"
import {
  assistant,
  bytes,
  calling,
  config,
  made,
  noise,
  resultBlock,
  scriptedRun,
  talk,
  tool,
  useBlock,
  user
} from "./support.ts"

const linesOf = (n: number) => Array.from({ length: n }, (_, i) => `row ${String(i).padStart(4, "0")}`).join("\n")

describe("microcompact", () => {
  it("microcompact_short_output_unchanged", () => {
    for (const text of ["", "short", "x".repeat(500)])
      expect(microcompact(text, 500)).toEqual({ text, droppedBytes: 0 })
  })

  it("microcompact_snaps_to_line_boundaries", () => {
    const source = linesOf(400)
    const { text, droppedBytes } = microcompact(source, 1_005)
    const [head, tail] = text.split(/\n\n\[\.\.\. \d+ characters snipped \.\.\.\]\n\n/)
    for (const side of [head!, tail!]) for (const line of side.split("\n")) expect(line).toMatch(/^row \d{4}$/)
    expect(droppedBytes).toBe(bytes(source) - bytes(head!) - bytes(tail!))
  })

  it("microcompact_preserves_diagnostic_lines_with_line_boundaries", () => {
    const rows = linesOf(400).split("\n")
    rows[200] = "a.go:12: undefined: foo"
    const { text } = microcompact(rows.join("\n"), 1_000)
    const [head, rest] = text.split("\n\n[diagnostic lines preserved]\n")
    const [kept, tail] = rest!.split("\n\n[... output compacted ...]\n\n")
    expect(kept).toBe("a.go:12: undefined: foo")
    for (const side of [head!, tail!]) for (const line of side.split("\n")) expect(line).toMatch(/^row \d{4}$/)
  })

  it("snap_to_line_end/start", () => {
    const text = "one\ntwo\nthree"
    expect([1, 3, 5, 7, 9, 99].map((end) => snapToLineEnd(text, end))).toEqual([1, 3, 3, 7, 7, 13])
    expect([0, 1, 4, 5, 8, 9].map((start) => snapToLineStart(text, start))).toEqual([0, 4, 4, 8, 8, 9])
    expect(snapToLineEnd("no end", 3)).toBe(3)
    expect(snapToLineStart("no end", 3)).toBe(3)
  })
})

describe("the failure filter and the mask", () => {
  it("failure_signal_filter_keeps_structured_failure_lines", () => {
    const kept = [
      "--- FAIL: TestEmpty",
      "thread 'main' panicked at src/main.rs",
      "Panic in handler",
      "FAILED tests/test_parser.py",
      "src/a.go:12: undefined: foo",
      "src/a.ts:3:5 cannot find name",
      "x.go:9: declared but not used: y",
      "an error occurred",
      "panic: oops",
      "error: cannot move",
      "  warning: unused variable",
      "note: see here",
      "  left: 1",
      " right: 2",
      "expected: 1",
      "actual: 2",
      "got: 3",
      "want: 4",
      "got 3",
      "want 4",
      "assertion `left == right`",
      "E   AssertionError",
      "  --> src/lib.rs:1:2",
      "  = help: try",
      "  = note: because",
      "      ^^^^",
      "12 | let x = 1;",
      "L42: here"
    ]
    const dropped = ["verbose output line 7", "compiling crate foo", "    let y = ok();", "", "   "]
    expect(kept.filter((line) => !isFailureLine(line))).toEqual([])
    expect(dropped.filter(isFailureLine)).toEqual([])
  })

  it("default_mask_preserves_failure_detail", () => {
    const body = `go test ./...\n${noise(40)}\n--- FAIL: TestA\na.go:3: expected 1 got 2\n${noise(10)}`
    expect(mask(tool(body)).text).toBe(
      `[tool] go test ./...... [53 lines, ${bytes(body)} chars masked; failure lines preserved]\n--- FAIL: TestA\na.go:3: expected 1 got 2`
    )
  })

  it("default_mask_without_failure_lines_stays_terse", () => {
    const body = `${"f".repeat(300)}\n${noise(40)}`
    expect(mask(tool(body)).text).toBe(`[tool] ${"f".repeat(120)}... [41 lines, ${bytes(body)} chars masked]`)
  })
})

describe("estimate and instructions", () => {
  it("token_estimate_counts_structured_message_content", () => {
    const words = { role: "user", content: [{ type: "text", text: "a".repeat(396) }] }
    expect(tokensOf([words])).toBe(100)
    const calls = {
      ...assistant(""),
      tool_calls: [{ function: { arguments: "b".repeat(400) } }],
      reasoning: "c".repeat(400)
    }
    expect(tokensOf([calls])).toBe(200)
  })

  it("compaction_policy_instructions_extend_by_default", () => {
    const text = instructionsOf(config({ policy: { instructions: "keep the ticket" } }))
    expect(text).toContain("Preserve goals, constraints")
    expect(text).toContain("Additional compaction instructions")
    expect(text).toContain("keep the ticket")
  })

  it("compaction_policy_instructions_can_replace_default_instructions", () => {
    for (const how of [{ extend_default_instructions: false }, { mode: "replace" }]) {
      const text = instructionsOf(config({ policy: { instructions: "only the ticket", ...how } }))
      expect(text).not.toContain("Preserve goals, constraints")
      expect(text).toContain("according to these instructions")
      expect(text).toContain("only the ticket")
    }
  })
})

describe("splits", () => {
  it("auto_compact_preserves_reasoning_tool_suffix", () => {
    const messages: ReadonlyArray<Message> = [
      user("first"),
      assistant("done"),
      user("second"),
      { ...useBlock("a"), reasoning: "thought" },
      resultBlock("a", "one"),
      { ...useBlock("b"), reasoning: "thought" },
      resultBlock("b", "two"),
      assistant("answer")
    ]
    const done = made(scriptedRun(messages, { token_threshold: 1, keep_last: 3 }))
    expect(done.window).toEqual({ start: 0, split: 2 })
    expect(done.messages.slice(1)).toEqual(messages.slice(2))
  })

  it("auto_compact_never_splits_assistant_tool_use_from_its_result", () => {
    const messages = [
      user("task"),
      assistant("plan"),
      calling("a"),
      tool("one", "a"),
      tool("more", "a"),
      assistant("end")
    ]
    expect(windowOf(messages, 0, 2)).toEqual({ start: 0, split: 2 })
    expect(windowOf(messages, 0, 3)).toEqual({ start: 0, split: 2 })
  })

  it("snap_split_off_tool_results_handles_all_result_shapes", () => {
    const shapes: ReadonlyArray<Message> = [
      tool("r", "a"),
      { role: "tool_result", content: "r" },
      resultBlock("a", "r")
    ]
    for (const result of shapes) {
      expect(snapOffResults([user("t"), calling("a"), result, assistant("end")], 0, 2)).toBe(1)
      expect(snapOffResults([calling("a"), result, result, assistant("end")], 0, 1)).toBe(3)
    }
  })
})

describe("the kept window", () => {
  const big = noise(2_000)

  it("auto_compact_clamps_oversized_tool_output_to_max_chars", () => {
    const messages = [...talk(6), user("go"), calling("a"), tool(big, "a"), assistant("end")]
    const done = made(scriptedRun(messages, { token_threshold: 1, keep_last: 4, tool_output_max_chars: 2_000 }))
    const clamped = done.messages.find(({ role }) => role === "tool")!
    expect(bytes(bodyOf(clamped))).toBeLessThan(2_100)
    expect(clamped.tool_call_id).toBe("a")
    expect(done.clamped).toEqual([{ at: 8, droppedBytes: expect.any(Number) }])
  })

  it("observation_mask_preserves_pinned_live_file_view", () => {
    const pinned = `[no-compact] a.go\n${noise(100)}`
    const { text, fates } = recap([user("x"), tool(pinned), tool(`b.go\n${noise(100)}`)], 400)
    expect(text).toContain(`[tool] ${pinned}`)
    expect(fates).toEqual(["whole", "pinned", "masked"])
  })

  it("clamp_exempts_pinned_tool_output", () => {
    const pinned = tool(`[no-compact]\n${big}`)
    const { messages } = clamp([pinned, tool(big)], 2_000)
    expect(messages[0]).toBe(pinned)
    expect(bytes(bodyOf(messages[1]!))).toBeLessThan(2_100)
  })

  it("pin_bound_keeps_only_latest_segments", () => {
    const pins = [1, 2, 3, 4].map((n) => tool(`pin ${n} [no-compact]\n${big}`))
    expect(recap(pins).fates).toEqual(["masked", "pinned", "pinned", "pinned"])
    expect(clamp(pins, 2_000).changes.map(({ at }) => at)).toEqual([0])
  })

  it("no_pins_preserves_prior_clamp_behavior", () => {
    expect(clamp([tool(big), tool("small")], 2_000).messages.map(bodyOf)).toEqual([
      microcompact(big, 2_000).text,
      "small"
    ])
    expect(clamp([tool(big)], 0).messages).toEqual([tool(big)])
  })
})
