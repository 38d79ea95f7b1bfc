/**
 * A confined read: the one way to a file's bytes, for refresh, recall and whatever else reads. What is checked is what was
 * opened, not its name.
 *
 *     policy of now on the target ─> walk, each link's text as a name of its own ─> hold ─> policy on the real name
 *       ─> regular? one name? not too large? ─> open what is held ─> still there, still the same? ─> read ─> the same? ─> digest
 *
 * Law 12. Each name that is met on the way needs leave (the target, what each link makes of it, the real name as its folder
 * spells it); `ask` is a refusal. The answers that are not in the picture:
 *
 * - A link that leads out of the root refuses, even where a later link leads back in.
 * - A file of several hard links refuses, under any policy: its other names cannot be known, and may lie outside.
 * - A rule that begins with `/`, or a drive, is meant for absolute paths, so it is tried on the file's absolute path too.
 * - What changes while it is read is tried again, then unreadable. Bytes of two versions are never joined.
 *
 * It reads synchronously: at most `limits.bytes`, and nothing of the process runs between its checks.
 *
 * @since 0.1.0
 */
import { digestOf, TEXT } from "@palimpsest/ledger/Body"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { check, type CompiledPolicy, explain } from "@palimpsest/policy/Check"
import * as Target from "@palimpsest/policy/Target"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { createHash } from "node:crypto"
import * as fs from "node:fs"
import type { Answer, Fault, Found, Refusal } from "./Answer.ts"
import { readWhole, textOf } from "./internal/bytes.ts"
import { codeOf, isMissing, isSwapped } from "./internal/errno.ts"
import { type Handles, handlesOf, type Held, isSame, type Trail } from "./internal/handles.ts"
import { type Walked, walk } from "./internal/walk.ts"
import { resolve, type Root } from "./Root.ts"

/**
 * `bytes` is the size of the largest file that is read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Limits {
  readonly bytes: number
}

/**
 * 4 MiB: more than any context holds.
 *
 * @since 0.1.0
 * @category constants
 */
export const LIMITS: Limits = { bytes: 4 * 1024 * 1024 }

/**
 * Reads a target, relative to the root, under a policy.
 *
 * @since 0.1.0
 * @category reading
 */
export const read = (
  root: Root,
  policy: CompiledPolicy,
  target: string,
  limits: Limits = LIMITS
): Effect.Effect<Answer> => Effect.sync(() => answer(root, policy, target, limits))

const TRIES = 3

const answer = (root: Root, policy: CompiledPolicy, target: string, limits: Limits): Answer => {
  const resolved = resolve(target)
  if (Either.isLeft(resolved)) return refused(target, { _tag: "Escapes", way: resolved.left.way })
  const judge = judgeOf(policy)
  const denied = judge(resolved.right)
  if (denied !== undefined) return refused(target, denied)
  const handles = handlesOf(root)
  for (let left = TRIES; left > 0; left--) {
    try {
      const roots = [...new Set([handles.place(), root.real, root.path])]
      const found = walk(handles, roots, resolved.right, judge, (walked) =>
        use(handles, policy, target, limits, walked)
      )
      if (found !== "Changed") return found
    } catch (error) {
      const code = codeOf(error)
      if (code === undefined) throw error
      if (!isMissing(code) && !isSwapped(code)) return unreadable({ _tag: "System", code })
    }
  }
  return unreadable({ _tag: "Changed" })
}

const use = (
  handles: Handles,
  policy: CompiledPolicy,
  target: string,
  limits: Limits,
  walked: Walked<Refusal>
): Answer | "Changed" => {
  switch (walked._tag) {
    case "There": {
      const { held, trail } = walked
      const refusal = linked(held, trail) ?? ruledAbsolute(policy, handles.place(), trail.real)
      if (refusal !== undefined) return refused(target, refusal)
      const fault = specialOf(handles, held) ?? tooLarge(held, limits)
      return fault === undefined ? readHeld(handles, held, trail) : unreadable(fault)
    }
    case "Judged":
      return refused(target, walked.refusal)
    case "Outside":
      return refused(target, walked)
    case "Missing":
      return walked
    case "Loop":
      return unreadable(walked)
    case "Gone":
      return unreadable({ _tag: "RootGone" })
  }
}

const readHeld = (handles: Handles, held: Held, trail: Trail): Found | "Changed" => {
  const descriptor = handles.open(held)
  try {
    const isStill = () =>
      isSame(fs.fstatSync(descriptor, { bigint: true }), held.stat) && handles.isAt(descriptor, trail)
    // Before a byte is read: in the way of names, what was opened may be another file than the one that was judged.
    if (!isStill()) return "Changed"
    const bytes = readWhole(descriptor, Number(held.stat.size))
    if (bytes === undefined || !isStill()) return "Changed"
    const text = textOf(bytes)
    return {
      _tag: "Found",
      contents: text === undefined ? { _tag: "Binary" } : text === "" ? { _tag: "Empty" } : { _tag: "Text", text },
      real: trail.real,
      bytes: bytes.length,
      digest: digestOf(sha256, text === undefined ? "application/octet-stream" : TEXT, bytes)
    }
  } finally {
    fs.closeSync(descriptor)
  }
}

const judgeOf =
  (policy: CompiledPolicy) =>
  (name: string): Refusal | undefined => {
    const verdict = check(policy, "read", name)
    return verdict.ruling === "allow"
      ? undefined
      : { _tag: "Ruled", name: Target.canonical("read", name, policy.platform), verdict }
  }

/** Only rules that mean absolute paths: any other could match on what the root itself is called. */
const ruledAbsolute = (policy: CompiledPolicy, place: string, real: string): Refusal | undefined => {
  const name = Target.canonical("read", `${place}/${real}`, policy.platform)
  const deciding = explain(policy, "read", name).considered.find(
    ({ matched, rule }) => matched && rule.ruling !== "allow" && isAbsolute(rule.pattern)
  )
  if (deciding === undefined) return undefined
  const { layer, rule } = deciding
  return { _tag: "Ruled", name, verdict: { ruling: rule.ruling, rule: rule.pattern, layer } }
}

const isAbsolute = (pattern: string): boolean => /^(?:[/\\]|[A-Za-z]:)/.test(pattern)

const linked = ({ stat }: Held, { real }: Trail): Refusal | undefined =>
  stat.isDirectory() || stat.nlink <= 1n ? undefined : { _tag: "Linked", real, links: stat.nlink }

const specialOf = (handles: Handles, held: Held): Fault | undefined => {
  const { stat } = held
  const special = (kind: Extract<Fault, { readonly _tag: "Special" }>["kind"]): Fault => ({ _tag: "Special", kind })
  if (stat.isDirectory()) return special("folder")
  if (stat.isFIFO()) return special("FIFO")
  if (stat.isSocket()) return special("socket")
  if (!stat.isFile()) return special("device")
  return handles.isPseudo(held) ? special("pseudo-file") : undefined
}

/** Asked so that no limit is one that nothing passes: NaN refuses everything. */
const tooLarge = ({ stat }: Held, { bytes }: Limits): Fault | undefined =>
  Number(stat.size) <= bytes ? undefined : { _tag: "TooLarge", bytes: stat.size, limit: bytes }

const refused = (target: string, refusal: Refusal): Answer => ({ _tag: "Refused", target, refusal })

const unreadable = (fault: Fault): Answer => ({ _tag: "Unreadable", fault })

const sha256: Hasher = (...parts) => {
  const sha = createHash("sha256")
  for (const part of parts) sha.update(part)
  return sha.digest("hex") as Digest
}
