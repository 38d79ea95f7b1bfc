/**
 * Law 14, of accounts: every fact that an account makes decodes again exactly, and not with an unknown key or kind, a part
 * missing or a value that is none.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { ours, type AccountImplementation } from "./AccountImplementation.ts"
import { script } from "./account/Script.ts"
import { play } from "./account/Simulation.ts"
import { text } from "./account/Text.ts"
import type { Law } from "./Law.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const strictness: Law<AccountImplementation> = {
  number: 14,
  name: "a fact decodes as it was made, and not spoilt",
  property: ({ decodeFact }) =>
    FastCheck.property(script, FastCheck.nat(), (script, pick) =>
      play(ours, script).facts.every((fact) => {
        const json: { readonly [key: string]: unknown } = JSON.parse(JSON.stringify(fact))
        const decoded = decodeFact(json)
        if (Either.isLeft(decoded) || text(decoded.right) !== text(fact)) return false
        const keys = Object.keys(json)
        const key = keys[pick % keys.length] ?? "time"
        const { [key]: _, ...less } = json
        return [less, { ...json, extra: 1 }, { ...json, _tag: "Spent" }, { ...json, [key]: null }].every((wrong) =>
          Either.isLeft(decodeFact(wrong))
        )
      })
    ),
  mutants: [
    {
      name: "unknown keys are ignored",
      implementation: {
        ...ours,
        decodeFact: (json) => {
          const { extra: _, ...rest } = Object.assign({ extra: 1 }, json)
          return ours.decodeFact(rest)
        }
      }
    },
    {
      name: "a missing time is the beginning",
      implementation: {
        ...ours,
        decodeFact: (json) => ours.decodeFact(Object.assign({ time: { at: 0, clock: "", mono: 0, wall: 0 } }, json))
      }
    }
  ]
}
