/**
 * What any `BodyStore` must do (law 2): bytes come back as they were put, by digest and tree, or an error says why not.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { digestOf, encodeUtf8, ownText, type Stored } from "../Body.ts"
import { BodyStore } from "../BodyStore.ts"
import { TreeId, type Digest } from "../Ids.ts"
import { textOf } from "../Resolve.ts"
import type { Hasher } from "../Sha256.ts"
import { equal, failing, hold, type Check } from "./Contract.ts"

/**
 * The contract, for a store that takes its digests by `hash`.
 *
 * @since 0.1.0
 * @category contracts
 */
export const checks = (hash: Hasher): ReadonlyArray<Check<BodyStore>> => {
  const blob = (bytes: Uint8Array, media = "application/octet-stream"): Stored => ({
    digest: digestOf(hash, media, bytes),
    media,
    bytes
  })
  const check = (name: string, run: (store: BodyStore["Type"], tree: TreeId) => Effect.Effect<void, unknown>) => ({
    name,
    check: Effect.flatMap(BodyStore, (store) => run(store, TreeId.make(name.replaceAll(/[^a-z]+/g, "-"))))
  })
  const comesBack = (store: BodyStore["Type"], tree: TreeId, body: Stored) =>
    Effect.gen(function* () {
      const back = yield* store.get(tree, body.digest)
      yield* equal([back.digest, back.media], [body.digest, body.media], "what came back")
      yield* hold(sameBytes(back.bytes, body.bytes), `body ${body.digest} came back with other bytes`)
    })

  return [
    check("bytes come back as they were put", (store, tree) => {
      const bodies = [
        blob(new Uint8Array()),
        blob(Uint8Array.from({ length: 256 }, (_, i) => i)),
        blob(encodeUtf8("\u0000a\u0000")),
        blob(new Uint8Array([0xff, 0xfe, 0xed, 0xa0, 0x80])),
        blob(encodeUtf8("\ufeffbyte order mark"), "text/plain"),
        blob(new Uint8Array(3_000_000).fill(7))
      ]
      return Effect.zipRight(
        store.put(tree, bodies),
        Effect.forEach(bodies, (body) => comesBack(store, tree, body), { discard: true })
      )
    }),

    check("text with lone surrogates comes back as it was", (store, tree) =>
      Effect.forEach(
        ["\ud83d", "\ud83e", "\ufffd", "a\udc00\u0000\ud800"],
        (text) =>
          Effect.gen(function* () {
            const { body, stored } = ownText(hash, text)
            yield* store.put(tree, [stored])
            const back = yield* store.get(tree, body.digest)
            yield* hold(textOf(body, back.bytes) === text, `${JSON.stringify(text)} came back as another text`)
          }),
        { discard: true }
      )
    ),

    check("a body is kept once", (store, tree) => {
      const body = blob(encodeUtf8("once"))
      const other = blob(encodeUtf8("other"))
      return Effect.gen(function* () {
        yield* store.put(tree, [body, other, body])
        yield* store.put(tree, [body])
        yield* equal(yield* store.list(tree, "", 10), [body.digest, other.digest].sort(), "the list")
        yield* comesBack(store, tree, body)
      })
    }),

    check("a digest that does not fit is refused with all that came with it", (store, tree) => {
      const good = blob(encodeUtf8("good"))
      const wrong = { ...blob(encodeUtf8("wrong")), bytes: encodeUtf8("wrong!") }
      const relabelled = { ...blob(encodeUtf8("media")), media: "text/html" }
      return Effect.gen(function* () {
        yield* failing(store.put(tree, [good, wrong]), "StoreError", "other bytes")
        yield* failing(store.put(tree, [relabelled, good]), "StoreError", "another media type")
        yield* equal(yield* store.list(tree, "", 10), [], "the list")
      })
    }),

    check("the media type is part of a body", (store, tree) => {
      const bodies = [blob(encodeUtf8("{}"), "application/json"), blob(encodeUtf8("{}"), "text/plain")]
      return Effect.gen(function* () {
        yield* store.put(tree, bodies)
        yield* Effect.forEach(bodies, (body) => comesBack(store, tree, body))
        yield* equal((yield* store.list(tree, "", 10)).length, 2, "the number of bodies")
      })
    }),

    check("a tree has its own bodies", (store, tree) => {
      const elsewhere = TreeId.make(`${tree}2`)
      const [mine, both] = [blob(encodeUtf8("mine")), blob(encodeUtf8("both"))]
      return Effect.gen(function* () {
        yield* store.put(tree, [mine, both])
        yield* store.put(elsewhere, [both])
        yield* failing(store.get(elsewhere, mine.digest), "BodyFault", "a body of another tree")
        yield* comesBack(store, elsewhere, both)
        yield* equal(yield* store.list(elsewhere, "", 10), [both.digest], "the list")
      })
    }),

    check("what is not there is missing", (store, tree) =>
      Effect.gen(function* () {
        const absent = blob(encodeUtf8("absent")).digest
        const fault = yield* failing(store.get(tree, absent), "BodyFault", "an absent body")
        yield* equal([fault.digest, fault.why], [absent, "missing"], "the fault")
        yield* store.put(tree, [])
        yield* equal(yield* store.list(tree, "", 10), [], "the list")
      })
    ),

    check("a large put is listed in pages, in order", (store, tree) => {
      const bodies = Array.from({ length: 1_101 }, (_, i) => blob(encodeUtf8(`body ${i}`)))
      return Effect.gen(function* () {
        yield* store.put(tree, bodies)
        const listed: Array<Digest> = []
        for (;;) {
          const page = yield* store.list(tree, listed.at(-1) ?? "", 100)
          yield* hold(page.length <= 100, "a page is longer than its limit")
          if (page.length === 0) break
          yield* hold(page[0]! > (listed.at(-1) ?? ""), "a page begins before its place")
          listed.push(...page)
        }
        yield* equal(listed, bodies.map(({ digest }) => digest).sort(), "the list")
        yield* equal(yield* store.list(tree, "", 0), [], "a page of none")
      })
    }),

    check("what was handed out or in is not what is kept", (store, tree) => {
      const bytes = encodeUtf8("mine")
      const body = blob(bytes)
      return Effect.gen(function* () {
        yield* store.put(tree, [body])
        bytes.fill(0)
        ;(yield* store.get(tree, body.digest)).bytes.fill(1)
        yield* comesBack(store, tree, { ...body, bytes: encodeUtf8("mine") })
      })
    }),

    check("many fibers may put at once", (store, tree) => {
      const bodies = Array.from({ length: 60 }, (_, i) => blob(encodeUtf8(`shared ${i % 20}`)))
      return Effect.gen(function* () {
        yield* Effect.forEach(bodies, (body) => store.put(tree, [body]), { concurrency: "unbounded" })
        yield* equal((yield* store.list(tree, "", 100)).length, 20, "the number of bodies")
      })
    })
  ]
}

const sameBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])
