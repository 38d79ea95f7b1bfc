/**
 * Policy files: JSON or YAML, read strictly, with every fault at its line and column and by its path:
 *
 *     policy.yaml:7:9: layers[0].rules[3].ruling: expected "allow" or "ask" or "deny", got "warn"
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { decode } from "@palimpsest/policy/Document"
import type { Policy } from "@palimpsest/policy/Policy"
import * as Documents from "./Documents.ts"
import { unusable, type Failure } from "./Failure.ts"

/** The policy of a file. */
export const load = (file: string): Effect.Effect<Policy, Failure> =>
  Effect.flatMap(Documents.loadDocument(file), decoded)

/** The policy of a file's text. */
export const read = (file: string, text: string): Effect.Effect<Policy, Failure> =>
  Effect.flatMap(Documents.parse(file, text), decoded)

const decoded = (document: Documents.Document): Effect.Effect<Policy, Failure> =>
  Either.mapLeft(decode(document.value), ({ faults }) => unusable(Documents.told(document, faults)))
