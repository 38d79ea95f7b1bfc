/**
 * Claude Code's session lines. The order is the file's, not the chain's: the ancestors of a line miss the results of
 * parallel calls. One answer of the model is several lines with one `message.id`, perhaps with results between them, so
 * that id is the message's key and the key alone groups. The chain only tells to which side chain, or to which branch, a
 * line belongs.
 *
 * A progress line of a sub-agent holds one whole message of it. No model of the main run saw the line, so it is laid aside
 * there as it came (law 2), and its message enters the agent's own run, by the place that it has in the line.
 */
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { parseRecord } from "@palimpsest/ledger/Resolve"
import type { Role } from "@palimpsest/ledger/Part"
import type { Decoder, Input } from "../Decoder.ts"
import type { Move } from "../Move.ts"
import { keyOfRun } from "./AgentName.ts"
import * as AnthropicBlocks from "./AnthropicBlocks.ts"
import * as Bodies from "./Bodies.ts"
import * as Branches from "./Branches.ts"
import * as Calls from "./Calls.ts"
import { isObject, label, objectOf, stringOf, stringsOf, wellFormed, type Json } from "./Json.ts"
import * as Runs from "./Runs.ts"

export const make = (hash: Hasher): Decoder => {
  const bodiesIn = Bodies.make(hash)
  const calls = Calls.make()
  const runs = Runs.make()
  const branches = Branches.make()
  let root: string | undefined
  /** The history that a compaction kept, until the line behind which it stands has come. */
  let kept: { readonly anchor: string; readonly keys: ReadonlyArray<string> } | undefined

  const next = (record: Input): ReadonlyArray<Move> => {
    const value = parseRecord(record.digest, record.bytes)
    if (!isObject(value)) return aside(runs.main, "", isBlank(record.bytes) ? "blank" : "malformed")
    const at = wellFormed(stringOf(value["timestamp"]) || stringOf(objectOf(value["snapshot"])["timestamp"]))
    const run = runs.of(value)
    const type = asideType(value)
    if (type === undefined) return message(record, value, run, at)
    branches.passed(value)
    const moves = aside(run, at, type)
    if (type === AGENT_PROGRESS) return [...moves, ...progress(record, value, at)]
    if (value["type"] !== "system") return moves
    if (value["subtype"] === "compact_boundary") return [...moves, ...compacted(value, run, at)]
    if (value["subtype"] === "microcompact_boundary") return [...moves, ...cleared(value, run, at)]
    return moves
  }

  const aside = (run: Runs.Run, at: string, type: string): ReadonlyArray<Move> => [
    ...runs.open(run, at, ""),
    { _tag: "Aside", run: run.key, at, type }
  ]

  const message = (record: Input, line: Json, run: Runs.Run, at: string): ReadonlyArray<Move> => {
    const { content } = objectOf(line["message"])
    const parts = AnthropicBlocks.parts(bodiesIn(record.digest), "/message/content", content)
    if (parts.length === 0) {
      branches.passed(line)
      return aside(run, at, label(line["type"], "empty"))
    }
    const uuid = stringOf(line["uuid"])
    const key = keyOf(record, line)
    const moves: Array<Move> = [...runs.open(run, at, firstText(content))]
    const waited = run.key === "main" ? kept : undefined
    if (waited !== undefined) kept = undefined
    if (waited !== undefined && waited.anchor !== uuid) moves.push(compaction(waited.keys, run, at))
    const fork = run.key === "main" ? branches.entered(line, key, answersOnly(parts)) : undefined
    if (fork !== undefined) moves.push({ _tag: "Restarted", run: run.key, at, why: "fork", keeps: fork })
    moves.push(...said(record, line, run, at, parts))
    if (waited !== undefined && waited.anchor === uuid) moves.push(compaction([key, ...waited.keys], run, at))
    return moves
  }

  /** A message of a sub-agent, whole inside a line of the run that waits for it. */
  const progress = (record: Input, line: Json, at: string): ReadonlyArray<Move> => {
    const data = objectOf(line["data"])
    const call = stringOf(line["parentToolUseID"])
    const agent = stringOf(data["agentId"]) || call
    const inner: Json = { cwd: line["cwd"], ...objectOf(data["message"]) }
    if (agent === "" || asideType(inner) !== undefined) return []
    const { content } = objectOf(inner["message"])
    const parts = AnthropicBlocks.parts(bodiesIn(record.digest), "/data/message/message/content", content)
    const run = runs.ofAgent(agent, keyOfRun(hash, agent))
    if (parts.length === 0 || runs.isKnown(run, stringOf(inner["uuid"]))) return []
    const then = wellFormed(stringOf(inner["timestamp"])) || at
    const begun = runs.open(run, then, firstText(content), call === "" ? undefined : wellFormed(call))
    return [...begun, ...said(record, inner, run, then, parts)]
  }

  const keyOf = (record: Input, line: Json): string => {
    const { id } = objectOf(line["message"])
    const own = line["type"] === "assistant" ? stringOf(id) : ""
    return wellFormed(own || stringOf(line["uuid"]) || `line-${record.line}`)
  }

  /** The parts of one message, with the request that it answers and what that took. */
  const said = (
    record: Input,
    line: Json,
    run: Runs.Run,
    at: string,
    parts: ReadonlyArray<AnthropicBlocks.Placed>
  ): ReadonlyArray<Move> => {
    const { content, usage } = objectOf(line["message"])
    const isAnswer = line["type"] === "assistant"
    const key = keyOf(record, line)
    const moves: Array<Move> = []
    if (isAnswer && runs.isNew(run, key)) moves.push({ _tag: "Prompted", run: run.key, at })
    for (const { part, path } of parts) {
      const role: Role = isAnswer ? "assistant" : part._tag === "Result" ? "tool" : "user"
      if (part._tag === "Call") saw(line, part.call, part.name, blockInput(content, path))
      const observation = calls.observe(role, part)
      const origin = { _tag: "Read", line: record.line, record: record.digest, path } as const
      const entry = { message: key, role, part, ...(observation === undefined ? {} : { observation }), origin }
      moves.push({ _tag: "Entered", run: run.key, at, entry })
    }
    if (isAnswer && isObject(usage) && runs.isNews(run, key, usage)) {
      moves.push({ _tag: "Reported", run: run.key, at, usage })
    }
    return moves
  }

  const saw = (line: Json, call: string, name: string, args: unknown): void => {
    const cwd = stringOf(line["cwd"])
    if (cwd !== "") root ??= cwd
    calls.saw(call, { name, args, ...(cwd === "" || root === undefined ? {} : { where: { cwd, root } }) })
    runs.called(call, name, args)
  }

  const compaction = (keeps: ReadonlyArray<string>, run: Runs.Run, at: string): Move => {
    branches.restarted(keeps)
    return { _tag: "Restarted", run: run.key, at, why: "client-compaction", keeps }
  }

  /**
   * What is kept is named by lines, and stands behind the line that is named as its anchor: the boundary itself, or the
   * summary that comes next. In that case the history begins anew when the summary has come, with it first.
   */
  const compacted = (line: Json, run: Runs.Run, at: string): ReadonlyArray<Move> => {
    const { anchorUuid, uuids } = objectOf(objectOf(line["compactMetadata"])["preservedMessages"])
    const keys = branches.keysOf(stringsOf(uuids))
    const anchor = stringOf(anchorUuid)
    const waits = run.key === "main" && keys.length > 0 && anchor !== "" && anchor !== line["uuid"]
    kept = waits ? { anchor, keys } : undefined
    return waits ? [] : [compaction(keys, run, at)]
  }

  const cleared = (line: Json, run: Runs.Run, at: string): ReadonlyArray<Move> => {
    const ids = stringsOf(objectOf(line["microcompactMetadata"])["compactedToolIds"]).map(wellFormed)
    return ids.length === 0 ? [] : [{ _tag: "Cleared", run: run.key, at, calls: ids, put: CLEARED }]
  }

  return { next }
}

