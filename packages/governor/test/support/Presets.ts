/** Configurations small enough that the sessions of these tests meet every form. */
import type { Config } from "../../src/Config.ts"

export const balanced = (shape: Config["shape"], line: number, ceiling?: number): Config => ({
  preset: "balanced",
  shape,
  line,
  lowWater: Math.floor(line * 0.6),
  ...(ceiling === undefined ? {} : { ceiling })
})

export const section = (shape: Config["shape"], maxTokens: number): Config => ({
  preset: "io-harness",
  shape,
  maxTokens
})

export const raw = (shape: Config["shape"]): Config => ({ preset: "raw", shape })
