import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { BodyStore } from "../src/BodyStore.ts"
import { EMPTY } from "../src/Event.ts"
import { Conflict, EventStore } from "../src/EventStore.ts"
import { TreeId } from "../src/Ids.ts"
import * as Memory from "../src/Memory.ts"
import { pure } from "../src/Sha256.ts"
import { BodyStoreContract, EventStoreContract, type Contract } from "../src/testing.ts"

type Events = EventStore["Type"]
type Bodies = BodyStore["Type"]

let fresh = 0

const wrongEvents: Readonly<Record<string, (store: Events) => Events>> = {
  "a repeat is appended again": (store) => ({
    ...store,
    append: (append) => store.append({ ...append, id: append.id === "" ? "" : `${append.id}#${fresh++}` })
  }),
  "several logs are written one by one": (store) => ({
    ...store,
    append: (append) =>
      append.writes.length < 2
        ? store.append(append)
        : Effect.map(
            Effect.forEach(append.writes, (write, i) =>
              store.append({ ...append, id: `${append.id}#${i}`, writes: [write] })
            ),
            (answers) => ({ writes: answers.flatMap(({ writes }) => writes) })
          )
  }),
  "a conflict does not know the head": (store) => ({
    ...store,
    append: (append) => Effect.catchTag(store.append(append), "Conflict", (e) => new Conflict({ ...e, actual: EMPTY }))
  }),
  "an expected head is not looked at": (store) => ({
    ...store,
    append: (append) =>
      store.append({ ...append, writes: append.writes.map((write) => ({ ...write, expected: { _tag: "Next" } })) })
  }),
  "trees are not told apart": (store) => ({
    ...store,
    append: (append) => store.append({ ...append, tree: TreeId.make("one") }),
    logs: ({ after, limit }) => store.logs({ after, limit })
  }),
  "a page begins where it was asked to begin behind": (store) => ({
    ...store,
    read: (log, after, limit) => store.read(log, Math.max(0, after - 1), limit)
  }),
  "a page has no end": (store) => ({ ...store, read: (log, after) => store.read(log, after, Infinity) }),
  "a repeat answers with the newest head": (store) => ({
    ...store,
    append: (append) =>
      Effect.flatMap(store.append(append), ({ writes }) =>
        Effect.map(
          Effect.forEach(writes, (write) =>
            Effect.map(store.head(write.log), (found) => ({
              ...write,
              head: found._tag === "Some" ? found.value.head : write.head
            }))
          ),
          (newest) => ({ writes: newest })
        )
      )
  })
}

const wrongBodies: Readonly<Record<string, (store: Bodies) => Bodies>> = {
  "all trees share their bodies": (store) => ({
    put: (_, bodies) => store.put(TreeId.make("one"), bodies),
    get: (_, digest) => store.get(TreeId.make("one"), digest),
    list: (_, after, limit) => store.list(TreeId.make("one"), after, limit)
  }),
  "bytes pass through UTF-8": (store) => ({
    ...store,
    get: (tree, digest) =>
      Effect.map(store.get(tree, digest), (body) => ({
        ...body,
        bytes: new TextEncoder().encode(new TextDecoder().decode(body.bytes))
      }))
  }),
  "bodies are put one by one": (store) => ({
    ...store,
    put: (tree, bodies) => Effect.forEach(bodies, (body) => store.put(tree, [body]), { discard: true })
  }),
  "a list starts anew": (store) => ({
    ...store,
    list: (tree, after, limit) => store.list(tree, after.slice(0, 1), limit)
  })
}

/** Runs a contract until something is held against the store; the walk through a list that never ends is cut. */
const objections = <R>(checks: ReadonlyArray<Contract.Check<R>>, layer: Layer.Layer<R>) =>
  Effect.forEach(checks, ({ check, name }) =>
    Effect.as(check, []).pipe(
      Effect.provide(layer),
      Effect.timeout("500 millis"),
      Effect.catchAllCause(() => Effect.succeed([name]))
    )
  ).pipe(Effect.map((found) => found.flat()))

for (const [name, wrong] of Object.entries(wrongEvents)) {
  it.live(`the contract of EventStore objects where ${name}`, () => {
    const layer = Layer.effect(EventStore, Effect.map(EventStore, wrong)).pipe(Layer.provide(Memory.events(pure)))
    return Effect.map(objections(EventStoreContract.checks(pure), layer), (found) => assert.isNotEmpty(found))
  })
}

for (const [name, wrong] of Object.entries(wrongBodies)) {
  it.live(`the contract of BodyStore objects where ${name}`, () => {
    const layer = Layer.effect(BodyStore, Effect.map(BodyStore, wrong)).pipe(Layer.provide(Memory.bodies(pure)))
    return Effect.map(objections(BodyStoreContract.checks(pure), layer), (found) => assert.isNotEmpty(found))
  })
}
