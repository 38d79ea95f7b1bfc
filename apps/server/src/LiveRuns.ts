/**
 * The runs in hand. A run is one fiber's at a time on one server; other servers may write to it too, and then the one in
 * hand is let go, read again from its log, and the act is tried once more.
 *
 *     use ─> in hand? ── no ──> resume from the log ─┐
 *               └── yes ─────────────────────────────┴─> act ─┬─ done
 *                                                             └─ Conflict ─> let go ─> resume ─> act …
 *
 * 1. Nothing is kept here that the log does not hold: a server that dies, or another that takes its place, loses nothing.
 * 2. A run is taken up under the policy that it was begun under, narrowed by the server's own of now (laws 12 and 13).
 * 3. The number of runs in hand is bounded; the one that was used least lately is let go.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Frozen from "@palimpsest/governor/Frozen"
import type { Live } from "@palimpsest/governor/Governor"
import * as Runs from "@palimpsest/governor/Runs"
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { Broken } from "@palimpsest/ledger/Event"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { LogId } from "@palimpsest/ledger/Ids"
import { compile, type CompiledPolicy, type MalformedPattern } from "@palimpsest/policy/Check"
import { decode } from "@palimpsest/policy/Policy"
import { Settings } from "./Settings.ts"

/** @since 0.1.0 */
export type Stores = EventStore | BodyStore

/**
 * @since 0.1.0
 * @category tags
 */
export class LiveRuns extends Context.Tag("@palimpsest/server/LiveRuns")<
  LiveRuns,
  {
    /** Acts on a run in hand. `workspace` is the key of the one whose notes lead its section, where it is known. */
    readonly use: <A, E extends { readonly _tag: string }>(
      run: LogId,
      act: (live: Live) => Effect.Effect<A, E, Stores>,
      workspace?: string
    ) => Effect.Effect<A, E | Frozen.ResumeError, Stores>
  }
>() {}

/**
 * How many runs are kept in hand.
 *
 * @since 0.1.0
 * @category constants
 */
export const MOST = 256

/**
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<LiveRuns, never, Settings> = Layer.effect(
  LiveRuns,
  Effect.map(Settings, ({ hash, policy }) => {
    const slots = new Map<LogId, Slot>()
    return LiveRuns.of({
      use: (run, act, workspace) => {
        const attempt = Effect.acquireUseRelease(
          Effect.sync(() => take(slots, run)),
          (slot) =>
            slot.gate.withPermits(1)(
              Effect.gen(function* () {
                const known = workspace ?? slot.workspace
                if (known !== slot.workspace) slot.live = undefined
                slot.workspace = known
                slot.live ??= yield* resume(hash, run, policy, known)
                return yield* act(slot.live)
              }).pipe(
                // What an act that failed has left behind is not known here: the log knows.
                Effect.onError(() => Effect.sync(() => (slot.live = undefined)))
              )
            ),
          (slot) => Effect.sync(() => void slot.users--)
        )
        return Effect.retry(attempt, { while: ({ _tag }) => _tag === "Conflict", schedule: AGAIN })
      }
    })
  })
)

/**
 * The policy that a run was begun under; undefined where it records none.
 *
 * @since 0.1.0
 * @category policies
 */
export const frozenOf = ({
  config,
  log,
  tree
}: Runs.Run): Effect.Effect<CompiledPolicy | undefined, Runs.RunError | MalformedPattern, BodyStore> =>
  Effect.gen(function* () {
    if (config.policy === undefined) return undefined
    const { bytes } = yield* (yield* BodyStore).get(tree, config.policy)
    const json = yield* Effect.try({
      try: (): unknown => JSON.parse(decodeUtf8(bytes)),
      catch: () => new Broken({ log, seq: 1, why: `its policy ${config.policy ?? ""} is not JSON` })
    })
    const policy = yield* Effect.mapError(
      decode(json),
      () => new Broken({ log, seq: 1, why: `its policy ${config.policy ?? ""} cannot be read` })
    )
    return yield* compile(policy, config.platform)
  })

const resume = (
  hash: Settings["Type"]["hash"],
  log: LogId,
  server: CompiledPolicy,
  workspace: string | undefined
): Effect.Effect<Live, Frozen.ResumeError, Stores> =>
  Effect.gen(function* () {
    const policy = yield* Effect.flatMap(Runs.find(hash, log), frozenOf)
    return yield* Frozen.resume({
      log,
      hash,
      policy,
      narrowed: server.policy,
      ...(workspace === undefined ? {} : { workspace })
    })
  }).pipe(Effect.withSpan("LiveRuns.resume"))

interface Slot {
  readonly gate: Effect.Semaphore
  users: number
  workspace: string | undefined
  live: Live | undefined
}

/** The slot of a run, as the one that was used last; those used least lately go, unless somebody is at them. */
const take = (slots: Map<LogId, Slot>, run: LogId): Slot => {
  const slot = slots.get(run) ?? {
    gate: Effect.unsafeMakeSemaphore(1),
    users: 0,
    workspace: undefined,
    live: undefined
  }
  slots.delete(run)
  slots.set(run, slot)
  slot.users++
  for (const [oldest, { users }] of slots) {
    if (slots.size <= MOST) break
    if (users === 0) slots.delete(oldest)
  }
  return slot
}

const AGAIN = Schedule.exponential("2 millis", 2).pipe(Schedule.jittered, Schedule.intersect(Schedule.recurs(7)))
