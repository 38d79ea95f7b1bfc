/**
 * Writes a story as the session file of Claude Code: one JSON object a line, one content block of an answer a line, all
 * lines in a parent chain, usage repeated on each line of an answer.
 */
import { contextOf } from "./usage.mjs"
import { claudeTool } from "./tools.mjs"
import { PICTURE } from "./outputs.mjs"

const VERSION = "2.1.17"
const CWD = "/srv/project"
const MODEL = "claude-sonnet-4-5-20250929"
/** What the client keeps beside words that a person typed. */
const TYPED = { thinkingMetadata: { maxThinkingTokens: 31_999 }, todos: [], permissionMode: "default" }
const START = Date.UTC(2026, 10, 3, 9, 0, 0)

/** @typedef {import("./story.mjs").Step} Step */

/** @param {import("./random.mjs").Random} random @param {ReadonlyArray<Step>} steps @returns {string} */
export const claudeCode = (random, steps) => {
  const session = random.uuid()
  /** @type {Array<object>} */
  const lines = []
  let clock = START
  const tick = (/** @type {number} */ least, /** @type {number} */ most) => {
    clock += random.between(least, most)
    return new Date(clock).toISOString()
  }

  /** One thread of messages: the session itself, or a helper inside it. */
  const thread = (/** @type {boolean} */ aside, /** @type {number} */ fixed) => {
    const context = contextOf(random, fixed)
    /** @type {string | null} */
    let parent = null
    const put = (/** @type {object} */ fields, /** @type {object} */ more = {}) => {
      const uuid = random.uuid()
      const line = {
        parentUuid: parent,
        ...more,
        isSidechain: aside,
        userType: "external",
        cwd: CWD,
        sessionId: session
      }
      lines.push({ ...line, version: VERSION, gitBranch: "main", ...fields, uuid, timestamp: tick(40, 900) })
      parent = uuid
      return uuid
    }
    const say = (/** @type {unknown} */ content, /** @type {object} */ more = {}) => {
      context.add(content)
      return put({ type: "user", message: { role: "user", content }, ...more })
    }

    const answer = (/** @type {Step} */ step) => {
      const acts = step.acts ?? []
      const calls = acts.map((act) => ({ act, id: `toolu_01${random.base62(22)}`, ...claudeTool(act) }))
      const blocks = [
        ...(step.thinking
          ? [{ type: "thinking", thinking: step.thinking, signature: `E${random.base64(random.between(160, 420))}==` }]
          : []),
        ...(step.text ? [{ type: "text", text: step.text }] : []),
        ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }))
      ]
      const message = { model: MODEL, id: `msg_01${random.base62(22)}`, type: "message", role: "assistant" }
      const rest = { stop_reason: null, stop_sequence: null, usage: context.request(blocks) }
      const requestId = `req_011C${random.base62(20)}`
      /** @type {Map<string, string>} */
      const lineOf = new Map()
      for (const [at, block] of blocks.entries()) {
        const uuid = put({ message: { ...message, content: [block], ...rest }, requestId, type: "assistant" })
        if (block.type !== "tool_use") continue
        lineOf.set(block.id, uuid)
        const call = calls[at - (blocks.length - calls.length)]
        if (call.act.act === "shell" && random.between(0, 2) === 0) progress(call, uuid)
        if (step.between) result(call, uuid)
      }
      if (step.between) return
      for (const [at, call] of calls.entries()) {
        if (call.act.child !== undefined) tell(thread(true, 11_000), call.act.child)
        if (!step.unanswered?.includes(at)) result(call, lineOf.get(call.id))
      }
    }

    const progress = (/** @type {any} */ call, /** @type {string} */ uuid) => {
      const output = call.act.output.slice(0, 80)
      const data = {
        type: "bash_progress",
        output,
        fullOutput: output,
        elapsedTimeSeconds: 2,
        totalLines: output.split("\n").length
      }
      put(
        { type: "progress", data, toolUseID: `bash-progress-${lines.length}`, parentToolUseID: call.id },
        { parentUuid: uuid }
      )
    }

    const result = (/** @type {any} */ call, /** @type {string | undefined} */ from) => {
      const block = {
        tool_use_id: call.id,
        type: "tool_result",
        content: call.content,
        ...(call.act.failed && { is_error: true })
      }
      say([block], { toolUseResult: call.detail, sourceToolAssistantUUID: from })
    }

    return {
      put,
      say,
      answer,
      context,
      restart: () => {
        parent = null
      },
      lost: () => {
        parent = random.uuid()
      },
      tail: () => parent
    }
  }

  const tell = (/** @type {ReturnType<typeof thread>} */ to, /** @type {ReadonlyArray<Step>} */ told) => {
    for (const step of told) {
      if (step.step === "user") {
        const content = step.picture
          ? [
              { type: "text", text: step.text },
              { type: "image", source: { type: "base64", media_type: "image/png", data: PICTURE } }
            ]
          : step.text
        to.say(content, step.meta ? { isMeta: true } : TYPED)
      } else if (step.step === "ask") to.answer(step)
      else if (step.step === "apiError") apiError(to, step.text ?? "")
      else if (step.step === "interrupted")
        to.say([{ type: "text", text: "[Request interrupted by user for tool use]" }])
      else if (step.step === "compacted") compacted(to, step.text ?? "")
      else if (step.step === "turnEnd")
        to.put({ type: "system", subtype: "turn_duration", durationMs: random.between(9_000, 400_000), isMeta: false })
      else if (step.step === "dangling") to.lost()
      else if (step.step === "queued")
        lines.push({
          type: "queue-operation",
          operation: "enqueue",
          timestamp: tick(40, 900),
          sessionId: session,
          content: step.text
        })
      else snapshot()
    }
  }

  const snapshot = () => {
    const messageId = random.uuid()
    lines.push({
      type: "file-history-snapshot",
      messageId,
      snapshot: { messageId, trackedFileBackups: {}, timestamp: tick(40, 900) },
      isSnapshotUpdate: false
    })
  }

  const apiError = (/** @type {ReturnType<typeof thread>} */ to, /** @type {string} */ text) => {
    const usage = {
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      service_tier: null
    }
    const message = {
      id: random.uuid(),
      model: "<synthetic>",
      role: "assistant",
      stop_reason: "stop_sequence",
      stop_sequence: "",
      type: "message",
      usage
    }
    to.put({ message: { ...message, content: [{ type: "text", text }] }, type: "assistant", isApiErrorMessage: true })
  }

  const compacted = (/** @type {ReturnType<typeof thread>} */ to, /** @type {string} */ text) => {
    const logicalParentUuid = to.tail()
    to.restart()
    const compactMetadata = { trigger: "manual", preTokens: to.context.tokens() }
    to.put(
      {
        type: "system",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        isMeta: false,
        level: "info",
        compactMetadata
      },
      { logicalParentUuid }
    )
    to.context.restart()
    const words = `This session is being continued from a previous conversation that ran out of context. ${text}`
    to.say(words, { isVisibleInTranscriptOnly: true, isCompactSummary: true })
  }

  tell(thread(false, 20_000), steps)
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("")
}
