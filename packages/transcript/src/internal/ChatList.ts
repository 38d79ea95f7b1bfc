/**
 * OpenAI chat messages: a list of them, or rows that hold a list each. A message has no id; its place in the list is its
 * key, as lists only grow at their end.
 */
import type { Body } from "@palimpsest/ledger/Body"
import type { Part, Role } from "@palimpsest/ledger/Part"
import { parseRecord } from "@palimpsest/ledger/Resolve"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Decoder, Input } from "../Decoder.ts"
import type { Move } from "../Move.ts"
import type { Placed } from "./AnthropicBlocks.ts"
import * as Bodies from "./Bodies.ts"
import * as Calls from "./Calls.ts"
import { isObject, label, listOf, objectOf, parse, stringOf, wellFormed, type Json } from "./Json.ts"
import * as ListRun from "./ListRun.ts"

/** One list: its first record is the head of the document, every other one a message of `main`. */
export const makeList = (hash: Hasher): Decoder => {
  const bodiesIn = Bodies.make(hash)
  return ListRun.document((record, value) => {
    const bodies = bodiesIn(record.digest)
    return { role: roleOf(value["role"]), parts: parts(bodies, "", value), argsOf: (path) => argsAt(value, "", path) }
  })
}

/** Rows: every record that holds a list of messages is a run of its own. */
export const makeRows = (hash: Hasher): Decoder => {
  const bodiesIn = Bodies.make(hash)
  let rows = 0
  let opened = ""
  const open = (run: string): Array<Move> => {
    if (opened === run) return []
    opened = run
    return [{ _tag: "Opened", run, at: "" }]
  }
  const next = (record: Input): ReadonlyArray<Move> => {
    const value = parseRecord(record.digest, record.bytes)
    const list = isObject(value) ? LISTS.find((key) => Array.isArray(value[key])) : undefined
    if (!isObject(value) || list === undefined) {
      // A record that is no row is named in the run of the row before it.
      const run = `row-${Math.max(rows, 1)}`
      return [...open(run), { _tag: "Aside", run, at: "", type: ListRun.typeOf(record) }]
    }
    const run = `row-${++rows}`
    const bodies = bodiesIn(record.digest)
    const calls = Calls.make()
    const entries = listOf(value[list]).flatMap((message, index) => {
      if (!isObject(message)) return []
      const root = `/${list}/${index}`
      const content = { role: roleOf(message["role"]), parts: parts(bodies, root, message) }
      const argsOf = (path: string) => argsAt(message, root, path)
      return ListRun.entries(record, run, `m${index}`, calls, { ...content, argsOf })
    })
    return [
      ...open(run),
      ...(entries.length > 0 ? entries : [{ _tag: "Aside", run, at: "", type: "row/empty" } as const])
    ]
  }
  return { next }
}

const LISTS = ["messages", "traj"] as const

const roleOf = (role: unknown): Role | undefined => {
  switch (role) {
    case "system":
    case "developer":
      return "system"
    case "user":
    case "assistant":
      return role
    case "tool":
    case "function":
      return "tool"
    default:
      return undefined
  }
}

/** The parts of a message whose element lies at `root` in its record. */
const parts = (bodies: Bodies.Bodies, root: string, message: Json): ReadonlyArray<Placed> => {
  const { content, reasoning_content: reasoning, tool_call_id: answered } = message
  if (message["role"] === "tool" && typeof answered === "string") {
    const path = content === undefined ? root : `${root}/content`
    const blocks = resultBlocks(bodies, `${root}/content`, content)
    return [{ path, part: { _tag: "Result", call: wellFormed(answered), status: "ok", blocks } }]
  }
  const found: Array<Placed> = []
  if (typeof reasoning === "string" && reasoning !== "") {
    const path = `${root}/reasoning_content`
    found.push({ path, part: { _tag: "Reasoning", body: bodies.text(path, reasoning), signature: 0 } })
  }
  found.push(...contentParts(bodies, `${root}/content`, content))
  listOf(message["tool_calls"]).forEach((call, index) =>
    found.push(callPart(bodies, `${root}/tool_calls/${index}`, call))
  )
  for (const key of ["function_call", "refusal", "audio"]) {
    const path = `${root}/${key}`
    if (isObject(message[key]) || (typeof message[key] === "string" && message[key] !== "")) {
      found.push({ path, part: { _tag: "Opaque", type: key, body: bodies.json(path, message[key]) } })
    }
  }
  // The whole message is sent as it came, so an empty text that is all of it is a part of it.
  if (found.length === 0 && content === "") found.push({ path: `${root}/content`, part: textPart(bodies, root) })
  return found
}

const textPart = (bodies: Bodies.Bodies, root: string): Part => ({
  _tag: "Text",
  body: bodies.text(`${root}/content`, "")
})

const contentParts = (bodies: Bodies.Bodies, path: string, content: unknown): ReadonlyArray<Placed> => {
  if (typeof content === "string") {
    return content === "" ? [] : [{ path, part: { _tag: "Text", body: bodies.text(path, content) } }]
  }
  return listOf(content).map((block, index): Placed => {
    const at = `${path}/${index}`
    const { text, type } = objectOf(block)
    if (type === "text" && typeof text === "string") {
      return { path: at, part: { _tag: "Text", body: bodies.text(`${at}/text`, text) } }
    }
    return { path: at, part: { _tag: "Opaque", type: label(type) || "block", body: bodies.json(at, block) } }
  })
}

const resultBlocks = (bodies: Bodies.Bodies, path: string, content: unknown): readonly [Body, ...Array<Body>] => {
  if (typeof content === "string" && content !== "") return [bodies.text(path, content)]
  if (content === undefined || content === null || content === "") return [bodies.empty]
  if (!Array.isArray(content)) return [bodies.json(path, content)]
  const [first, ...rest] = contentParts(bodies, path, content).flatMap(({ part }) =>
    "body" in part ? [part.body] : []
  )
  return first === undefined ? [bodies.empty] : [first, ...rest]
}

const callPart = (bodies: Bodies.Bodies, path: string, call: unknown): Placed => {
  const { id } = objectOf(call)
  const { arguments: args, name } = objectOf(objectOf(call)["function"])
  if (typeof id !== "string" || typeof name !== "string" || args === undefined) {
    return {
      path,
      part: { _tag: "Opaque", type: label("tool_call", objectOf(call)["type"]), body: bodies.json(path, call) }
    }
  }
  const at = `${path}/function/arguments`
  const body = typeof args === "string" ? bodies.parsed(at, args) : bodies.json(at, args)
  return { path, part: { _tag: "Call", call: wellFormed(id), name: wellFormed(name), args: body } }
}

const argsAt = (message: Json, root: string, path: string): unknown => {
  const index = Number(path.slice(`${root}/tool_calls/`.length))
  const args = objectOf(objectOf(listOf(message["tool_calls"])[index])["function"])["arguments"]
  return typeof args === "string" ? (parse(args) ?? stringOf(args)) : args
}
