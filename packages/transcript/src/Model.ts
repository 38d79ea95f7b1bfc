/**
 * The model that a source was recorded with, where it says so: providers bind reasoning by model (law 8).
 *
 * @since 0.1.0
 */
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import type { Format } from "./Format.ts"
import { isObject, objectOf, parse, stringOf } from "./internal/Json.ts"
import { split } from "./Records.ts"

/**
 * The first model that a source names: of an agent's session, in the first answer of a model; of a document, in its
 * member `model`. A name in angle brackets, as an agent gives to what it says itself, is none.
 *
 * @since 0.1.0
 * @category accessors
 */
export const modelOf = (format: Format, bytes: Uint8Array): string | undefined => {
  if (format !== "claude-code") {
    const whole = bytes.length > LARGEST ? undefined : parse(decodeUtf8(bytes))
    return isObject(whole) ? named(whole["model"]) : undefined
  }
  for (const record of split(format, bytes).records) {
    const line = parse(decodeUtf8(record.bytes))
    const model = isObject(line) && line["type"] === "assistant" ? named(objectOf(line["message"])["model"]) : undefined
    if (model !== undefined) return model
  }
  return undefined
}

const named = (value: unknown): string | undefined => {
  const name = stringOf(value)
  return name === "" || name.startsWith("<") ? undefined : name
}

/** A document is parsed for its model only up to this size (bytes). */
const LARGEST = 64 << 20
