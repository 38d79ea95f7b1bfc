/**
 * Entries made by hand: what a host tells a run, before it has a place in the log. Each comes with the bodies to store.
 *
 * @since 0.1.0
 */
import { digestOf, encodeUtf8, JSON_MEDIA, ownText, type Body, type Stored } from "@palimpsest/ledger/Body"
import { sorted } from "@palimpsest/ledger/Canonical"
import type { Entered } from "@palimpsest/ledger/Fact"
import { scalarsOf } from "@palimpsest/ledger/Body"
import type { Observation } from "@palimpsest/ledger/Observation"
import type { Hasher } from "@palimpsest/ledger/Sha256"

/**
 * An entry without its step, and the bodies that it needs.
 *
 * @since 0.1.0
 * @category models
 */
export interface EntryDraft {
  readonly entry: (hash: Hasher) => {
    readonly entered: Omit<Entered, "_tag" | "step">
    readonly bodies: ReadonlyArray<Stored>
  }
}

/**
 * What someone said. `message` groups the parts of one message.
 *
 * @since 0.1.0
 * @category constructors
 */
export const said = (role: "system" | "user" | "assistant", message: string, text: string): EntryDraft => ({
  entry: (hash) => {
    const { body, stored } = ownText(hash, text)
    const observation: Observation = { kind: "message", covers: { _tag: "All" }, classifier: "host" }
    return {
      entered: {
        message,
        role,
        part: { _tag: "Text", body },
        ...(role === "assistant" ? { observation } : {}),
        origin: { _tag: "Made" }
      },
      bodies: [stored]
    }
  }
})

/**
 * A call of the model.
 *
 * @since 0.1.0
 * @category constructors
 */
export const called = (message: string, call: string, name: string, args: unknown): EntryDraft => ({
  entry: (hash) => {
    const { body, stored } = jsonBody(hash, args)
    return {
      entered: { message, role: "assistant", part: { _tag: "Call", call, name, args: body }, origin: { _tag: "Made" } },
      bodies: [stored]
    }
  }
})

/**
 * The result of a call, with what it is an observation of: `Classify.observe` of the transcript package says so for many
 * agents' tools.
 *
 * @since 0.1.0
 * @category constructors
 */
export const result = (message: string, call: string, text: string, observation: Observation): EntryDraft => ({
  entry: (hash) => {
    const { body, stored } = ownText(hash, text)
    const status = observation.kind === "error" ? "error" : "ok"
    return {
      entered: {
        message,
        role: "tool",
        part: { _tag: "Result", call, status, blocks: [body] },
        observation,
        origin: { _tag: "Made" }
      },
      bodies: [stored]
    }
  }
})

/**
 * The classifier of what was read again: it is known what that is of, as the run itself asked for it.
 *
 * @since 0.1.0
 * @category constants
 */
export const REREAD = "refresh"

/**
 * A file that was read again, or a word about one that could not be: an observation of its own, at the tail.
 *
 * @since 0.1.0
 * @category constructors
 */
export const reread = (message: string, text: string, observation: Observation | undefined): EntryDraft => ({
  entry: (hash) => {
    const { body, stored } = ownText(hash, text)
    return {
      entered: {
        message,
        role: "user",
        part: { _tag: "Text", body },
        ...(observation === undefined ? {} : { observation }),
        origin: { _tag: "Made" }
      },
      bodies: [stored]
    }
  }
})

const jsonBody = (hash: Hasher, value: unknown): { readonly body: Body; readonly stored: Stored } => {
  const text = sorted(value)
  const bytes = encodeUtf8(text)
  const digest = digestOf(hash, JSON_MEDIA, bytes)
  const size = { bytes: bytes.length, scalars: scalarsOf(text) }
  return {
    body: { digest, encoding: "json", media: JSON_MEDIA, size, at: { _tag: "Own" } },
    stored: { digest, media: JSON_MEDIA, bytes }
  }
}
