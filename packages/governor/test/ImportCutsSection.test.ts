import { describe } from "@effect/vitest"
import { cuts } from "./support/Cuts.ts"
import { section } from "./support/Presets.ts"

describe("law 7: import under io-harness", () => {
  cuts(section("anthropic", 1_500))
})
