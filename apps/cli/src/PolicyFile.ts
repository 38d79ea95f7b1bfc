/**
 * Policy files: JSON, read strictly, with every fault at its line and column and by its path:
 *
 *     policy.json:7:9: layers[0].rules[3].ruling: expected "allow" or "ask" or "deny", got "warn"
 */
import * as Either from "effect/Either"
import { decode } from "@palimpsest/policy/Document"
import type { Policy } from "@palimpsest/policy/Policy"
import * as JsonText from "./JsonText.ts"

/** The policy of a file's text, or its faults in words, one a line, in the order in which they stand. */
export const read = (file: string, text: string): Either.Either<Policy, string> => {
  const parsed = JsonText.parse(text)
  if (Either.isLeft(parsed)) {
    const { column, line, why } = parsed.left
    return Either.left(`${file}:${line}:${column}: not JSON (${why})`)
  }
  const { placeOf, value } = parsed.right
  return Either.mapLeft(decode(value), ({ faults }) =>
    faults
      .map(({ keys, path, why }) => ({ ...placeOf(keys), said: path === "" ? why : `${path}: ${why}` }))
      .sort((a, b) => a.line - b.line || a.column - b.column)
      .map(({ column, line, said }) => `${file}:${line}:${column}: ${said}`)
      .join("\n")
  )
}
