import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { decode } from "@palimpsest/compaction/harn/Config"
import { govern, memory } from "./support/Governed.ts"
import { unpaired, unstable } from "./support/Laws.ts"
import { example, NAMES, shapeOf } from "./support/Sessions.ts"
import type { Config } from "../src/Config.ts"

for (const name of NAMES) {
  const shape = shapeOf(name)
  const configs: ReadonlyArray<Config> = [
    { preset: "codeaf", shape },
    { preset: "codeaf", shape, window: 100_000 },
    { preset: "codeaf", shape, window: 1_000_000 },
    { preset: "harn", shape, settings: Either.getOrThrow(decode({})) },
    { preset: "harn", shape, settings: Either.getOrThrow(decode({ token_threshold: 3000, keep_last: 4, tool_output_max_chars: 1000 })) }
  ]
  for (const config of configs) {
    it.effect(`${name} ${JSON.stringify(config).slice(0, 60)}`, () =>
      Effect.gen(function* () {
        for (const { lines, report } of yield* govern(example(name), config)) {
          console.log(name, config.preset, report.requests, report.rewrites, JSON.stringify(report.elided), report.governed.tokens / report.raw.tokens, JSON.stringify(report.audit.findings))
          expect(report.audit.findings).toEqual([])
          expect(unstable(lines)).toEqual([])
          expect(unpaired(lines, shape)).toEqual([])
        }
      }).pipe(Effect.provide(memory)), 60000
    )
  }
}
