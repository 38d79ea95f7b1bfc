import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { WorkspaceContract } from "../src/testing.ts"
import { memory, MemoryFiles, Workspace, type Contents } from "../src/Workspace.ts"

const { checks, Ground } = WorkspaceContract
const layer = Layer.effect(Ground, MemoryFiles).pipe(Layer.provideMerge(memory({})))

describe("the contract of Workspace, in memory", () => {
  for (const { check, name } of checks) it.effect(name, () => Effect.provide(check, layer))

  it.effect("holds on one workspace for all checks", () =>
    Effect.forEach(checks, ({ check }) => check, { discard: true }).pipe(Effect.provide(layer))
  )

  it("names each check once", () => {
    expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length)
  })
})

type Read = Workspace["Type"]["read"]

const text = (found: Contents, change: (text: string) => string): Contents =>
  found._tag === "Text" ? { ...found, text: change(found.text) } : found

const wrong: Readonly<Record<string, (read: Read) => Read>> = {
  "missing reads as empty": (read) => (target) =>
    Effect.map(read(target), (found) => (found._tag === "Missing" ? { _tag: "Empty" } : found)),
  "empty reads as missing": (read) => (target) =>
    Effect.map(read(target), (found) => (found._tag === "Empty" ? { _tag: "Missing" } : found)),
  "binary reads as text": (read) => (target) =>
    Effect.map(read(target), (found) =>
      found._tag === "Binary" ? { _tag: "Text", text: "\ufffd", real: target } : found
    ),
  "line breaks are made alike": (read) => (target) =>
    Effect.map(read(target), (found) => text(found, (given) => given.replaceAll("\r\n", "\n"))),
  "a byte order mark is dropped": (read) => (target) =>
    Effect.map(read(target), (found) => text(found, (given) => given.replace(/^\ufeff/, ""))),
  "white space at the ends is dropped": (read) => (target) =>
    Effect.map(read(target), (found) => text(found, (given) => given.trim())),
  "the name of the file is left out": (read) => (target) =>
    Effect.map(read(target), (found) => (found._tag === "Text" ? { ...found, real: "" } : found)),
  "a long text is cut": (read) => (target) =>
    Effect.map(read(target), (found) => text(found, (given) => given.slice(0, 100_000))),
  "what was read is remembered": (read) => {
    const known = new Map<string, Contents>()
    return (target) =>
      Effect.map(read(target), (found) => {
        const kept = known.get(target) ?? found
        known.set(target, kept)
        return kept
      })
  },
  "folders are not looked at": (read) => {
    const first = new Map<string, string>()
    return (target) => {
      const base = target.split("/").at(-1) ?? target
      first.set(base, first.get(base) ?? target)
      return read(first.get(base) ?? target)
    }
  },
  "what leaves the root is read": (read) => (target) =>
    target.startsWith("..") ? Effect.succeed({ _tag: "Text", text: "outside", real: target }) : read(target),
  "a strange target is a defect": (read) => (target) =>
    target.includes("\0") ? Effect.dieMessage("a NUL") : read(target)
}

describe("every wrong workspace is caught", () => {
  it.effect.each(Object.entries(wrong))("%s", ([, change]) =>
    Effect.gen(function* () {
      const mutant = Layer.effect(
        Workspace,
        Effect.map(Workspace, ({ read }) => ({ read: change(read) }))
      ).pipe(Layer.provideMerge(layer))
      const answers = yield* Effect.forEach(checks, ({ check }) => Effect.exit(check)).pipe(Effect.provide(mutant))
      expect(answers.filter(({ _tag }) => _tag === "Failure").length).toBeGreaterThan(0)
    })
  )
})
