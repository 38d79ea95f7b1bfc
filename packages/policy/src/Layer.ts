/**
 * Rules and the layers that hold them.
 *
 * A *granting* layer is what an author writes: its rules may answer anything. A *narrowing* layer is what containment
 * makes of a child's `ask` rules: it has no `allow`, and what it says can raise the answer of the other layers but never
 * lower it, not even where that answer is a default. A layer that narrows and allows cannot be written.
 *
 * Laws kept here: 13 (narrowing), 14 (unknown keys, acts and rulings, and malformed patterns, do not decode).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Act } from "./Act.ts"
import { optional, strict } from "./internal/strict.ts"
import * as Pattern from "./Pattern.ts"
import { Ruling } from "./Ruling.ts"

/**
 * @since 0.1.0
 * @category schemas
 */
export const Rule = Schema.Struct({ act: Act, ruling: Ruling, pattern: Schema.String })
  .annotations(strict)
  .pipe(
    Schema.filter((rule) => {
      const message = Pattern.faultOf(rule.act, rule.pattern)
      return message === undefined ? undefined : { path: ["pattern"], message }
    })
  )

/**
 * What one pattern says about one act. Source: IO-37.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rule<R extends Ruling = Ruling> {
  readonly act: Act
  readonly ruling: R
  readonly pattern: string
}

/**
 * @since 0.1.0
 * @category models
 */
export type Layer = Granting | Narrowing

/**
 * @since 0.1.0
 * @category models
 */
export interface Granting {
  readonly name: string
  readonly rules: ReadonlyArray<Rule>
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Narrowing {
  readonly name: string
  readonly narrowing: true
  readonly rules: ReadonlyArray<Rule<"ask" | "deny">>
}

/**
 * JSON: `{name, rules: [{act, ruling, pattern}]}`, with `narrowing: true` on a narrowing layer.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Layer: Schema.Schema<Layer> = Schema.Struct({
  name: Schema.String,
  narrowing: optional(Schema.Literal(true)),
  rules: Schema.Array(Rule)
})
  .annotations(strict)
  .pipe(
    Schema.filter(
      (layer): layer is Layer => layer.narrowing !== true || layer.rules.every(({ ruling }) => ruling !== "allow"),
      { message: () => "a narrowing layer allows nothing" }
    )
  )

/**
 * Whether a layer can only narrow.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isNarrowing = (layer: Layer): layer is Narrowing => "narrowing" in layer
