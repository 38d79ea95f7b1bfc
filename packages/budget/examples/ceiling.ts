import { ContextBudget, Estimate, Line, Price, Usage } from "@palimpsest/budget"
import * as Either from "effect/Either"

Estimate.estimate("abcde") // => 2
ContextBudget.limits(ContextBudget.standard, 20_000) // => { promptTokens: 10000, entryScalars: 5000 }
const ceiling = Either.getOrThrow(Line.ceilingOf({ explicit: 100_000, window: { size: 200_000, reserve: 32_000 } }))
Either.getOrThrow(Line.managed(ceiling ?? 0, 42_000)) // => 58000
Usage.fromOpenAiChat({ prompt_tokens: 9 }).uncached // => { _tag: "Unmeasured", why: "no cached_tokens" }
Price.requestCost({ cached: 1_000, fresh: 100 }) // => 225
