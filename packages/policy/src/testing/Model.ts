/**
 * An independent model of what a policy says: a matcher that recurses over scalar values, a scan over all rules in the
 * order that the spec gives, and things together with the ways to spell them. It shares no code with what it is held
 * against, and is written for obviousness, not for speed.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Act } from "../Act.ts"
import type { Layer } from "../Layer.ts"
import type { Platform } from "../Platform.ts"
import type { Policy } from "../Policy.ts"
import type { Ruling } from "../Ruling.ts"
import type { Verdict } from "../Verdict.ts"

/**
 * A thing that acts are done to: its one name, what rules are tried on, and another way to write it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Thing {
  readonly act: Act
  readonly name: string
  readonly subjects: ReadonlyArray<string>
  readonly spelled: string
}

/**
 * Whether a pattern matches a text, both as scalar values.
 *
 * @since 0.1.0
 * @category models
 */
export const matches = (pattern: ReadonlyArray<string>, text: ReadonlyArray<string>): boolean => {
  const [first, ...rest] = pattern
  if (first === undefined) return text.length === 0
  if (first === "*") return matches(rest, text) || (text.length > 0 && matches(pattern, text.slice(1)))
  return text.length > 0 && (first === "?" || first === text[0]) && matches(rest, text.slice(1))
}

/**
 * What a policy of canonical patterns says of a thing, by name.
 *
 * @since 0.1.0
 * @category models
 */
export const verdict = ({ defaults, layers }: Policy, thing: Pick<Thing, "act" | "subjects">): Verdict => {
  const first = (ruling: Ruling, among: ReadonlyArray<Layer>): Verdict | undefined => {
    for (const { name, rules } of among) {
      for (const rule of rules) {
        const applies = rule.act === thing.act && rule.ruling === ruling
        if (applies && thing.subjects.some((subject) => matches([...rule.pattern], [...subject]))) {
          return { ruling, rule: rule.pattern, layer: name }
        }
      }
    }
    return undefined
  }
  const granting = layers.filter((layer) => !("narrowing" in layer))
  const denied = first("deny", layers)
  if (denied !== undefined) return denied
  if (first("ask", granting) !== undefined) return first("ask", layers) ?? { ruling: "ask" }
  const answer = first("allow", granting) ?? { ruling: defaults[thing.act] }
  return answer.ruling === "deny" ? answer : (first("ask", layers) ?? answer)
}

/**
 * What rules are tried on for a thing of this name: the name, and its base name, or its host.
 *
 * @since 0.1.0
 * @category models
 */
export const subjectsOf = (act: Act, name: string): ReadonlyArray<string> => {
  const [last = name] = name.split("/").slice(-1)
  const hosts = act === "net" && /^(\[.*\]|[^:]*):[0-9]*$/.test(name) ? [name.slice(0, name.lastIndexOf(":"))] : []
  return [name, last === "" ? name : last, ...hosts.map((host) => host.replace(/^\[|\]$/g, ""))]
}

/**
 * Files, names of tools and endpoints, each with a spelling that a platform takes for the same.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const thing = (platform: Platform): FastCheck.Arbitrary<Thing> => FastCheck.oneof(file(platform), tool, endpoint)

const file = ({ caseFolding, separators }: Platform): FastCheck.Arbitrary<Thing> =>
  FastCheck.record({
    act: FastCheck.constantFrom<Act>("read", "write"),
    segments: FastCheck.array(FastCheck.constantFrom("a", "b", ".k", ".env", "a.key", "ab", "😀", "é"), {
      minLength: 1,
      maxLength: 4
    }),
    noise: FastCheck.array(FastCheck.constantFrom("", "./", "/", "x/../", "././/"), { minLength: 4, maxLength: 4 }),
    start: FastCheck.constantFrom("", "./", "b/..//"),
    end: FastCheck.constantFrom("", "/", "/.", "/b/.."),
    isLoud: FastCheck.boolean()
  }).map(({ act, end, isLoud, noise, segments, start }) => {
    const isWindows = separators !== "/" && isLoud
    const path = segments
      .map((segment, i) => `${i === 0 ? start : (noise[i] ?? "")}${segment}${isWindows ? ". " : ""}`)
      .join("/")
      .concat(end)
    const cased = caseFolding && isLoud ? path.toUpperCase().normalize("NFD") : path
    const name = segments.join("/")
    return { act, name, subjects: subjectsOf(act, name), spelled: isWindows ? cased.replaceAll("/", "\\") : cased }
  })

const tool: FastCheck.Arbitrary<Thing> = FastCheck.constantFrom("a", "A", "a/b", "./a", "h:1", "b.key", "😀").map(
  (name) => ({
    act: "exec",
    name,
    subjects: subjectsOf("exec", name),
    spelled: name
  })
)

const endpoint: FastCheck.Arbitrary<Thing> = FastCheck.record({
  host: FastCheck.constantFrom(
    ["h", "h", "H", "h.", "H."],
    ["a.h", "a.h", "A.h.", "ａ.h", "%61.h"],
    ["127.0.0.1", "127.0.0.1", "127.1", "0x7f.1", "2130706433"],
    ["::1", "[::1]", "[0:0:0:0:0:0:0:1]", "[0::0001]"],
    ["xn--tda", "xn--tda", "ü", "Ü", "u\u0308"]
  ),
  way: FastCheck.nat({ max: 4 }),
  port: FastCheck.constantFrom(undefined, 1, 80, 443, 65_535),
  scheme: FastCheck.constantFrom(
    ["", undefined],
    ["http://", 80],
    ["HTTPS:\\\\", 443],
    ["wss:/", 443],
    ["\thttp:", 80]
  ),
  user: FastCheck.constantFrom("", "a@", "h:1@"),
  path: FastCheck.constantFrom("", "/", "/a/../b", "?h:2", "#@h", "\\@h")
}).map(({ host, path, port, scheme: [scheme, standard], user, way }) => {
  const [name = "", ...ways] = host
  const known = port ?? standard
  const isV6 = name.includes(":")
  const whole = known === undefined ? name : `${isV6 ? `[${name}]` : name}:${known}`
  const spelled = `${scheme}${user}${ways[way % ways.length] ?? name}${port === undefined ? "" : `:${port}`}${path}`
  return { act: "net", name: whole, subjects: subjectsOf("net", whole), spelled }
})