/** The words that the client puts in the place of a result that it blanked. */
const CLEARED = "[Old tool result content cleared]"

/** The type of the lines that hold a sub-agent's messages. */
const AGENT_PROGRESS = "progress/agent_progress"

/** The type under which a line is laid aside; undefined for a line whose message a model saw. */
const asideType = (line: Json): string | undefined => {
  const type = line["type"]
  const message = line["message"]
  if (type !== "user" && type !== "assistant") return label(type, subtype(line)) || "unknown"
  if (!isObject(message)) return label(type, "without-message")
  if (type === "assistant") {
    return line["isApiErrorMessage"] === true || message["model"] === "<synthetic>" ? "api-error" : undefined
  }
  const isForEyesOnly = line["isVisibleInTranscriptOnly"] === true && line["isCompactSummary"] !== true
  return isForEyesOnly ? "user/transcript-only" : undefined
}

const subtype = (line: Json): unknown => {
  switch (line["type"]) {
    case "progress":
      return objectOf(line["data"])["type"]
    case "attachment":
      return objectOf(line["attachment"])["type"]
    case "queue-operation":
      return line["operation"]
    default:
      return line["subtype"]
  }
}

const firstText = (content: unknown): string => {
  if (typeof content === "string") return content
  const block: unknown = Array.isArray(content) ? content.find((b) => objectOf(b)["type"] === "text") : undefined
  return stringOf(objectOf(block)["text"])
}

const answersOnly = (parts: ReadonlyArray<AnthropicBlocks.Placed>): ReadonlyArray<string> | undefined => {
  const answered = parts.flatMap(({ part }) => (part._tag === "Result" ? [part.call] : []))
  return answered.length === 0 ? undefined : answered
}

const blockInput = (content: unknown, path: string): unknown => {
  const index = Number(path.slice(path.lastIndexOf("/") + 1))
  return Array.isArray(content) ? objectOf(content[index])["input"] : undefined
}

const isBlank = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a)
