/**
 * Generators of facts and their parts: every tag, every optional key present and absent.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type * as Fact from "../Fact.ts"
import { Digest, LogId, type Seq, type Step } from "../Ids.ts"
import type { Part, Role } from "../Part.ts"
import { body, observation } from "./Arbitraries.ts"

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const part: FastCheck.Arbitrary<Part> = FastCheck.oneof(
  body.map((said): Part => ({ _tag: "Text", body: said })),
  body.map((args): Part => ({ _tag: "Call", call: "call_1", name: "Read", args })),
  FastCheck.tuple(
    FastCheck.constantFrom("ok" as const, "error" as const, "pending" as const),
    body,
    FastCheck.array(body, { maxLength: 2 })
  ).map(([status, first, rest]): Part => ({ _tag: "Result", call: "call_1", status, blocks: [first, ...rest] })),
  FastCheck.tuple(body, FastCheck.nat({ max: 99 })).map(([thought, signature]): Part => ({
    _tag: "Reasoning",
    body: thought,
    signature
  })),
  body.map((image): Part => ({ _tag: "Media", body: { ...image, encoding: "bytes" } })),
  body.map((block): Part => ({ _tag: "Opaque", type: "citation", body: block }))
)

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const fact: FastCheck.Arbitrary<Fact.Fact> = FastCheck.tuple(
  FastCheck.integer({ min: 0, max: 9 }).map((n) => n as Step),
  FastCheck.integer({ min: 1, max: 9 }).map((n) => n as Seq),
  body,
  part,
  observation,
  FastCheck.boolean(),
  FastCheck.nat({ max: 6 })
).map(([step, seq, held, brought, seen, optional, tag]): Fact.Fact => {
  switch (tag) {
    case 0:
      return { _tag: "Began", step, config: held, ...(optional ? { parent: { log: PARENT, call: seq } } : {}) }
    case 1:
      return { _tag: "Aside", step, type: "progress", record: held, line: seq }
    case 2:
      return { _tag: "Restarted", step, why: optional ? "fork" : "client-compaction", keeps: optional ? [] : [seq] }
    case 3:
      return { _tag: "Cleared", step, entries: [seq], put: "[cleared]" }
    case 4:
      return { _tag: "Ended", step, epitaph: optional ? "died" : "final-response" }
    case 5:
      return { _tag: "Sourced", step, format: "claude-code", records: step, tail: held }
    default:
      return {
        _tag: "Entered",
        step,
        message: "m1",
        role: ROLES[seq % ROLES.length]!,
        part: brought,
        ...(optional ? { observation: seen } : {}),
        origin: optional ? { _tag: "Made" } : { _tag: "Read", line: seq, record: held.digest, path: "/0" }
      }
  }
})

const PARENT = LogId.make("parent")
const ROLES: ReadonlyArray<Role> = ["system", "user", "assistant", "tool"]

/**
 * A digest of nothing in particular.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const digest: FastCheck.Arbitrary<Digest> = FastCheck.hexaString({ minLength: 64, maxLength: 64 }).map((hex) =>
  Digest.make(hex)
)
