/**
 * Law 2: whatever was bounded, left out or folded on the way, an entry's address gives its bytes, and a run that was
 * imported gives its file.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import { decodeUtf8, encodeText, encodeUtf8 } from "@palimpsest/ledger/Body"
import * as Memory from "@palimpsest/ledger/Memory"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import type { Law } from "@palimpsest/ledger/testing/Law"
import { compile } from "@palimpsest/policy/Check"
import { permissive } from "@palimpsest/policy/Policy"
import * as Import from "../Import.ts"
import { type Implementation, ours } from "./Implementation.ts"
import * as Script from "./Script.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const recalled: Law<Implementation> = {
  number: 2,
  name: "every entry comes back byte-exact by its address, whatever the views showed of it",
  property: ({ recalled }) =>
    FastCheck.property(Script.config, Script.script, (config, script) =>
      Effect.runSync(
        Effect.gen(function* () {
          const { entries } = yield* Script.play(config, ALL, script)
          const given = yield* Effect.forEach(entries, ({ seq, text }) =>
            Effect.map(recalled(ALL, { run: Script.RUN, address: { seq } }), (bytes) =>
              isSame(bytes, encodeText(text).bytes)
            )
          )
          return given.every((one) => one)
        }).pipe(
          Effect.orElseSucceed(() => false),
          Effect.provide(Memory.layer(hash))
        )
      )
    ),
  mutants: [
    changing("line breaks are made alike", (text) => text.replaceAll("\r\n", "\n")),
    changing("what is long is cut", (text) => text.slice(0, 1_000)),
    changing("white space at the end is dropped", (text) => text.trimEnd()),
    {
      name: "an address gives what stands before it",
      implementation: {
        ...ours,
        recalled: (policy, { address, run }) =>
          ours.recalled(policy, { run, address: { ...address, lines: [2, 1_000_000] } })
      }
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const exported: Law<Implementation> = {
  number: 2,
  name: "a file that was imported is reconstructed byte for byte, however it is governed",
  property: ({ exported }) =>
    FastCheck.property(Script.config, file, (config, text) =>
      Effect.runSync(
        Effect.gen(function* () {
          const bytes = encodeUtf8(text)
          const { base } = yield* Import.run(
            hash,
            { format: "openai-chat", bytes },
            { ...config, shape: "openai-chat" }
          )
          return isSame(yield* exported(base), bytes)
        }).pipe(
          Effect.orElseSucceed(() => false),
          Effect.provide(Memory.layer(hash))
        )
      )
    ),
  mutants: [
    exporting("the file is written anew from what it says", (text) => JSON.stringify(JSON.parse(text))),
    exporting("white space at the end is dropped", (text) => text.trimEnd()),
    exporting("escapes are resolved", (text) => text.replaceAll("\\u0041", "A"))
  ]
}

const ALL = Either.getOrThrow(compile(permissive))

const isSame = (given: Uint8Array | undefined, bytes: Uint8Array): boolean =>
  given !== undefined && given.length === bytes.length && given.every((byte, i) => byte === bytes[i])

/** A conversation as a file of JSON, spelled in more than one way: with or without spaces, escapes and a last line break. */
const file = FastCheck.tuple(
  FastCheck.array(FastCheck.tuple(FastCheck.constantFrom("user", "assistant"), Script.text), {
    minLength: 1,
    maxLength: 8
  }),
  FastCheck.constantFrom(0, 2),
  FastCheck.boolean(),
  FastCheck.constantFrom("", "\n", " \n\n")
).map(([said, indent, escaped, end]) => {
  const json = JSON.stringify(
    { messages: said.map(([role, content]) => ({ role, content: `A${content}` })) },
    null,
    indent
  )
  return (escaped ? json.replaceAll('"A', '"\\u0041') : json) + end
})

function changing(name: string, change: (text: string) => string) {
  const recalled: Implementation["recalled"] = (policy, address) =>
    Effect.map(ours.recalled(policy, address), (bytes) =>
      bytes === undefined ? undefined : encodeUtf8(change(decodeUtf8(bytes)))
    )
  return { name, implementation: { ...ours, recalled } }
}

function exporting(name: string, change: (text: string) => string) {
  const exported: Implementation["exported"] = (run) =>
    Effect.map(ours.exported(run), (bytes) => encodeUtf8(change(decodeUtf8(bytes))))
  return { name, implementation: { ...ours, exported } }
}
