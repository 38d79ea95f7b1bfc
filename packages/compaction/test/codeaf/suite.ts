/** Claims about the preset, and wrong presets that a named claim must catch. */
import { describe, expect, it } from "vitest"
import { ours, type Engine } from "./engine.ts"

export type Claims = Readonly<Record<string, (engine: Engine) => void>>

export interface Mutant {
  readonly name: string
  /** The claim that catches it, by a part of its name. */
  readonly by: string
  readonly engine: Partial<Engine>
}

export const suite = (group: string, claims: Claims, mutants: ReadonlyArray<Mutant>): void => {
  describe(group, () => {
    for (const [name, holds] of Object.entries(claims)) it(name, () => holds(ours))
    for (const { by, engine, name } of mutants) {
      it(`mutant: ${name}, caught by ${by}`, () => {
        const found = Object.entries(claims).filter(([claim]) => claim.includes(by))
        expect(found.length).toBe(1)
        expect(() => found[0]![1]({ ...ours, ...engine })).toThrow(/expected/)
      })
    }
  })
}
