/**
 * Law 12: neither recall nor refresh gives bytes of what the policy of that moment does not allow, under whatever name of a
 * file it denies it; and what may be read is given.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as SynchronizedRef from "effect/SynchronizedRef"
import { decodeUtf8, type Stored } from "@palimpsest/ledger/Body"
import * as Memory from "@palimpsest/ledger/Memory"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import type { Law } from "@palimpsest/ledger/testing/Law"
import { check, compile, type CompiledPolicy } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import type { Ruling } from "@palimpsest/policy/Ruling"
import type { Contents } from "../Workspace.ts"
import { type Implementation, ours } from "./Implementation.ts"
import * as Script from "./Script.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const recalling: Law<Implementation> = {
  number: 12,
  name: "recall gives an entry exactly where the policy of now allows its target and its subject",
  property: ({ recalled }) =>
    FastCheck.property(Script.config, Script.script, policy, (config, script, policy) =>
      Effect.runSync(
        Effect.gen(function* () {
          const { entries } = yield* Script.play(config, ALL, script)
          const right = yield* Effect.forEach(entries, ({ file, seq }) =>
            Effect.map(
              recalled(policy, { run: Script.RUN, address: { seq } }),
              (bytes) => (bytes !== undefined) === (file === undefined || mayRead(policy, file))
            )
          )
          return right.every((one) => one)
        }).pipe(
          Effect.orElseSucceed(() => false),
          Effect.provide(Memory.layer(hash))
        )
      )
    ),
  mutants: [
    recallingUnder("the policy is not asked", () => ALL),
    recallingUnder("the policy of the run's beginning is asked", () => SECRETS),
    recallingUnder("to ask is to be allowed", granted),
    recallingUnder("everything is refused", () => NOTHING)
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const refreshing: Law<Implementation> = {
  number: 12,
  name: "refresh brings nothing of a file that may not be read, by its own name or its real one, and says so in the log",
  property: ({ refresher }) =>
    FastCheck.property(Script.script, policy, FastCheck.constantFrom(...Script.FILES), (script, policy, linked) =>
      Effect.runSync(
        Effect.gen(function* () {
          const unsent = script.filter(({ _tag }) => _tag !== "Prepare")
          const { live } = yield* Script.play(WIDE, ALL, unsent)
          const { session } = yield* SynchronizedRef.get(live.state)
          const bodies: Array<Stored> = []
          const asked: Array<string> = []
          const read = (target: string) =>
            Effect.sync((): Contents => {
              asked.push(target)
              const real = target === "a.ts" ? linked : target
              const verdict = check(policy, "read", real)
              return verdict.ruling === "allow"
                ? { _tag: "Text", text: `BYTES OF ${real}\n`, real }
                : { _tag: "Refused", verdict, name: real, why: "the policy does not allow reading it" }
            })
          const facts = yield* refresher(policy, { read }, bodies).tail(session)
          const brought = bodies.map(({ bytes }) => decodeUtf8(bytes)).join("\n")
          const isGated = facts.some(({ _tag }) => _tag === "Gated")
          const expected = staleIn(unsent).map((file) => ({ file, real: file === "a.ts" ? linked : file }))
          const isFor = (names: { readonly file: string; readonly real: string }) =>
            mayRead(policy, names.file) && mayRead(policy, names.real)
          return (
            asked.every((target) => mayRead(policy, target)) &&
            expected.every((names) => brought.includes(`now]\nBYTES OF ${names.real}\n`) || !isFor(names)) &&
            Script.FILES.every((file) => mayRead(policy, file) || !brought.includes(`BYTES OF ${file}`)) &&
            isGated === expected.some((names) => !isFor(names)) &&
            facts.every(
              (fact) =>
                fact._tag !== "Entered" ||
                fact.observation?.subject !== "file:a.ts" ||
                linked === "a.ts" ||
                fact.observation.also?.[0] === `file:${linked}`
            )
          )
        }).pipe(
          Effect.orElseSucceed(() => false),
          Effect.provide(Memory.layer(hash))
        )
      )
    ),
  mutants: [
    refreshingUnder("the policy is not asked", () => ALL),
    refreshingUnder("to ask is to be allowed", granted),
    refreshingUnder("the policy of the run's beginning is asked", () => SECRETS),
    {
      name: "what the workspace refuses is only missing",
      implementation: reading((contents) => (contents._tag === "Refused" ? { _tag: "Missing" } : contents))
    },
    {
      name: "the name that a file really has is forgotten",
      implementation: reading((contents, target) =>
        contents._tag === "Text" ? { ...contents, real: target } : contents
      )
    },
    {
      name: "nothing is read again",
      implementation: {
        ...ours,
        refresher: (...given) => ({ ...ours.refresher(...given), tail: () => Effect.succeed([]) })
      }
    }
  ]
}

/** The canonical name is the last word: the shown target differs from it by a step that goes nowhere. */
const mayRead = (policy: CompiledPolicy, file: string): boolean => check(policy, "read", file).ruling === "allow"

