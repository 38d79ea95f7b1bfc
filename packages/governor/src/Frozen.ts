/**
 * Frozen policies: a live run begins under a policy, keeps it as a body, and names it in its configuration. Whoever takes
 * the run up again has to hold the same one.
 *
 *     begin {policy} ─> Began {config: {…, policy: digest}} ─> … ─> resume {policy} ─┬─ the same ─────> Live
 *                                                                                    ├─ none ─────────> PolicyMissing
 *                                                                                    ├─ another ──────> PolicyDiffers
 *                                                                                    └─ other folding ─> PlatformDiffers
 *
 * What has been forbidden since is given beside it (`narrowed`) and can only narrow (law 13). A run that names no policy,
 * as an imported one, was no live run, and is never taken up as if everything were allowed (law 12). The platform is frozen
 * with it: the same rules over names that fold otherwise are another policy.
 *
 * @since 0.1.0
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as SynchronizedRef from "effect/SynchronizedRef"
import { digestOf, encodeUtf8, JSON_MEDIA, type Stored } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { sorted } from "@palimpsest/ledger/Canonical"
import type { EventStore } from "@palimpsest/ledger/EventStore"
import type { Digest, LogId } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { none } from "@palimpsest/policy/Approval"
import { compile, type CompiledPolicy, type MalformedPattern } from "@palimpsest/policy/Check"
import { contain } from "@palimpsest/policy/Contain"
import { type Platform, posix } from "@palimpsest/policy/Platform"
import { encode, type Policy } from "@palimpsest/policy/Policy"
import type { Config } from "./Config.ts"
import type { Live, State } from "./Governor.ts"
import * as Approvals from "./internal/approvals.ts"
import * as Log from "./Log.ts"
import * as NoteBook from "./NoteBook.ts"
import * as Runs from "./Runs.ts"
import * as Session from "./Session.ts"
import * as Texts from "./Texts.ts"

/**
 * A run was recorded under a policy and none was given; or it was recorded under none (`frozen` is undefined).
 *
 * @since 0.1.0
 * @category errors
 */
export class PolicyMissing extends Data.TaggedError("PolicyMissing")<{
  readonly run: string
  readonly frozen: Digest | undefined
}> {
  override get message(): string {
    return this.frozen === undefined
      ? `${this.run} records no policy: it cannot be taken up`
      : `${this.run} was recorded under the policy ${this.frozen}: it cannot be taken up without it`
  }
}

/**
 * A run was recorded under another policy than the one that was given.
 *
 * @since 0.1.0
 * @category errors
 */
export class PolicyDiffers extends Data.TaggedError("PolicyDiffers")<{
  readonly run: string
  readonly frozen: Digest
  readonly given: Digest
}> {
  override get message(): string {
    return `${this.run} was recorded under the policy ${this.frozen}, not ${this.given}; to narrow it, give both`
  }
}

/**
 * A run was recorded under the same policy for another platform, on which other names are one file.
 *
 * @since 0.1.0
 * @category errors
 */
export class PlatformDiffers extends Data.TaggedError("PlatformDiffers")<{
  readonly run: string
  readonly frozen: Platform
  readonly given: Platform
}> {
  override get message(): string {
    const [frozen, given] = [this.frozen, this.given].map(foldingOf)
    return `${this.run} was recorded under a policy for ${frozen}, not for ${given}: compile the policy for the same platform`
  }
}

/**
 * What the configuration of a run keeps of the policy that it begins under.
 *
 * @since 0.1.0
 * @category bodies
 */
export const keptOf = (
  hash: Hasher,
  { platform, policy }: CompiledPolicy
): { readonly policy: Digest; readonly platform?: Platform } => ({
  policy: bodyOf(hash, policy).digest,
  ...(isSame(platform, posix)
    ? {}
    : { platform: { separators: platform.separators, caseFolding: platform.caseFolding } })
})

/**
 * The body of a policy: its canonical JSON.
 *
 * @since 0.1.0
 * @category bodies
 */
export const bodyOf = (hash: Hasher, policy: Policy): Stored => {
  const bytes = encodeUtf8(sorted(encode(policy)))
  return { digest: digestOf(hash, JSON_MEDIA, bytes), media: JSON_MEDIA, bytes }
}

/**
 * What a live run is taken up with. `narrowed` is what has been forbidden since; `workspace` as when it began.
 *
 * @since 0.1.0
 * @category models
 */
export interface Resume {
  readonly log: LogId
  readonly hash: Hasher
  readonly policy: CompiledPolicy | undefined
  readonly narrowed?: Policy
  readonly workspace?: string
}

/** @since 0.1.0 */
export type ResumeError = Runs.RunError | MalformedPattern | PolicyMissing | PolicyDiffers | PlatformDiffers

/**
 * Takes a live run up where its log stands: the same view, the same pending requests (law 7), under the policy that it was
 * recorded under.
 *
 * @since 0.1.0
 * @category turns
 */
export const resume = (options: Resume): Effect.Effect<Live, ResumeError, EventStore | BodyStore> =>
  Effect.gen(function* () {
    const { hash, log, workspace } = options
    const { config, tree } = yield* Runs.find(hash, log)
    const policy = yield* thawed(options, config)
    yield* (yield* BodyStore).get(tree, bodyOf(hash, policy.policy).digest)
    const now = options.narrowed === undefined ? policy : yield* narrow(policy, options.narrowed)
    const start = { session: Session.make(tree, log, config), approvals: none }
    const { head, state } = yield* Log.fold(hash, log, start, ({ approvals, session }, { fact, seq }) => {
      const recorded = Session.record(session, fact)
      return Effect.succeed({
        session: fact._tag === "Requested" ? Session.wrote(hash, recorded, fact) : recorded,
        approvals: Approvals.record(approvals, seq, fact)
      })
    })
    return {
      begin: { tree, log, config, policy: now, hash, ...(workspace === undefined ? {} : { workspace }) },
      reader: yield* Texts.fromStore(hash, tree),
      state: yield* SynchronizedRef.make<State>({ ...state, head }),
      book: yield* Ref.make(NoteBook.unread)
    }
  })

const thawed = (
  { hash, log, policy }: Resume,
  { platform = posix, policy: frozen }: Config
): Effect.Effect<CompiledPolicy, PolicyMissing | PolicyDiffers | PlatformDiffers> => {
  if (policy === undefined || frozen === undefined) return Effect.fail(new PolicyMissing({ run: log, frozen }))
  const given = bodyOf(hash, policy.policy).digest
  if (given !== frozen) return Effect.fail(new PolicyDiffers({ run: log, frozen, given }))
  return isSame(platform, policy.platform)
    ? Effect.succeed(policy)
    : Effect.fail(new PlatformDiffers({ run: log, frozen: platform, given: policy.platform }))
}

const isSame = (one: Platform, other: Platform): boolean =>
  one.separators === other.separators && one.caseFolding === other.caseFolding

const foldingOf = ({ caseFolding, separators }: Platform): string =>
  `names ${caseFolding ? "of any case" : "as they are spelled"}, parted by ${[...separators].join(" and ")}`

const narrow = (policy: CompiledPolicy, narrowed: Policy) => compile(contain(policy.policy, narrowed), policy.platform)
