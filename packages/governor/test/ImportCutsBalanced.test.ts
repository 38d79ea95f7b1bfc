import { describe } from "@effect/vitest"
import { byteCuts, cuts } from "./support/Cuts.ts"
import { balanced } from "./support/Presets.ts"

describe("law 7: import under balanced", () => {
  cuts(balanced("anthropic", 2_000))
  byteCuts(balanced("anthropic", 2_000))
})