/** The files that were written after they were read, and not read since. */
const staleIn = (acts: ReadonlyArray<Script.Act>): ReadonlyArray<string> =>
  Script.FILES.filter((file) => {
    const last = (tag: "Read" | "Write") => acts.findLastIndex((act) => act._tag === tag && act.file === file)
    return last("Read") >= 0 && last("Read") < last("Write")
  })

const compiled = (policy: Policy.Policy): CompiledPolicy => Either.getOrThrow(compile(policy))
const ALL = compiled(Policy.permissive)
const SECRETS = compiled(Policy.builtin)
const NOTHING = compiled({ layers: [], defaults: { read: "deny", write: "deny", exec: "deny", net: "deny" } })
const WIDE = { preset: "balanced", shape: "anthropic", line: 50_000, lowWater: 30_000 } as const

/** Policies that tell the files of a script apart, by folder, ending, name and default. */
const policy: FastCheck.Arbitrary<CompiledPolicy> = FastCheck.tuple(
  FastCheck.constantFrom<Ruling>("allow", "ask", "deny"),
  FastCheck.array(
    FastCheck.tuple(
      FastCheck.constantFrom<Ruling>("allow", "ask", "deny"),
      FastCheck.constantFrom("private/*", "ask/*", "*.ts", "a.ts", "src/*", "d.ts", "*deep*")
    ),
    { maxLength: 4 }
  )
).map(([read, rules]) =>
  compiled(
    rules.reduce<Policy.Policy>((policy, [ruling, pattern]) => Policy.rule(policy, "read", ruling, pattern), {
      layers: [],
      defaults: { ...Policy.permissive.defaults, read }
    })
  )
)

/** The same policy by somebody who takes a question for a yes. */
function granted({ policy }: CompiledPolicy): CompiledPolicy {
  const yes = (ruling: Ruling): Ruling => (ruling === "ask" ? "allow" : ruling)
  return compiled({
    layers: policy.layers.map(({ name, rules }) => ({
      name,
      rules: rules.map((rule) => ({ ...rule, ruling: yes(rule.ruling) }))
    })),
    defaults: { ...policy.defaults, read: yes(policy.defaults.read) }
  })
}

function recallingUnder(name: string, under: (policy: CompiledPolicy) => CompiledPolicy) {
  const recalled: Implementation["recalled"] = (policy, address) => ours.recalled(under(policy), address)
  return { name, implementation: { ...ours, recalled } }
}

/** It asks its own policy, and a workspace that has no other. */
function refreshingUnder(name: string, under: (policy: CompiledPolicy) => CompiledPolicy) {
  const refresher: Implementation["refresher"] = (policy, workspace, bodies) =>
    ours.refresher(under(policy), workspace, bodies)
  return { name, implementation: { ...ours, refresher } }
}

function reading(change: (contents: Contents, target: string) => Contents): Implementation {
  return {
    ...ours,
    refresher: (policy, { read }, bodies) =>
      ours.refresher(
        policy,
        { read: (target) => Effect.map(read(target), (contents) => change(contents, target)) },
        bodies
      )
  }
}
