import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { decodeUtf8 } from "@palimpsest/ledger/Body"
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { LogId } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Platform from "@palimpsest/policy/Platform"
import * as Policy from "@palimpsest/policy/Policy"
import * as Audit from "../../src/Audit.ts"
import * as Config from "../../src/Config.ts"
import * as Frozen from "../../src/Frozen.ts"
import * as Governor from "../../src/Governor.ts"
import * as Runs from "../../src/Runs.ts"
import { imported, memory } from "../support/Governed.ts"
import { hash } from "../support/Hash.ts"
import { balanced, raw, section } from "../support/Presets.ts"
import { abridged, claude, encode, joined } from "../support/Sessions.ts"
import { begin, read, RUN, sent, TREE, user, write } from "../support/Turns.ts"

const MINE = Policy.deny(Policy.layer(Policy.permissive, "mine"), "read", "secret/*")
const resume = (policy: Policy.Policy | undefined, narrowed?: Policy.Policy) =>
  Governor.resume({
    log: RUN,
    hash,
    policy: policy === undefined ? undefined : Either.getOrThrow(compile(policy)),
    ...(narrowed === undefined ? {} : { narrowed })
  })

describe("a policy frozen into its run", () => {
  it.effect("law 12: the run names its policy, and keeps it as a body that the audit knows", () =>
    Effect.gen(function* () {
      yield* begin(raw("anthropic"), MINE)
      const run = yield* Runs.find(hash, RUN)
      const { digest } = Frozen.bodyOf(hash, MINE)
      expect(run.config).toEqual({ ...raw("anthropic"), policy: digest })
      const { bytes } = yield* (yield* BodyStore).get(TREE, digest)
      expect(Policy.decode(JSON.parse(decodeUtf8(bytes)))).toEqual(Either.right(MINE))
      expect((yield* Audit.audit(hash, run, undefined)).findings).toEqual([])
      const config = { ...run.config, policy: Frozen.bodyOf(hash, Policy.builtin).digest }
      const lost = (yield* Audit.audit(hash, { ...run, config }, undefined)).findings
      expect(lost).toEqual([{ seq: 1, why: expect.stringContaining(config.policy) }])
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 12: it cannot be taken up without its policy, nor under another, a laxer or a stricter one", () =>
    Effect.gen(function* () {
      yield* begin(raw("anthropic"), MINE)
      const frozen = Frozen.bodyOf(hash, MINE).digest
      expect(yield* Effect.flip(resume(undefined))).toEqual(new Frozen.PolicyMissing({ run: RUN, frozen }))
      for (const other of [Policy.permissive, Policy.builtin, Policy.deny(MINE, "read", "b")]) {
        const given = Frozen.bodyOf(hash, other).digest
        expect(yield* Effect.flip(resume(other))).toEqual(new Frozen.PolicyDiffers({ run: RUN, frozen, given }))
      }
      const live = yield* resume(Either.getOrThrow(Policy.decode(Policy.encode(MINE))))
      expect(yield* Governor.check(live, "read", "secret/a")).toMatchObject({ ruling: "deny", layer: "mine" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 12: nor under the same policy for a platform on which other names are one file", () =>
    Effect.gen(function* () {
      const on = (platform: Platform.Platform) => Either.getOrThrow(compile(MINE, platform))
      for (const platform of [Platform.posix, Platform.darwin, Platform.windows]) {
        const log = LogId.make(`run-${platform.separators.length}-${platform.caseFolding}`)
        const live = yield* Governor.begin({ tree: TREE, log, config: raw("anthropic"), policy: on(platform), hash })
        const { config } = yield* Runs.find(hash, log)
        expect(config).toEqual({
          ...raw("anthropic"),
          policy: Frozen.bodyOf(hash, MINE).digest,
          ...(platform === Platform.posix ? {} : { platform })
        })
        expect((yield* Governor.check(live, "read", "SECRET/a")).ruling).toBe(platform.caseFolding ? "deny" : "allow")
        for (const given of [Platform.posix, Platform.darwin, Platform.windows]) {
          const taken = yield* Effect.either(Governor.resume({ log, hash, policy: on(given) }))
          if (given === platform) expect(Either.isRight(taken)).toBe(true)
          else expect(taken).toEqual(Either.left(new Frozen.PlatformDiffers({ run: log, frozen: platform, given })))
        }
      }
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 13: what was forbidden since narrows it, and cannot widen it", () =>
    Effect.gen(function* () {
      yield* begin(raw("anthropic"), MINE)
      const since = Policy.allow(Policy.deny(Policy.permissive, "read", "b"), "read", "secret/*")
      const live = yield* resume(MINE, since)
      expect((yield* Governor.check(live, "read", "secret/a")).ruling).toBe("deny")
      expect((yield* Governor.check(live, "read", "b")).ruling).toBe("deny")
      expect((yield* Governor.check(live, "read", "c")).ruling).toBe("allow")
      expect((yield* Governor.check(yield* resume(MINE), "read", "b")).ruling).toBe("allow")
    }).pipe(Effect.provide(memory))
  )

  it.effect("law 12: a run that records no policy is not taken up as if everything were allowed", () =>
    Effect.gen(function* () {
      const { base } = yield* imported(claude(encode(joined(abridged()))), balanced("anthropic", 50_000))
      const { config } = yield* Runs.find(hash, base)
      expect("policy" in config).toBe(false)
      const policy = Either.getOrThrow(compile(Policy.permissive))
      for (const given of [policy, undefined]) {
        const refused = yield* Effect.flip(Governor.resume({ log: base, hash, policy: given }))
        expect(refused).toEqual(new Frozen.PolicyMissing({ run: base, frozen: undefined }))
      }
    }).pipe(Effect.provide(memory))
  )

  it("law 7: a configuration without a policy has the name that it always had", () => {
    const config = balanced("anthropic", 50_000)
    expect(decodeUtf8(Config.bodyOf(hash, config).stored.bytes)).toBe(
      '{"line":50000,"lowWater":30000,"preset":"balanced","shape":"anthropic"}'
    )
    expect(Config.fromBytes(Config.bodyOf(hash, config).stored.bytes)).toEqual(Either.right(config))
  })

  it.effect.each([
    ["balanced", balanced("anthropic", 60)],
    ["io-harness", section("anthropic", 300)],
    ["raw", raw("openai-chat")]
  ] as const)("law 7: under %s a resumed run asks the model what an uninterrupted run would have", ([, config]) =>
    Effect.gen(function* () {
      const turns = [
        [user("Begin."), ...read("c1", "a.ts", "one ".repeat(60))],
        [...read("c2", "b.ts", "two ".repeat(60)), ...write("c3", "a.ts")],
        [...read("c4", "a.ts", "three ".repeat(60)), user("Go on.", "u2")],
        [...read("c5", "b.ts", "two ".repeat(60))]
      ]
      const played = (isCut: boolean) =>
        Effect.gen(function* () {
          let live = yield* begin(config, MINE)
          const messages: Array<ReadonlyArray<string>> = []
          for (const entries of turns) {
            if (isCut) live = yield* resume(MINE)
            yield* Governor.observe(live, entries)
            if (isCut) live = yield* resume(MINE)
            messages.push((yield* sent(live)).messages)
          }
          return { messages, audit: yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined) }
        }).pipe(Effect.provide(memory))
      const [cut, uncut] = [yield* played(true), yield* played(false)]
      expect(cut.messages).toEqual(uncut.messages)
      expect(cut.audit).toEqual(uncut.audit)
      expect(cut.audit.findings).toEqual([])
    })
  )
})
