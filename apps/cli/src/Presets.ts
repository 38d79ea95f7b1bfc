/** From the options of a command to a configuration: a preset and its numbers. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as ContextBudget from "@palimpsest/budget/ContextBudget"
import * as Line from "@palimpsest/budget/Line"
import { defaults, type AutoCompactConfig } from "@palimpsest/compaction/harn/Config"
import * as Windows from "@palimpsest/compaction/codeaf/Windows"
import type { Config } from "@palimpsest/governor/Config"
import { Protect } from "@palimpsest/governor/Protect"
import { unusable, type Failure } from "./Failure.ts"

/** The presets, as they are asked for. */
export const PRESETS = ["balanced", "frugal", "io-harness", "codeaf", "harn", "raw"] as const

/** When our own presets rewrite. */
export const SCHEDULES = ["investment", "hysteresis", "threshold", "every-turn"] as const

/** Numbers of tokens; what was not given is undefined. */
export interface Asked {
  readonly preset: (typeof PRESETS)[number]
  readonly line?: number | undefined
  readonly ceiling?: number | undefined
  readonly window?: number | undefined
  readonly schedule?: (typeof SCHEDULES)[number] | undefined
  readonly model?: string | undefined
  readonly protect?: Protect | undefined
}

/** The configuration of a preset for messages of a shape, or the option that it has no use for. */
export const configOf = (asked: Asked, shape: Config["shape"]): Effect.Effect<Config, Failure> => {
  const { ceiling, line, model, preset, protect, schedule, window } = asked
  const isGoverned = preset === "balanced" || preset === "frugal"
  if (!isGoverned && preset !== "harn" && line !== undefined) {
    return Effect.fail(unusable(`--line: the preset ${preset} has no line; ${REWRITES[preset]}`))
  }
  if (!isGoverned && schedule !== undefined) {
    return Effect.fail(unusable(`--schedule: the preset ${preset} has a schedule of its own`))
  }
  if (!isGoverned && preset !== "codeaf" && window !== undefined) {
    return Effect.fail(unusable(`--window: the preset ${preset} takes no window`))
  }
  if (!isGoverned && protect !== undefined) {
    return Effect.fail(unusable(`--protect: the preset ${preset} protects nothing`))
  }
  switch (preset) {
    case "raw":
      return ceiling === undefined
        ? Effect.succeed({ preset, shape })
        : Effect.fail(unusable("--ceiling: the preset raw has no ceiling"))
    case "io-harness": {
      const maxTokens = ceiling ?? ContextBudget.standard.maxTokens
      return maxTokens < 1
        ? Effect.fail(unusable("--ceiling: expected a number of tokens, at least 1"))
        : Effect.succeed({ preset, shape, maxTokens })
    }
    case "codeaf": {
      if (ceiling !== undefined) {
        return Effect.fail(unusable("--ceiling: the preset codeaf has no ceiling; its budgets are the window's"))
      }
      return Effect.map(windowOf(window), (window) => ({
        preset,
        shape,
        ...(window === undefined ? {} : { window })
      }))
    }
    case "harn":
      return Effect.map(harnOf(line, ceiling), (settings) => ({ preset, shape, settings }))
    default:
      return Effect.map(marksOf({ line, ceiling, window }), (marks) => ({
        preset,
        shape,
        ...marks,
        schedule: schedule ?? "investment",
        ...(model === undefined ? {} : { model }),
        ...(protect === undefined ? {} : { protect })
      }))
  }
}

/** When the presets without a line rewrite. */
const REWRITES = {
  "io-harness": "it rewrites every turn",
  codeaf: "its budgets are the window's",
  raw: "it rewrites nothing"
} as const

const windowOf = (window: number | undefined): Effect.Effect<number | undefined, Failure> =>
  window !== undefined && window < 1
    ? Effect.fail(unusable("--window: expected the tokens of the model's window, at least 1"))
    : Effect.succeed(window)

/**
 * The settings of `harn`: the line is its threshold, the ceiling its hard limit. A second tier would ask a summariser,
 * and a replay has none, so truncation answers for it.
 */
const harnOf = (line: number | undefined, ceiling: number | undefined): Effect.Effect<AutoCompactConfig, Failure> => {
  for (const [option, n] of Object.entries({ line, ceiling })) {
    if (n !== undefined && n < 0) return Effect.fail(unusable(`--${option}: expected a number of tokens, 0 or more`))
  }
  const source = line === undefined ? "default" : "token_threshold"
  return Effect.succeed({
    ...defaults,
    ...(line === undefined ? {} : { tokenThreshold: line }),
    ...(ceiling === undefined ? {} : { hardLimitTokens: ceiling, fallbackStrategy: "truncate" }),
    requestProvenance: { requestedStrategy: defaults.compactStrategy, thresholdSource: source }
  })
}

/**
 * The line and the ceiling: as they were given, else by the window law (CA-01 to CA-03), which has the fixed part and the
 * reserve subtracted already, else the default line and no ceiling.
 */
const marksOf = ({
  ceiling,
  line,
  window
}: Pick<Asked, "ceiling" | "line" | "window">): Effect.Effect<Line.Window, Failure> => {
  if (window !== undefined && window < 1) {
    return Effect.fail(unusable("--window: expected the tokens of the model's window, at least 1"))
  }
  const law: Partial<Line.Window> =
    window === undefined
      ? {}
      : {
          line: Math.floor(Windows.observationWindow(window) / Windows.BYTES_PER_TOKEN),
          ceiling: Math.floor(Windows.observationSafetyWindow(window) / Windows.BYTES_PER_TOKEN)
        }
  const given = { ...(line === undefined ? {} : { line }), ...(ceiling === undefined ? {} : { ceiling }) }
  const lowWater = Math.floor((line ?? law.line ?? Line.LINE) / 2)
  return Either.mapLeft(Line.make({ ...law, ...given, lowWater }), (error) =>
    unusable(`--${error.field}: ${error.message}`)
  )
}

/** What is protected, by patterns of tools and of paths; undefined where nothing is. */
export const protectOf = (
  tools: ReadonlyArray<string>,
  paths: ReadonlyArray<string>
): Effect.Effect<Protect | undefined, Failure> =>
  tools.length === 0 && paths.length === 0
    ? Effect.succeed(undefined)
    : Either.mapLeft(decodeProtect({ tools, paths }), (error) =>
        unusable(`--protect: ${ParseResult.ArrayFormatter.formatErrorSync(error)[0]?.message ?? error.message}`)
      )

const decodeProtect = Schema.decodeUnknownEither(Protect)
