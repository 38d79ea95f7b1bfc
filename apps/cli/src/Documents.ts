/**
 * Documents that a person wrote: JSON or YAML, by the end of the file's name, with the place of each part, so that whoever
 * decodes one names its faults by line and column:
 *
 *     file ─┬─ *.yaml, *.yml ─> yaml 1.2, core schema ─┐
 *           └─ any other ─────> JSON ──────────────────┴─> {value, placeOf, lineOf} ─> a strict decoder ─> faults
 *
 * What YAML would let pass in silence is refused, as with JSON: a key that stands twice or is no text, a second document, a
 * tag that is not known, an alias of nothing or of itself, and more aliases than a person writes. Law 14.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { readFile } from "node:fs/promises"
import { unusable, type Failure } from "./Failure.ts"
import * as JsonText from "./JsonText.ts"

/** A parsed document: its value, and where the part begins that keys lead to, or the nearest one around it. */
export interface Document extends JsonText.Parsed {
  readonly file: string
  /** The line of that place, from 1. */
  readonly lineOf: (keys: ReadonlyArray<PropertyKey>) => number
}

/** A fault that a decoder found, by its keys from the root down. */
export interface Fault {
  readonly keys: ReadonlyArray<PropertyKey>
  readonly path: string
  readonly why: string
}

/** Reads and parses a document; what is wrong with it is told with the file's name and, where it has one, its place. */
export const loadDocument = (file: string): Effect.Effect<Document, Failure> =>
  Effect.flatMap(bytes(file), (content) =>
    Effect.flatMap(
      Effect.try({
        try: () => new TextDecoder("utf-8", { fatal: true }).decode(content),
        catch: () => unusable(`${file}: not ${formatOf(file)} (it is not UTF-8)`)
      }),
      (text) => parse(file, text)
    )
  )

/** Parses the text of a document, as the end of its file's name says. */
export const parse = (file: string, text: string): Effect.Effect<Document, Failure> =>
  Effect.flatMap(
    // Only who has a YAML file pays for its parser.
    formatOf(file) === "YAML"
      ? Effect.map(
          Effect.promise(() => import("./YamlText.ts")),
          (YamlText) => YamlText.parse(text)
        )
      : Effect.succeed(JsonText.parse(text)),
    Either.match({
      onLeft: ({ column, line, why }) =>
        Effect.fail(unusable(`${file}:${line}:${column}: not ${formatOf(file)} (${why})`)),
      onRight: (parsed) => Effect.succeed({ ...parsed, file, lineOf: (keys) => parsed.placeOf(keys).line })
    })
  )

/** The faults of a document in words, one a line, in the order in which they stand in the file. */
export const told = ({ file, placeOf }: Document, faults: ReadonlyArray<Fault>): string =>
  faults
    .map(({ keys, path, why }) => ({ ...placeOf(keys), said: path === "" ? why : `${path}: ${why}` }))
    .sort((a, b) => a.line - b.line || a.column - b.column)
    .map(({ column, line, said }) => `${file}:${line}:${column}: ${said}`)
    .join("\n")

/** The bytes of a file that a command was given. */
export const bytes = (file: string): Effect.Effect<Uint8Array, Failure> =>
  Effect.tryPromise({ try: () => readFile(file), catch: (cause) => unusable(`${file}: ${reasonOf(cause)}`) })

/** Why a file could not be read, in words. */
export const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  if (code === "ENOENT") return "no such file"
  if (code === "EISDIR") return "it is a folder; expected a file"
  if (code === "EACCES") return "it may not be read"
  return cause instanceof Error ? cause.message : String(cause)
}

const formatOf = (file: string): "JSON" | "YAML" => (/\.ya?ml$/i.test(file) ? "YAML" : "JSON")
