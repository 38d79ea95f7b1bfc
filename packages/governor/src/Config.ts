/**
 * The configuration of a run: a preset and its numbers, frozen when the run begins (LE-20). A run is a source under a
 * configuration, so its name is made from both: the same source under another preset is another run that shares bodies.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { AutoCompactConfig } from "@palimpsest/compaction/harn/Config"
import type { Body, Stored } from "@palimpsest/ledger/Body"
import { digestOf, encodeUtf8, JSON_MEDIA } from "@palimpsest/ledger/Body"
import { sorted } from "@palimpsest/ledger/Canonical"
import { Digest, LogId, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { Protect } from "./Protect.ts"

const Tokens = Schema.Int.pipe(Schema.positive())

/** The wire shape of the run's messages: it decides how they are grouped and rendered. */
const Shape = Schema.Literal("anthropic", "openai-chat")

/**
 * The digest of the policy that a live run began under, and the platform that it was compiled for where that folds names
 * (posix, which folds none, is not said). What was recorded by others has none, and its name stays.
 */
const frozen = {
  policy: Schema.optionalWith(Digest, { exact: true }),
  platform: Schema.optionalWith(
    Schema.Struct({ separators: Schema.Literal("/", "/\\"), caseFolding: Schema.Boolean }),
    { exact: true }
  )
}

/**
 * The marks of a governed transcript, when it is rewritten (runs of before schedules had names: by `hysteresis`), and the
 * model that it is for, which says what a rewrite does to reasoning; and what never leaves, by tool and path.
 */
const governed = {
  line: Tokens,
  lowWater: Schema.NonNegativeInt,
  ceiling: Schema.optionalWith(Tokens, { exact: true }),
  schedule: Schema.optionalWith(Schema.Literal("investment", "hysteresis", "threshold", "every-turn"), { exact: true }),
  model: Schema.optionalWith(Schema.String, { exact: true }),
  protect: Schema.optionalWith(Protect, { exact: true })
}

/**
 * `balanced` governs the transcript over a line, a low-water mark and perhaps a ceiling (managed tokens), and `frugal`
 * does so with a smaller aversion to loss; `io-harness`
 * shows the section of that system under `maxTokens`; `codeaf` and `harn` govern the transcript as those systems do, under
 * the model's window (unknown, if absent) and under settings that say everything; `raw` changes nothing.
 *
 * @since 0.1.0
 * @category models
 */
export const Config = Schema.Union(
  Schema.Struct({ preset: Schema.Literal("balanced", "frugal"), shape: Shape, ...governed, ...frozen }),
  Schema.Struct({ preset: Schema.Literal("io-harness"), shape: Shape, maxTokens: Tokens, ...frozen }),
  Schema.Struct({
    preset: Schema.Literal("codeaf"),
    shape: Shape,
    window: Schema.optionalWith(Tokens, { exact: true }),
    ...frozen
  }),
  Schema.Struct({
    preset: Schema.Literal("harn"),
    shape: Shape,
    settings: Schema.typeSchema(AutoCompactConfig),
    ...frozen
  }),
  Schema.Struct({ preset: Schema.Literal("raw"), shape: Shape, ...frozen })
).annotations({ parseOptions: { onExcessProperty: "error" } })
/** @since 0.1.0 */
export type Config = typeof Config.Type

/**
 * A configuration under which the transcript is governed by our own presets.
 *
 * @since 0.1.0
 * @category models
 */
export type Governed = Config & { readonly preset: "balanced" | "frugal" }

/**
 * Whether a configuration is one of those.
 *
 * @since 0.1.0
 * @category predicates
 */
export const isGoverned = (config: Config): config is Governed =>
  config.preset === "balanced" || config.preset === "frugal"

/**
 * The body that a run keeps of its configuration.
 *
 * @since 0.1.0
 * @category bodies
 */
export const bodyOf = (hash: Hasher, config: Config): { readonly body: Body; readonly stored: Stored } => {
  const bytes = encodeUtf8(sorted(config))
  const digest = digestOf(hash, JSON_MEDIA, bytes)
  const size = { bytes: bytes.length, scalars: bytes.length }
  return {
    body: { digest, encoding: "json", media: JSON_MEDIA, size, at: { _tag: "Own" } },
    stored: { digest, media: JSON_MEDIA, bytes }
  }
}

/**
 * Reads a configuration back.
 *
 * @since 0.1.0
 * @category bodies
 */
export const fromBytes = (bytes: Uint8Array): Either.Either<Config, string> =>
  Either.mapLeft(decodeText(new TextDecoder().decode(bytes)), (error) => error.message)

/**
 * The names of one source under one configuration. `run` names a run by its key in the source (`main`, `side-1`, …).
 *
 * @since 0.1.0
 * @category names
 */
export interface Names {
  readonly tree: TreeId
  readonly base: LogId
  readonly run: (key: string) => LogId
  readonly source: LogId
}

/**
 * The names of a source's runs: the tree is the source; its main run is source and configuration; the others of the
 * same source (side chains, rows, and the log that says how far the source was read) stand behind a `~`.
 *
 * @since 0.1.0
 * @category names
 */
export const names = (hash: Hasher, source: string, config: Config): Names => {
  const base = `${source}.${bodyOf(hash, config).body.digest.slice(0, 8)}`
  return {
    tree: TreeId.make(source),
    base: LogId.make(base),
    run: (key: string): LogId => LogId.make(key === "main" ? base : `${base}~${key}`),
    source: LogId.make(`${base}~source`)
  }
}

/**
 * The main run of the source that a run came from.
 *
 * @since 0.1.0
 * @category names
 */
export const baseOf = (run: LogId): LogId => LogId.make(run.split("~")[0]!)

/**
 * The log that says how far the source of a main run was read.
 *
 * @since 0.1.0
 * @category names
 */
export const sourceLogOf = (base: LogId): LogId => LogId.make(`${base}~source`)

const decodeText = Schema.decodeUnknownEither(Schema.parseJson(Config))
