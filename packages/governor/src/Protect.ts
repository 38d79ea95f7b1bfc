/**
 * Protection: what a configuration keeps in the view, by the name of the tool that gave it or the path that it is of. Both
 * are patterns as policies have them (`*` and `?`), of a whole name or path, or of a path's base name. What is protected is
 * neither bounded nor elided: the call and its result alike (law 8). A malformed pattern is an error where the configuration
 * is read (law 14). No text is read for it (law 15).
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { IsPinned } from "@palimpsest/compaction/Balanced"
import type { Transcript } from "@palimpsest/compaction/Transcript"
import type { Observation } from "@palimpsest/ledger/Observation"
import type { Act } from "@palimpsest/policy/Act"
import * as Pattern from "@palimpsest/policy/Pattern"
import * as Target from "@palimpsest/policy/Target"

const patternOf = (act: Act) => Schema.String.pipe(Schema.filter((text) => Pattern.faultOf(act, text) ?? true))

/**
 * Patterns of tools, and of paths.
 *
 * @since 0.1.0
 * @category models
 */
export const Protect = Schema.Struct({
  tools: Schema.Array(patternOf("exec")),
  paths: Schema.Array(patternOf("read"))
})
/** @since 0.1.0 */
export interface Protect extends Schema.Schema.Type<typeof Protect> {}

/**
 * Whether an entry of a view is protected.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isProtected = ({ paths, tools }: Protect, view: Transcript): IsPinned => {
  const byName = compiled("exec", tools)
  const byPath = compiled("read", paths)
  const calls = new Set<string>()
  for (const { items } of view.messages) {
    for (const item of items) {
      if (item._tag !== "Entry") continue
      const { observation, part } = item.entered
      if (part._tag === "Call" && byName.some((pattern) => Pattern.matches(pattern, part.name))) calls.add(part.call)
      if (part._tag !== "Result" || byPath.length === 0) continue
      const of = pathsOf(observation)
      if (byPath.some((pattern) => of.some((path) => Pattern.matches(pattern, path)))) calls.add(part.call)
    }
  }
  return ({ entered: { part } }) => (part._tag === "Call" || part._tag === "Result") && calls.has(part.call)
}

const compiled = (act: Act, texts: ReadonlyArray<string>): ReadonlyArray<Pattern.Pattern> =>
  texts.flatMap((text) => Either.match(Pattern.parse(act, text), { onLeft: () => [], onRight: (one) => [one] }))

/** The names that a file is known by here, whole and by base name; what is of no file has none. */
const pathsOf = (observation: Observation | undefined): ReadonlyArray<string> => {
  if (observation === undefined || !FILE_KINDS.has(observation.kind)) return []
  const { subject, target } = observation
  const names = [target, subject?.startsWith(FILE) === true ? subject.slice(FILE.length) : undefined]
  return names.flatMap((name) => {
    if (name === undefined) return []
    const path = Target.canonical("read", name)
    const base = Target.basename(path)
    return base === undefined ? [path] : [path, base]
  })
}

const FILE = "file:"
const FILE_KINDS: ReadonlySet<Observation["kind"]> = new Set(["read", "write", "error"])
