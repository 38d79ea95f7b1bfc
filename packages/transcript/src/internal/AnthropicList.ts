/**
 * A list of Anthropic messages. A message of the system may stand between the others.
 */
import type { Role } from "@palimpsest/ledger/Part"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Decoder } from "../Decoder.ts"
import * as AnthropicBlocks from "./AnthropicBlocks.ts"
import * as Bodies from "./Bodies.ts"
import { listOf, objectOf } from "./Json.ts"
import * as ListRun from "./ListRun.ts"

export const make = (hash: Hasher): Decoder => {
  const bodiesIn = Bodies.make(hash)
  return ListRun.document((record, value) => ({
    role: ROLES.find((role) => role === value["role"]),
    parts: AnthropicBlocks.parts(bodiesIn(record.digest), "/content", value["content"]),
    argsOf: (path) => objectOf(listOf(value["content"])[Number(path.slice("/content/".length))])["input"]
  }))
}

const ROLES: ReadonlyArray<Role> = ["user", "assistant", "system"]
