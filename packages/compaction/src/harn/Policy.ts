/**
 * What a compaction is told beyond its own instructions (HA-24): words of a person or a host that extend or replace the
 * default instructions of the summariser, and which of them the model sees afterwards.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * How the words of a policy and the default ones go together.
 *
 * @since 0.1.0
 * @category models
 */
export const InstructionMode = Schema.Literal("default", "extend", "replace")
/** @since 0.1.0 */
export type InstructionMode = typeof InstructionMode.Type

const texts = Schema.optionalWith(Schema.Array(Schema.String), { default: () => [], exact: true })
const text = Schema.optionalWith(Schema.String, { exact: true })

/**
 * `scope` says where the directives go; in three of them they are appended to the summary as well.
 *
 * @since 0.1.0
 * @category models
 */
export const CompactionPolicy = Schema.Struct({
  instructions: text,
  mode: Schema.optionalWith(InstructionMode, { exact: true }),
  scope: Schema.optionalWith(Schema.Literal("prompt", "model_visible", "summary", "transcript"), { exact: true }),
  preserve: texts,
  drop: texts,
  extendDefaultInstructions: Schema.optionalWith(Schema.Boolean, { exact: true }).pipe(
    Schema.fromKey("extend_default_instructions")
  ),
  author: text
})
/** @since 0.1.0 */
export interface CompactionPolicy extends Schema.Schema.Type<typeof CompactionPolicy> {}

/**
 * A policy that says nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const NO_POLICY: CompactionPolicy = { preserve: [], drop: [] }

/**
 * The mode in force: without directives the default; else what is named; else the two settings, and extension where
 * neither is set.
 *
 * @since 0.1.0
 * @category accessors
 */
export const modeOf = (policy: CompactionPolicy): InstructionMode => {
  if (directivesOf(policy) === "") return "default"
  return policy.mode ?? (policy.extendDefaultInstructions === false ? "replace" : "extend")
}

/**
 * The directives as lines; empty where there are none.
 *
 * @since 0.1.0
 * @category rendering
 */
export const directivesOf = ({ instructions, preserve, drop }: CompactionPolicy): string =>
  [
    ...(instructions === undefined || instructions.trim() === "" ? [] : [instructions]),
    ...preserve.map((item) => `Preserve: ${item}`),
    ...drop.map((item) => `Drop: ${item}`)
  ].join("\n")

/**
 * What of a policy the model sees below the summary; undefined where it sees nothing.
 *
 * @since 0.1.0
 * @category rendering
 */
export const visibleOf = (policy: CompactionPolicy): string | undefined => {
  const directives = directivesOf(policy)
  if (directives === "" || policy.scope === undefined || policy.scope === "prompt") return undefined
  const by = policy.author === undefined ? "" : `\n(by ${policy.author})`
  return `[compaction instructions]\n${directives}${by}`
}
