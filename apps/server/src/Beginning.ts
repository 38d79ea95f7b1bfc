/**
 * How a run begins on a server: under its own policy within its parent's and the server's, in a log that nobody has begun.
 * The same beginning again answers as the first did; another one under the same name is refused.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Failures from "@palimpsest/api/Failures"
import type * as Run from "@palimpsest/api/Run"
import * as Config from "@palimpsest/governor/Config"
import { draft } from "@palimpsest/governor/Fact"
import * as Frozen from "@palimpsest/governor/Frozen"
import * as Log from "@palimpsest/governor/Log"
import * as Runs from "@palimpsest/governor/Runs"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { GENESIS } from "@palimpsest/ledger/Event"
import { EventStore } from "@palimpsest/ledger/EventStore"
import { Step, TreeId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { compile } from "@palimpsest/policy/Check"
import { contain } from "@palimpsest/policy/Contain"
import type { Policy } from "@palimpsest/policy/Policy"
import { permissive } from "@palimpsest/policy/Policy"
import type { WriteError, WriteFailure } from "./Faults.ts"
import { frozenOf, type Stores } from "./LiveRuns.ts"
import { Settings } from "./Settings.ts"

/**
 * Begins a run, or finds it begun in just this way.
 *
 * @since 0.1.0
 * @category turns
 */
export const begin = (given: Run.Begin): Effect.Effect<Run.Run, WriteError | WriteFailure, Stores | Settings> =>
  Effect.gen(function* () {
    const { hash, policy: server } = yield* Settings
    yield* checkName(given)
    const parent = given.parent === undefined ? undefined : yield* parentOf(hash, given.parent)
    const policy =
      parent === undefined ? (given.policy ?? server.policy) : contain(parent.policy, given.policy ?? permissive)
    const compiled = yield* compile(policy, given.config.platform ?? server.platform)
    const frozen = Frozen.bodyOf(hash, policy)
    const config = { ...given.config, ...Frozen.keptOf(hash, compiled) }
    const { body, stored } = Config.bodyOf(hash, config)
    const { run } = given
    const tree = parent?.tree ?? TreeId.make(run)
    const at = DateTime.formatIso(DateTime.unsafeMake(yield* Clock.currentTimeMillis))
    const first = yield* draft("1", at, {
      _tag: "Began",
      step: Step.make(0),
      config: body,
      ...(given.parent === undefined ? {} : { parent: { log: given.parent.run, call: given.parent.call } })
    })
    yield* (yield* BodyStore).put(tree, [stored, frozen])
    const store = yield* EventStore
    const appended = yield* Effect.either(
      store.append({
        id: `${run}:begin:${hash(stored.bytes, frozen.bytes).slice(0, 16)}:${at}`,
        tree,
        writes: [{ log: run, expected: { _tag: "Head", digest: GENESIS }, drafts: [first] }]
      })
    )
    if (appended._tag === "Left" && appended.left._tag === "StoreError") return yield* appended.left
    const found = yield* Runs.find(hash, run)
    const isSame = Config.bodyOf(hash, found.config).body.digest === body.digest && found.tree === tree
    if (!isSame || found.parent !== given.parent?.run) {
      return yield* new Failures.Reused({ id: run, why: "a run of this name was begun in another way" })
    }
    const [began] = yield* store.read(run, 0, 1)
    return {
      run,
      tree,
      ...(found.parent === undefined ? {} : { parent: found.parent }),
      config: found.config,
      head: { seq: 1, digest: began?.digest ?? GENESIS }
    }
  }).pipe(Effect.withSpan("Beginning.begin"))

/** Names with a `~`, and those of notes, are of logs that no caller begins. */
const checkName = ({ config, run }: Run.Begin): Effect.Effect<void, Failures.Invalid> => {
  if (run.includes("~") || Log.isNoteLog(run)) {
    return Effect.fail(
      new Failures.Invalid({ field: "run", why: "names with a ~, and notes.*, are kept for other logs" })
    )
  }
  return config.policy === undefined
    ? Effect.void
    : Effect.fail(new Failures.Invalid({ field: "config.policy", why: "it is found from `policy`; leave it out" }))
}

const parentOf = (
  hash: Hasher,
  { call, run }: NonNullable<Run.Begin["parent"]>
): Effect.Effect<{ readonly tree: TreeId; readonly policy: Policy }, WriteError | WriteFailure, Stores> =>
  Effect.gen(function* () {
    const parent = yield* Runs.find(hash, run)
    const policy = yield* frozenOf(parent)
    if (policy === undefined) {
      return yield* new Failures.OutOfTurn({ run, why: "it records no policy, so nothing can be begun within it" })
    }
    const read = yield* Log.factAt(hash, run, call)
    const isCall = Option.exists(read, ({ fact }) => fact._tag === "Entered" && fact.part._tag === "Call")
    if (!isCall) return yield* new Failures.Invalid({ field: "parent.call", why: `${run}@${call} is not a call` })
    return { tree: parent.tree, policy: policy.policy }
  })
