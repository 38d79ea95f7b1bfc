/**
 * Anthropic content as parts, for every format that carries it. A block of a type that is not known here is `Opaque`:
 * kept and sent as it came (law 14). Empty text is no part, as no provider takes it.
 */
import type { Body } from "@palimpsest/ledger/Body"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Part } from "@palimpsest/ledger/Part"
import type { Bodies } from "./Bodies.ts"
import { isObject, label, objectOf, stringOf, wellFormed, type Json } from "./Json.ts"

/** A part, and the JSON pointer of the block (or of the string) that it is. */
export interface Placed {
  readonly path: string
  readonly part: Part
}

/** The parts of a message's content, `path` being where the content lies in its record. */
export const parts = (bodies: Bodies, path: string, content: unknown): ReadonlyArray<Placed> => {
  if (typeof content === "string") return content === "" ? [] : [{ path, part: textPart(bodies.text(path, content)) }]
  if (!Array.isArray(content)) return []
  return content.flatMap((block: unknown, index) => {
    const at = `${path}/${index}`
    if (isObject(block) && block["type"] === "text" && block["text"] === "") return []
    return [{ path: at, part: (isObject(block) ? known(bodies, at, block) : undefined) ?? opaque(bodies, at, block) }]
  })
}

/** The blocks of a result: a string is one, a list one per member, and no content one empty one. */
export const resultBlocks = (bodies: Bodies, path: string, content: unknown): readonly [Body, ...Array<Body>] => {
  if (typeof content === "string" && content !== "") return [bodies.text(path, content)]
  if (content === undefined || content === null || content === "") return [bodies.empty]
  if (!Array.isArray(content)) return [bodies.json(path, content)]
  const [first, ...rest] = content.map((block: unknown, index) => resultBlock(bodies, `${path}/${index}`, block))
  return first === undefined ? [bodies.empty] : [first, ...rest]
}

const resultBlock = (bodies: Bodies, path: string, block: unknown): Body => {
  if (!isObject(block)) return bodies.json(path, block)
  if (block["type"] === "text" && typeof block["text"] === "string") return bodies.text(`${path}/text`, block["text"])
  return media(bodies, path, block) ?? bodies.json(path, block)
}

const known = (bodies: Bodies, path: string, block: Json): Part | undefined => {
  const { id, input, name, signature, text, thinking, tool_use_id: answered } = block
  switch (block["type"]) {
    case "text":
      return typeof text === "string" ? textPart(bodies.text(`${path}/text`, text)) : undefined
    case "tool_use": {
      if (typeof id !== "string" || typeof name !== "string" || input === undefined) return undefined
      return { _tag: "Call", call: wellFormed(id), name: wellFormed(name), args: bodies.json(`${path}/input`, input) }
    }
    case "tool_result": {
      if (typeof answered !== "string") return undefined
      const blocks = resultBlocks(bodies, `${path}/content`, block["content"])
      return { _tag: "Result", call: wellFormed(answered), status: block["is_error"] === true ? "error" : "ok", blocks }
    }
    case "thinking": {
      if (typeof thinking !== "string") return undefined
      const body = bodies.text(`${path}/thinking`, thinking)
      return { _tag: "Reasoning", body, signature: scalarsOf(stringOf(signature)) }
    }
    case "redacted_thinking": {
      const data = block["data"]
      if (typeof data !== "string") return undefined
      return { _tag: "Reasoning", body: bodies.text(`${path}/data`, data), signature: 0 }
    }
    default: {
      const body = media(bodies, path, block)
      return body === undefined ? undefined : { _tag: "Media", body }
    }
  }
}

const media = (bodies: Bodies, path: string, block: Json): Body | undefined => {
  if (block["type"] !== "image" && block["type"] !== "document") return undefined
  const { data, media_type: type, type: kind } = objectOf(block["source"])
  if (kind !== "base64" || typeof data !== "string" || typeof type !== "string") return undefined
  return bodies.bytes(`${path}/source/data`, data, type)
}

const opaque = (bodies: Bodies, path: string, block: unknown): Part => {
  const type = label(isObject(block) ? block["type"] : typeof block)
  return { _tag: "Opaque", type: type === "" ? "block" : type, body: bodies.json(path, block) }
}

const textPart = (body: Body): Part => ({ _tag: "Text", body })
