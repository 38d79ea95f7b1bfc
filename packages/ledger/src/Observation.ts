/**
 * An observation: what a tool or the model produced, as a facet of the entry that brought it. Decided once, when the
 * entry is admitted, and stored: a better classifier must not change an old request (law 7). What the user and the
 * system prompt said has no kind and is pinned (law 9).
 *
 * Rows IO-01 to IO-05. The wire strings and the labels are two vocabularies and stay apart (IO-03).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * The ten kinds, as they are stored: never renamed, case-sensitive, and anything else fails to decode (IO-01, IO-02).
 *
 * @since 0.1.0
 * @category models
 */
export const Kind = Schema.Literal(
  "read",
  "grep",
  "find",
  "write",
  "skill",
  "tool",
  "mcp",
  "child",
  "message",
  "error"
).annotations({ identifier: "Kind" })
/** @since 0.1.0 */
export type Kind = typeof Kind.Type

/**
 * The word a view shows for a kind (IO-03).
 *
 * @since 0.1.0
 * @category labels
 */
export const label = (kind: Kind): string => LABELS[kind]

/**
 * Whether the target of this kind is what the observation is *of*, so that a later one of the same target can replace
 * it. A tool's or an MCP tool's target is only the answerer's name: two calls are two answers (IO-04).
 *
 * @since 0.1.0
 * @category predicates
 */
export const isOfItsTarget = (kind: Kind): boolean => SUBJECT_KINDS.has(kind)

/**
 * How much of its subject an observation shows: all of it, or lines `from` to `to` (1-based, inclusive; `to` may be
 * `END`).
 *
 * @since 0.1.0
 * @category models
 */
export const Coverage = Schema.Union(
  Schema.TaggedStruct("All", {}),
  Schema.TaggedStruct("Lines", { from: Schema.Int.pipe(Schema.positive()), to: Schema.Int.pipe(Schema.positive()) })
)
/** @since 0.1.0 */
export type Coverage = typeof Coverage.Type

/**
 * The last line, where a reader asked for "the rest".
 *
 * @since 0.1.0
 * @category constants
 */
export const END = 2_147_483_647

/**
 * Kind, the target as it is shown, the canonical key of what it is of, how much of that, and which classifier said so.
 * `also` are further canonical keys of what it is of, as a link and the file that it leads to: giving its bytes back needs
 * leave for each of them (law 12).
 *
 * @since 0.1.0
 * @category models
 */
export const Observation = Schema.Struct({
  kind: Kind,
  target: Schema.optionalWith(Schema.String, { exact: true }),
  subject: Schema.optionalWith(Schema.String, { exact: true }),
  also: Schema.optionalWith(Schema.NonEmptyArray(Schema.String), { exact: true }),
  covers: Coverage,
  classifier: Schema.String
})
/** @since 0.1.0 */
export interface Observation extends Schema.Schema.Type<typeof Observation> {}

/**
 * Whether `later` shows at least what `earlier` shows: a partial read never supersedes a wider one (IO-04, mending
 * IO-W14).
 *
 * @since 0.1.0
 * @category predicates
 */
export const covers = (later: Coverage, earlier: Coverage): boolean =>
  later._tag === "All" || (earlier._tag === "Lines" && later.from <= earlier.from && later.to >= earlier.to)

/**
 * The ten kinds in their stored order.
 *
 * @since 0.1.0
 * @category constants
 */
export const KINDS: ReadonlyArray<Kind> = Kind.literals

const LABELS: Readonly<Record<Kind, string>> = {
  read: "read",
  grep: "grep",
  find: "find",
  write: "wrote",
  skill: "skill",
  tool: "tool",
  mcp: "mcp tool",
  child: "child",
  message: "note",
  error: "error"
}

const SUBJECT_KINDS: ReadonlySet<Kind> = new Set<Kind>(["read", "grep", "find", "write", "skill"])
