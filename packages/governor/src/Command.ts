/**
 * Giving a run's governor a command: an event in the run's log, under the head that its giver knows. Where the log has moved
 * on since, that is a typed `Conflict` and nothing was kept. The next request that is prepared goes by it, live or when a
 * grown source is imported again.
 *
 *     command ─> is it for this run, and news? ─> Commanded (appended under the head) ─> the next prepare
 *
 * What cannot be done is refused before it is written: a pin of what is no entry, an answer to what nobody asked, a command
 * to a preset that reproduces another system (law 14).
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as SynchronizedRef from "effect/SynchronizedRef"
import type { Command } from "@palimpsest/compaction/Command"
import * as Orders from "@palimpsest/compaction/Orders"
import type { BodyStore } from "@palimpsest/ledger/BodyStore"
import type { NotCanonical } from "@palimpsest/ledger/Canonical"
import type { Broken, Head } from "@palimpsest/ledger/Event"
import { EventStore, type BadAppend, type Conflict, type StoreError } from "@palimpsest/ledger/EventStore"
import type { Seq } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { isGoverned } from "./Config.ts"
import { draft, type Fact, type UnknownFact } from "./Fact.ts"
import type { Live, TurnError } from "./Governor.ts"
import { commit } from "./internal/commit.ts"
import * as Log from "./Log.ts"
import type { Run } from "./Runs.ts"
import * as Session from "./Session.ts"

/**
 * A command that this run cannot obey, and why. Nothing was written.
 *
 * @since 0.1.0
 * @category errors
 */
export class CommandRefused extends Data.TaggedError("CommandRefused")<{
  readonly run: string
  readonly command: Command["_tag"]
  readonly why: string
}> {
  override get message(): string {
    return `${this.command.toLowerCase()} ${this.run}: ${this.why}`
  }
}

/**
 * What became of a command: the seq of its event, undefined where it was so already; and the orders that stand now.
 *
 * @since 0.1.0
 * @category models
 */
export interface Given {
  readonly seq: Seq | undefined
  readonly head: Head
  readonly orders: Orders.Orders
}

/**
 * A stored run as its log leaves it: nothing is planned or rendered.
 *
 * @since 0.1.0
 * @category reading
 */
export const standing = (
  hash: Hasher,
  { config, log, tree }: Pick<Run, "config" | "log" | "tree">
): Effect.Effect<
  { readonly session: Session.Session; readonly head: Head },
  Broken | UnknownFact | StoreError,
  EventStore
> =>
  Effect.map(
    Log.fold(hash, log, Session.make(tree, log, config), (session, { fact }) => {
      const recorded = Session.record(session, fact)
      return Effect.succeed(fact._tag === "Requested" ? Session.wrote(hash, recorded, fact) : recorded)
    }),
    ({ head, state }) => ({ session: Session.fold(state), head })
  )

/**
 * Gives a stored run a command, under the head that `run` was found with.
 *
 * @since 0.1.0
 * @category commanding
 */
export const give = (
  hash: Hasher,
  run: Run,
  command: Command
): Effect.Effect<
  Given,
  BadAppend | Broken | CommandRefused | Conflict | NotCanonical | StoreError | UnknownFact,
  EventStore
> =>
  Effect.gen(function* () {
    const { head, session } = yield* standing(hash, run)
    const fact = yield* factOf(session, command)
    if (fact === undefined) return { seq: undefined, head, orders: session.orders }
    const seq = (run.head.seq + 1) as Seq
    const at = DateTime.formatIso(DateTime.unsafeMake(yield* Clock.currentTimeMillis))
    const id = `command.${seq}`
    const { writes } = yield* (yield* EventStore).append({
      id: `${run.log}:${id}:${run.head.digest.slice(0, 16)}:${command._tag}:${at}`,
      tree: run.tree,
      writes: [
        {
          log: run.log,
          expected: { _tag: "Head", digest: run.head.digest },
          drafts: [yield* draft(id, at, fact)]
        }
      ]
    })
    return { seq, head: writes[0]?.head ?? head, orders: Session.record(session, fact).orders }
  }).pipe(Effect.withSpan("Command.give"))

/**
 * Gives a live run a command.
 *
 * @since 0.1.0
 * @category commanding
 */
export const giveLive = (
  live: Live,
  command: Command
): Effect.Effect<Given, CommandRefused | TurnError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const [seq] = yield* commit(live, (session) =>
      Effect.map(factOf(Session.fold(session), command), (fact) => ({
        facts: fact === undefined ? [] : [fact],
        bodies: []
      }))
    )
    const { head, session } = yield* SynchronizedRef.get(live.state)
    return { seq, head, orders: session.orders }
  })

/** The event of a command; undefined where it is so already. */
const factOf = (
  session: Session.Session,
  command: Command
): Effect.Effect<(Fact & { readonly _tag: "Commanded" }) | undefined, CommandRefused> => {
  const why = refusalOf(session, command)
  if (why !== undefined) return Effect.fail(new CommandRefused({ run: session.log, command: command._tag, why }))
  const isNews = Orders.isNews(session.orders, command)
  return Effect.succeed(isNews ? { _tag: "Commanded", step: Session.stepOf(session), command } : undefined)
}

const refusalOf = (session: Session.Session, command: Command): string | undefined => {
  const { config, orders } = session
  if (!isGoverned(config)) return `the preset ${config.preset} takes no commands; balanced and frugal do`
  switch (command._tag) {
    case "Pin":
      return some(command.entries, (seq) => Session.shown(session, seq) !== undefined)
        ? undefined
        : `@${command.entries[0]} is no entry of the view; \`palimpsest entries\` lists them`
    case "Unpin":
      return some(command.entries, (seq) => Orders.pinOf(orders, seq) ?? Orders.keepOf(orders, seq))
        ? undefined
        : `@${command.entries[0]} is not pinned by a command`
    case "Allow":
    case "Deny":
      return Orders.isNews(orders, command) ? undefined : `no rewrite waits for an answer at @${command.of}`
    default:
      return undefined
  }
}

const some = ([from, to]: readonly [Seq, Seq], is: (seq: Seq) => unknown): boolean => {
  for (let seq = from; seq <= to; seq++) if (is(seq as Seq)) return true
  return false
}
