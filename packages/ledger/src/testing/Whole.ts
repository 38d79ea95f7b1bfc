/**
 * Law 2: every body comes back byte-exact, and the steps in order are the full log.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Body from "../Body.ts"
import type { Entry } from "../Ledger.ts"
import * as Resolve from "../Resolve.ts"
import * as Arbitraries from "./Arbitraries.ts"
import { ours, type Implementation, type Value } from "./Implementation.ts"
import type { Law } from "./Law.ts"

/**
 * Any text, lone surrogates included, comes back as it was, and no two texts share a digest.
 *
 * @since 0.1.0
 * @category laws
 */
export const bodies: Law<Implementation> = {
  number: 2,
  name: "a text comes back as it was, and another text has another digest",
  property: ({ ownText, textOf }) =>
    FastCheck.property(Arbitraries.text, Arbitraries.text, (text, other) => {
      const { body, stored } = ownText(text)
      return (
        textOf(body, stored.bytes) === text &&
        body.size.bytes === stored.bytes.length &&
        body.size.scalars === Array.from(text).length &&
        (ownText(other).body.digest === body.digest) === (text === other)
      )
    }),
  mutants: [
    {
      name: "lone surrogates are left to UTF-8",
      implementation: {
        ...ours,
        ownText: (text) => {
          const bytes = Body.encodeUtf8(text)
          const digest = Body.digestOf(ours.hash, Body.TEXT, bytes)
          const { body } = ours.ownText(text)
          const size = { ...body.size, bytes: bytes.length }
          return { body: { ...body, encoding: "utf8", digest, size }, stored: { digest, media: Body.TEXT, bytes } }
        }
      }
    },
    {
      name: "text is normalised",
      implementation: { ...ours, ownText: (text) => ours.ownText(text.normalize("NFC")) }
    },
    {
      name: "a byte order mark is taken off",
      implementation: { ...ours, textOf: (body, stored) => ours.textOf(body, stored).replace(/^\ufeff/, "") }
    },
    {
      name: "sizes count UTF-16 units",
      implementation: {
        ...ours,
        ownText: (text) => {
          const own = ours.ownText(text)
          return { ...own, body: { ...own.body, size: { ...own.body.size, scalars: text.length } } }
        }
      }
    }
  ]
}

/**
 * A body that is a place inside a record is read out of it, and only if it is the body that was named.
 *
 * @since 0.1.0
 * @category laws
 */
export const places: Law<Implementation> = {
  number: 2,
  name: "a body inside a record comes back as it was, and another text in its place is refused",
  property: ({ ownText, textOf }) =>
    FastCheck.property(Arbitraries.text, Arbitraries.text, (text, other) => {
      const record = (said: string) => Body.encodeUtf8(JSON.stringify({ "a/b": [{ "~": said }] }))
      const { body } = ownText(text)
      const within: Body.Body = { ...body, at: { _tag: "Within", record: body.digest, path: "/a~1b/0/~0" } }
      const misread = Either.try(() => textOf(within, record(other)))
      return textOf(within, record(text)) === text && Either.isRight(misread) === (text === other)
    }),
  mutants: [
    {
      name: "the digest is not checked",
      implementation: {
        ...ours,
        textOf: (_, stored) => String(Resolve.atPointer(Resolve.parseRecord(_.digest, stored), "/a~1b/0/~0"))
      }
    }
  ]
}

/**
 * The logs of the steps, in order and with nothing between them, are the full log; what has no observation is in neither.
 *
 * @since 0.1.0
 * @category laws
 */
export const steps: Law<Implementation> = {
  number: 2,
  name: "the steps in order are the full log",
  property: ({ empty }) =>
    FastCheck.property(
      Arbitraries.entries,
      FastCheck.array(Arbitraries.text, { minLength: 40, maxLength: 40 }),
      (entries, texts) => {
        const value = entries.reduce<Value>((ledger, entry) => ledger.append(entry), empty())
        const read = (position: number) => texts[position]!
        const observed = (entry: Entry, i: number) => (entry.observation === undefined ? "" : read(i))
        const full = entries.map(observed).join("")
        const held = [...new Set(entries.map((entry) => entry.step))]
        return (
          value.fullText(read) === full &&
          value.steps().join() === held.join() &&
          value.steps().every((step) => {
            const own = entries.map((entry, i) => (entry.step === step ? observed(entry, i) : "")).join("")
            return value.textForStep(step, read) === own
          }) &&
          value
            .steps()
            .map((step) => value.textForStep(step, read))
            .join("") === full &&
          value.textForStep((held.at(-1) ?? 0) + 1, read) === ""
        )
      }
    ),
  mutants: [
    {
      name: "texts are joined by line breaks",
      implementation: { ...ours, empty: () => wrapped(ours.empty(), "joined") }
    },
    {
      name: "a step keeps its first text only",
      implementation: { ...ours, empty: () => wrapped(ours.empty(), "first") }
    },
    { name: "the first step is left out", implementation: { ...ours, empty: () => wrapped(ours.empty(), "late") } }
  ]
}

const wrapped = (value: Value, fault: "joined" | "first" | "late"): Value => ({
  ...value,
  append: (entry) => wrapped(value.append(entry), fault),
  fullText: (read) => value.fullText((i) => (fault === "joined" && i > 0 ? "\n" : "") + read(i)),
  textForStep: (step, read) => {
    if (fault !== "first") return value.textForStep(step, read)
    let seen = false
    return value.textForStep(step, (i) => {
      const text = seen ? "" : read(i)
      seen = true
      return text
    })
  },
  steps: () => (fault === "late" ? value.steps().slice(1) : value.steps())
})
