/**
 * Sessions for the tests, written here: by hand through `Writer`, or drawn by `session`.
 */
import * as FastCheck from "effect/FastCheck"

type Line = { readonly [key: string]: unknown }

/** Writes lines as Claude Code does: chained by `parentUuid`, one block a line. */
export class Writer {
  readonly lines: Array<string> = []
  private count = 0
  private parent: string | null = null
  private readonly base: Line
  constructor(base: Line = {}) {
    this.base = base
  }

  line(line: Line): string {
    const uuid = `u${++this.count}`
    const timestamp = `2026-05-01T10:00:${String(this.count % 60).padStart(2, "0")}.000Z`
    const head = {
      parentUuid: this.parent,
      isSidechain: false,
      sessionId: "s-1",
      cwd: "/srv/ada/app",
      version: "2.1.0"
    }
    this.lines.push(JSON.stringify({ ...head, ...this.base, uuid, timestamp, ...line }))
    this.parent = uuid
    return uuid
  }

  user(content: unknown, more: Line = {}): string {
    return this.line({ type: "user", message: { role: "user", content }, ...more })
  }

  result(call: string, content: unknown, more: Line = {}): string {
    const block = { type: "tool_result", tool_use_id: call, ...(content === undefined ? {} : { content }), ...more }
    return this.user([block])
  }

  answer(id: string, block: unknown, usage?: Line, more: Line = {}): string {
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "m",
      content: [block],
      ...(usage ? { usage } : {})
    }
    return this.line({ type: "assistant", message, ...more })
  }

  call(id: string, call: string, name: string, input: unknown): string {
    return this.answer(id, { type: "tool_use", id: call, name, input })
  }

  text(end = "\n"): string {
    return this.lines.join("\n") + end
  }
}

/** Text with what breaks readers: quotes, escapes, line ends, pairs, and (where asked) lone surrogates. */
export const words = (ill: boolean): FastCheck.Arbitrary<string> =>
  FastCheck.array(
    FastCheck.constantFrom(
      "a",
      "zeta",
      " ",
      "\n",
      "\r\n",
      '"',
      "\\",
      "é",
      "😀",
      "\u2028",
      "{",
      ...(ill ? ["\ud800", "\udc01"] : [])
    ),
    { minLength: 1, maxLength: 6 }
  ).map((parts) => parts.join(""))

const PIXEL = "iVBORw0KGgoAAAANSUhEUg=="

/** What a result can hold. */
export const resultContent = (ill: boolean): FastCheck.Arbitrary<unknown> =>
  FastCheck.oneof(
    words(ill),
    FastCheck.constant(undefined),
    FastCheck.constant(""),
    FastCheck.array(
      FastCheck.oneof(
        words(ill).map((text) => ({ type: "text", text })),
        FastCheck.constant({ type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } }),
        words(ill).map((title) => ({ type: "search_result", title, z: 1, a: [null, 2] }))
      ),
      { maxLength: 3 }
    )
  )

const NOISE: ReadonlyArray<string> = [
  '{"type":"progress","data":{"type":"hook_progress"},"uuid":"n1","parentUuid":null,"isSidechain":false,"sessionId":"s-1"}',
  '{"type":"file-history-snapshot","snapshot":{"timestamp":"2026-05-01T09:00:00.000Z"},"messageId":"x"}',
  '{"type":"progress","parentToolUseID":"toolu_0_0","sessionId":"s-1","data":{"type":"agent_progress","agentId":"a1","message":{"type":"assistant","message":{"id":"inner","role":"assistant","content":[{"type":"text","text":"x"}],"usage":{"input_tokens":1}}}}}',
  '{"type":"from-the-future","sessionId":"s-1","payload":{"a":[1,2]}}',
  "",
  "  \r",
  "not json at all",
  "[1,2]",
  '{"type":'
]

/** A turn: what the model says and calls, with the results in some order among the lines of its message. */
const turn = (ill: boolean) =>
  FastCheck.record({
    ask: FastCheck.option(words(ill), { nil: undefined }),
    think: FastCheck.boolean(),
    say: FastCheck.option(words(ill), { nil: undefined }),
    calls: FastCheck.array(
      FastCheck.record({ input: words(ill), content: resultContent(ill), early: FastCheck.boolean() }),
      {
        maxLength: 3
      }
    ),
    noise: FastCheck.option(FastCheck.constantFrom(...NOISE), { nil: undefined })
  })

/** A session as text. With `ill`, its strings may hold lone surrogates. */
export const session = (ill: boolean): FastCheck.Arbitrary<string> =>
  FastCheck.array(turn(ill), { minLength: 1, maxLength: 6 }).map((turns) => {
    const writer = new Writer()
    writer.user("Begin.")
    turns.forEach((t, n) => {
      if (t.ask !== undefined && n > 0) writer.user(t.ask)
      const id = `msg_${n}`
      if (t.think) writer.answer(id, { type: "thinking", thinking: "hm", signature: "c2ln" })
      writer.answer(id, { type: "text", text: t.say ?? "I look." })
      if (t.noise !== undefined) writer.lines.push(t.noise)
      const late: Array<() => void> = []
      t.calls.forEach(({ content, early, input }, k) => {
        const call = `toolu_${n}_${k}`
        writer.call(id, call, "Read", { file_path: input, limit: 3 })
        const answer = () => void writer.result(call, content)
        if (early) answer()
        else late.unshift(answer)
      })
      for (const answer of late) answer()
    })
    return writer.text()
  })
