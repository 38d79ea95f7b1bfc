/**
 * What a confined read answers. A refusal has two readers: the operator gets the rule, the layer, the link and the real
 * name; the model gets words that say no more than it knew (mending IO-W20).
 *
 *     Answer ─┬─ contents ──> what the model may be told (and, of a refusal, the event to record)
 *             └─ explain ───> what the operator is told, of a refusal
 *
 * @since 0.1.0
 */
import type { Contents } from "@palimpsest/governor/Workspace"
import type { Digest } from "@palimpsest/ledger/Ids"
import { canonical } from "@palimpsest/policy/Target"
import type { Verdict } from "@palimpsest/policy/Verdict"
import { escapes, type Way } from "./Root.ts"

/**
 * @since 0.1.0
 * @category models
 */
export type Answer = Found | Missing | Unreadable | Refused

/**
 * A regular file that was read whole. `real` is its canonical path in the root after all links, `digest` the digest of a
 * body with these bytes (`text/plain` where they are text, else `application/octet-stream`).
 *
 * @since 0.1.0
 * @category models
 */
export interface Found {
  readonly _tag: "Found"
  readonly contents:
    | { readonly _tag: "Text"; readonly text: string }
    | { readonly _tag: "Empty" }
    | { readonly _tag: "Binary" }
  readonly real: string
  readonly bytes: number
  readonly digest: Digest
}

/**
 * Nothing stands there, or a link whose end does not.
 *
 * @since 0.1.0
 * @category models
 */
export interface Missing {
  readonly _tag: "Missing"
}

/**
 * Something stands there that is not read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unreadable {
  readonly _tag: "Unreadable"
  readonly fault: Fault
}

/**
 * Why something is not read: it is no stored file; it has more bytes than are read; it changed on every try; its links
 * lead in a circle; the root is not the folder that was opened; or the system's code.
 *
 * @since 0.1.0
 * @category models
 */
export type Fault =
  | { readonly _tag: "Special"; readonly kind: "folder" | "FIFO" | "socket" | "device" | "pseudo-file" }
  | { readonly _tag: "TooLarge"; readonly bytes: bigint; readonly limit: number }
  | { readonly _tag: "Changed" }
  | { readonly _tag: "Loop" }
  | { readonly _tag: "RootGone" }
  | { readonly _tag: "System"; readonly code: string }

/**
 * It may not be read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Refused {
  readonly _tag: "Refused"
  readonly target: string
  readonly refusal: Refusal
}

/**
 * Why: the target's words leave the root; a link does; policy does not allow a name of the file (the target's own, or
 * `name`, which it has as well); or it has `links` names, of which the others are not known.
 *
 * @since 0.1.0
 * @category models
 */
export type Refusal =
  | { readonly _tag: "Escapes"; readonly way: Way }
  | { readonly _tag: "Outside"; readonly link: string; readonly to: string }
  | { readonly _tag: "Ruled"; readonly name: string; readonly verdict: Verdict }
  | { readonly _tag: "Linked"; readonly real: string; readonly links: bigint }

/**
 * What the model may be told.
 *
 * @since 0.1.0
 * @category telling
 */
export const contents = (answer: Answer): Contents => {
  switch (answer._tag) {
    case "Found":
      return answer.contents._tag === "Text" ? { ...answer.contents, real: answer.real } : answer.contents
    case "Missing":
      return answer
    case "Unreadable":
      return { _tag: "Unreadable", why: faultWords(answer.fault) }
    case "Refused":
      return { _tag: "Refused", verdict: verdict(answer), name: nameOf(answer), why: refusalWords(answer) }
  }
}

/**
 * What the operator is told of a refusal: the seed's sentence, and behind it what was found. Source: IO-41.
 *
 * @since 0.1.0
 * @category telling
 */
export const explain = (refused: Refused): string => {
  const { refusal, target } = refused
  if (refusal._tag === "Escapes") return escapes(target)
  const { layer, rule } = verdict(refused)
  const by = rule === undefined ? "by default" : `rule ${rule} in layer ${layer ?? ""}`
  return `refused by policy: read ${target} (${by})${found(refused)}`
}

/**
 * A refusal as a verdict, to be recorded. What leaves the root, and what has unknown names, is denied by rules that no
 * policy lifts, of the layer `workspace`.
 *
 * @since 0.1.0
 * @category telling
 */
export const verdict = ({ refusal }: Refused): Verdict => {
  switch (refusal._tag) {
    case "Ruled":
      return refusal.verdict
    case "Escapes":
    case "Outside":
      return { ruling: "deny", rule: OUTSIDE, layer: LAYER }
    case "Linked":
      return { ruling: "deny", rule: LINKED, layer: LAYER }
  }
}

/** What the verdict is about: a name of the file that was found, where one was, else the target. */
const nameOf = ({ refusal, target }: Refused): string => {
  switch (refusal._tag) {
    case "Ruled":
      return refusal.name
    case "Linked":
      return refusal.real
    case "Escapes":
    case "Outside":
      return canonical("read", target)
  }
}

/** The seed's name for the rule. */
const OUTSIDE = "<resolves outside workspace root>"
const LINKED = "<has other names>"
const LAYER = "workspace"

const found = ({ refusal, target }: Refused): string => {
  switch (refusal._tag) {
    case "Outside":
      return `: ${refusal.link} links to ${refusal.to}`
    case "Ruled":
      return refusal.name === target ? "" : `: it is ${refusal.name}`
    case "Linked":
      return `: ${refusal.real} has ${refusal.links} names`
    case "Escapes":
      return ""
  }
}

const refusalWords = ({ refusal, target }: Refused): string => {
  switch (refusal._tag) {
    case "Escapes":
    case "Outside":
      return escapes(target)
    case "Ruled":
      return "the policy does not allow reading it"
    case "Linked":
      return "it has other names, for which the policy cannot be asked"
  }
}

const faultWords = (fault: Fault): string => {
  switch (fault._tag) {
    case "Special":
      return `it is a ${fault.kind}, not a file`
    case "TooLarge":
      return `it has ${fault.bytes} bytes, and no more than ${fault.limit} are read`
    case "Changed":
      return "it changed while it was read"
    case "Loop":
      return "its links lead in a circle"
    case "RootGone":
      return "the workspace is not where it was"
    case "System":
      return `the system says ${fault.code}`
  }
}
