/**
 * The port to the files that a run works on: read one again, and say what was found. Whoever implements it confines every
 * path to its root; the policy of now has been asked before about the target (law 12). What only the reader finds out, as
 * where a link leads, it answers for: a refusal has its verdict, to be recorded, and a text the name that it really has.
 * Empty, missing, binary, unreadable and refused are five answers, not one (mending IO-W20).
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import type * as SectionReread from "@palimpsest/compaction/SectionReread"
import { canonical } from "@palimpsest/policy/Target"
import type { Verdict } from "@palimpsest/policy/Verdict"

/**
 * What stands at a target. `real` is the canonical name, in the root, of the file that was read, after all links. A refusal
 * is told twice: `verdict` and the canonical `name` that it is about are for the operator, `why` is for the model and names
 * neither.
 *
 * @since 0.1.0
 * @category models
 */
export type Contents =
  | { readonly _tag: "Text"; readonly text: string; readonly real: string }
  | { readonly _tag: "Empty" }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Binary" }
  | { readonly _tag: "Unreadable"; readonly why: string }
  | { readonly _tag: "Refused"; readonly verdict: Verdict; readonly name: string; readonly why: string }

/**
 * @since 0.1.0
 * @category tags
 */
export class Workspace extends Context.Tag("@palimpsest/governor/Workspace")<
  Workspace,
  { readonly read: (target: string) => Effect.Effect<Contents> }
>() {}

/**
 * Files in memory, with a way to change them. What is no UTF-8, or has a NUL, is binary, as it is on a disk.
 *
 * @since 0.1.0
 * @category models
 */
export interface Files {
  readonly set: (target: string, contents: string | Uint8Array) => Effect.Effect<void>
  readonly remove: (target: string) => Effect.Effect<void>
}

/**
 * @since 0.1.0
 * @category tags
 */
export class MemoryFiles extends Context.Tag("@palimpsest/governor/MemoryFiles")<MemoryFiles, Files>() {}

/**
 * A workspace in memory, and the handle that changes it.
 *
 * @since 0.1.0
 * @category layers
 */
export const memory = (files: Readonly<Record<string, string | Uint8Array>>): Layer.Layer<Workspace | MemoryFiles> =>
  Layer.effectContext(
    Effect.map(Ref.make(new Map(Object.entries(files))), (ref) =>
      Context.make(Workspace, {
        read: (target) => Effect.map(Ref.get(ref), (kept) => contentsOf(kept.get(target), target))
      }).pipe(
        Context.add(MemoryFiles, {
          set: (target, contents) => Ref.update(ref, (kept) => new Map(kept).set(target, contents)),
          remove: (target) => Ref.update(ref, (kept) => new Map([...kept].filter(([name]) => name !== target)))
        })
      )
    )
  )

/**
 * The same, in the words of the preset `io-harness`, where a missing file reads as empty.
 *
 * @since 0.1.0
 * @category conversions
 */
export const asSeed = (contents: Contents): SectionReread.Contents => {
  switch (contents._tag) {
    case "Text":
      return { _tag: "Text", text: contents.text }
    case "Empty":
    case "Missing":
      return { _tag: "Text", text: "" }
    case "Binary":
      return { _tag: "Failed", why: "it is not text" }
    case "Unreadable":
    case "Refused":
      return { _tag: "Failed", why: contents.why }
  }
}

const contentsOf = (kept: string | Uint8Array | undefined, target: string): Contents => {
  if (kept === undefined) return { _tag: "Missing" }
  if (kept.length === 0) return { _tag: "Empty" }
  const text = typeof kept === "string" ? kept : decoded(kept)
  return text === undefined || text.includes("\0")
    ? { _tag: "Binary" }
    : { _tag: "Text", text, real: canonical("read", target) }
}

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
