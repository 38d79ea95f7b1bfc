/**
 * Hand-written generators over a small alphabet, so that rules and targets meet often and failures shrink to something
 * one can read.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import * as Act from "../Act.ts"
import type { Granting, Rule } from "../Layer.ts"
import type { Policy } from "../Policy.ts"
import * as Ruling from "../Ruling.ts"

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const act: FastCheck.Arbitrary<Act.Act> = FastCheck.constantFrom(...Act.all)

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const ruling: FastCheck.Arbitrary<Ruling.Ruling> = FastCheck.constantFrom(...Ruling.all)

/**
 * Patterns that are well-formed for every act but `net`: literals, wildcards, names, and characters outside the basic plane.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const pattern: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom("*", "a", "a*", "*a", "*a*", "?", "a/*", "*/b", ".env", "*.key", "h:1", "h", "😀", "?😀"),
  FastCheck.array(FastCheck.constantFrom("a", "b", "*", "?", "/", ".k", "😀"), { minLength: 1, maxLength: 7 }).map(
    (pieces) =>
      pieces
        .join("")
        .replace(/\/+/g, "/")
        .replace(/(.)\/$/, "$1")
  )
)

/**
 * Patterns for `net`, in the form that canonical endpoints have.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const endpointPattern: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom(
    "*",
    "h",
    "h:1",
    "h:*",
    "*:1",
    "?",
    "*.h",
    "a.h",
    "a",
    "a*",
    "h:80",
    "::1",
    "127.0.0.1",
    "*:443"
  ),
  FastCheck.array(FastCheck.constantFrom("a", "h", "*", "?", "."), { minLength: 1, maxLength: 5 }).map((pieces) =>
    pieces
      .join("")
      .replace(/\.+/g, ".")
      .replace(/^\.|\.$/g, "*")
  )
)

/**
 * A pattern that is well-formed for an act.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const patternOf = (act: Act.Act): FastCheck.Arbitrary<string> => (act === "net" ? endpointPattern : pattern)

/**
 * Paths and names, canonical or not.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const target: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom("a", "./a", "a/b", "a//b", "b/../a", ".env", "a/.env", "h:1", "h:2", "h", "H:1", "x.key"),
  FastCheck.array(FastCheck.constantFrom("a", "b", "/", ".", ".k", "😀", "\n"), { maxLength: 8 }).map((pieces) =>
    pieces.join("")
  )
)

/**
 * Endpoints, canonical or not: hosts, ports, URLs and addresses.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const endpoint: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.constantFrom("h", "h:1", "h:2", "H.:80", "a.h:443", "a", "aa:1", "::1", "[::1]:443", "127.0.0.1:80"),
  FastCheck.constantFrom(
    "http://h/a",
    "https://a@a.h/?h",
    "//h",
    "wss:\\\\h",
    "[0:0:0::1]",
    "http://0x7f.1/",
    "http://H:1#a"
  ),
  FastCheck.array(FastCheck.constantFrom("a", "h", ".", ":", "1", "/", "@"), { maxLength: 6 }).map((pieces) =>
    pieces.join("")
  )
)

/**
 * A target of an act, canonical or not.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const targetOf = (act: Act.Act): FastCheck.Arbitrary<string> => (act === "net" ? endpoint : target)

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const rule: FastCheck.Arbitrary<Rule> = act.chain((act) =>
  FastCheck.record({ act: FastCheck.constant(act), ruling, pattern: patternOf(act) })
)

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const layer: FastCheck.Arbitrary<Granting> = FastCheck.record({
  name: FastCheck.constantFrom("machine", "project", "session"),
  rules: FastCheck.array(rule, { maxLength: 5 })
})

/**
 * Policies as their authors write them: no narrowing layer.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const policy: FastCheck.Arbitrary<Policy> = FastCheck.record({
  layers: FastCheck.array(layer, { maxLength: 3 }),
  defaults: FastCheck.record({ read: ruling, write: ruling, exec: ruling, net: ruling })
})

/**
 * A question: an act on a target.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const question: FastCheck.Arbitrary<{ readonly act: Act.Act; readonly target: string }> = act.chain((act) =>
  FastCheck.record({ act: FastCheck.constant(act), target: targetOf(act) })
)
