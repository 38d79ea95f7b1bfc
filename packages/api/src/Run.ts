/**
 * Runs, and what happens in a turn of one: what is sent to the server, and what it answers.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { Usage } from "@palimpsest/budget/Usage"
import { Config } from "@palimpsest/governor/Config"
import { Digest, LogId, Seq, TreeId } from "@palimpsest/ledger/Ids"
import { Observation } from "@palimpsest/ledger/Observation"
import { Policy } from "@palimpsest/policy/Policy"
import { Act } from "@palimpsest/policy/Act"
import { Verdict } from "@palimpsest/policy/Verdict"
import { optional, strict, struct } from "./internal/strict.ts"

/**
 * The newest event of a log.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Head = struct({ seq: Schema.NonNegativeInt, digest: Digest })

/**
 * A run, and where it stands.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Run = struct({
  run: LogId,
  tree: TreeId,
  parent: optional(LogId),
  config: Config,
  head: Head
}).annotations({ identifier: "Run" })
/** @since 0.1.0 */
export type Run = typeof Run.Type

/**
 * A run with what a list shows of it. `began` is RFC 3339, or empty where the source had no time.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Summary = struct({
  ...Run.fields,
  title: Schema.String,
  began: Schema.String,
  requests: Schema.NonNegativeInt
}).annotations({ identifier: "Summary" })

/**
 * What a run is begun with. The caller names it; the same beginning again answers as the first did. `tree` is the run's
 * own name unless given, and its parent's where it has one: `call` is the seq of the call that it answers. `policy` can
 * only narrow the server's and the parent's (law 13).
 *
 * @since 0.1.0
 * @category schemas
 */
export const Begin = struct({
  run: LogId,
  config: Config,
  parent: optional(struct({ run: LogId, call: Seq })),
  policy: optional(Policy)
}).annotations({ identifier: "Begin" })
/** @since 0.1.0 */
export type Begin = typeof Begin.Type

const Name = Schema.String.pipe(Schema.minLength(1), Schema.maxLength(200))

/**
 * The id that a client gives to a write, to be able to repeat it: 1 to 120 characters of `A-Z a-z 0-9 . _ ~ -`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ClientId = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9._~-]{1,120}$/),
  Schema.annotations({ identifier: "ClientId", description: "the caller's own id of this write, unique in its run" })
)

/**
 * What someone said. `message` groups the parts of one message.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Said = Schema.TaggedStruct("Said", {
  message: Name,
  role: Schema.Literal("system", "user", "assistant"),
  text: Schema.String
}).annotations(strict)

/**
 * A call of the model. `args` is any JSON value.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Called = Schema.TaggedStruct("Called", {
  message: Name,
  call: Name,
  name: Name,
  args: Schema.Unknown
}).annotations(strict)

/**
 * The result of a call. What it is an observation of is said by `observation`; or found from the tool's name and
 * arguments (`tool`), as for many agents' tools; or it is the answer of a tool, of no subject.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Returned = Schema.TaggedStruct("Returned", {
  message: Name,
  call: Name,
  text: Schema.String,
  observation: optional(Observation.annotations(strict)),
  tool: optional(struct({ name: Name, args: Schema.Unknown, failed: optional(Schema.Boolean) }))
}).annotations(strict)

/**
 * The most entries of one batch.
 *
 * @since 0.1.0
 * @category constants
 */
export const MOST_ENTRIES = 1_000

/**
 * What was said, called and returned since the last turn, in order: kept whole or not at all. The same id with the same
 * entries again answers as the first did, whoever asks, before or after a crash.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Observe = struct({
  id: ClientId,
  entries: Schema.Array(Schema.Union(Said, Called, Returned)).pipe(Schema.minItems(1), Schema.maxItems(MOST_ENTRIES))
}).annotations({ identifier: "Observe" })
/** @since 0.1.0 */
export type Observe = typeof Observe.Type
/** @since 0.1.0 */
export type Entry = Observe["entries"][number]

/**
 * Where the entries of a batch stand: `first` to `last`, both included.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Observed = struct({ first: Seq, last: Seq }).annotations({ identifier: "Observed" })

/**
 * A question to the policy of now.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Check = struct({ act: Act, target: Schema.String }).annotations({ identifier: "Check" })

/**
 * The policy's answer. What it does not allow is in the log; `ask` is no permission.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Checked = struct({ verdict: Verdict }).annotations({ identifier: "Checked" })

/**
 * What to send: the JSON texts of the messages, in order, to be spliced into the request as they are (law 7); or why
 * nothing may be sent (`pins` where what is pinned does not fit). `estimate`, `need` and `have` are managed tokens.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Turn = Schema.Union(
  Schema.TaggedStruct("Send", {
    request: Schema.NonNegativeInt,
    messages: Schema.Array(Schema.String),
    estimate: Schema.NonNegativeInt
  }),
  Schema.TaggedStruct("Refused", {
    request: Schema.NonNegativeInt,
    need: Schema.NonNegativeInt,
    have: Schema.NonNegativeInt,
    pins: optional(Schema.Array(Seq))
  })
).annotations({ identifier: "Turn" })
/** @since 0.1.0 */
export type Turn = typeof Turn.Type

/**
 * What a provider reported: in our own disjoint counts, or its own `usage` as it came.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Settle = struct({
  reported: Schema.Union(
    Schema.TaggedStruct("Counts", { usage: Usage }).annotations(strict),
    Schema.TaggedStruct("Anthropic", { usage: Schema.Unknown }).annotations(strict),
    Schema.TaggedStruct("OpenAiChat", { usage: Schema.Unknown }).annotations(strict)
  )
}).annotations({ identifier: "Settle" })
/** @since 0.1.0 */
export type Settle = typeof Settle.Type

/**
 * The usage as it was written down.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Settled = struct({ seq: Seq, usage: Usage }).annotations({ identifier: "Settled" })
