/** Swaps at one moment each: after the last check and before the read, or in the middle of the read. */
import { describe, expect, it } from "@effect/vitest"
import type { CompiledPolicy } from "@palimpsest/policy/Check"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import mutableFs from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import * as path from "node:path"
import * as Confined from "../src/Confined.ts"
import * as Disk from "./support/Disk.ts"

/** A policy that allows all, and acts when it is asked the n-th time. */
const acting = (when: number, act: () => void): CompiledPolicy => {
  let asked = 0
  return {
    ...Disk.ALL,
    get acts() {
      if (++asked === when) act()
      return Disk.ALL.acts
    }
  }
}

/** Policy is asked for the target, for its real name, and for its absolute name, in this order. */
const LAST = 3

/** Acts after each call of some functions of the file system, with what it was called with first, and what it gave. */
const after = (
  names: ReadonlyArray<"lstatSync" | "openSync" | "readSync">,
  act: (name: string, first: unknown, result: unknown) => void
) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const kept = names.map((name) => [name, fs[name]] as const)
      const set = (functions: object) => {
        Object.assign(mutableFs, functions)
        syncBuiltinESMExports()
      }
      const watched = kept.map(([name, call]) => {
        const calling = (...args: ReadonlyArray<unknown>): unknown => {
          const result: unknown = Reflect.apply(call, undefined, args)
          act(name, args[0], result)
          return result
        }
        return [name, calling] as const
      })
      set(Object.fromEntries(watched))
      return () => set(Object.fromEntries(kept))
    }),
    (restore) => Effect.sync(restore)
  )

/** Acts on the first so many reads of a descriptor that gave bytes. */
const whileReading = (times: number, act: () => void) => {
  let left = times
  return after(["readSync"], (_, __, read) => {
    if (Number(read) > 0 && left-- > 0) act()
  })
}

for (const by of Disk.HOLDING) {
  describe(`swapped at one moment, held by ${by}`, () => {
    const opened = Disk.opened(by)

    it.scoped("the file is replaced, as editors do, after the last check: what stands there now is read", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        Disk.write(root, { "d/a": "old\n", "d/new": "new\n" })
        const replace = () => fs.renameSync(path.join(root, "d/new"), path.join(root, "d/a"))
        let reads = 0
        yield* whileReading(100, () => reads++)
        const answer = yield* Confined.read(handle, acting(LAST, replace), "d/a")
        expect(answer).toMatchObject({ _tag: "Found", contents: { text: "new\n" } })
        // Of what was opened and had not been judged not a byte was read.
        expect(reads).toBe(1)
      })
    )

    it.scoped(
      "its folder is another one while the file is held and opened, and is itself again before it is looked at",
      () =>
        Effect.gen(function* () {
          const { handle, root } = yield* opened
          Disk.write(root, { "open/f": "OPEN", "private/f": "DENIED" })
          const [open, own] = [path.join(root, "open"), path.join(root, "own")]
          let turns = 0
          yield* after(["lstatSync", "openSync"], (name, first) => {
            if (turns === 0 && String(first).endsWith("/open")) {
              turns++
              fs.renameSync(open, own)
              fs.symlinkSync("private", open)
            } else if (turns === 1 && name === "openSync") {
              turns++
              fs.unlinkSync(open)
              fs.renameSync(own, open)
            }
          })
          const answer = yield* Confined.read(handle, Disk.HOUSE, "open/f")
          expect([answer, turns]).toMatchObject([{ _tag: "Found", contents: { text: "OPEN" } }, 2])
        })
    )

    it.scoped("the file is deleted after the last check: it is missing", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        Disk.write(root, { "d/a": "old\n" })
        const answer = yield* Confined.read(
          handle,
          acting(LAST, () => fs.rmSync(path.join(root, "d/a"))),
          "d/a"
        )
        expect(answer).toEqual({ _tag: "Missing" })
      })
    )

    it.scoped("its folder is moved out of the root after the last check: what is outside is not read", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(root, { "d/e/a": "moved\n" })
        const move = () => fs.renameSync(path.join(root, "d"), path.join(outside, "d"))
        expect(yield* Confined.read(handle, acting(LAST, move), "d/e/a")).toEqual({ _tag: "Missing" })
      })
    )

    it.scoped("its folder is moved to a name that is denied: the name of now decides", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        Disk.write(root, { "d/a": "moved\n" })
        const move = () => fs.renameSync(path.join(root, "d"), path.join(root, "private"))
        const policy = { ...Disk.HOUSE }
        let asked = 0
        Object.defineProperty(policy, "acts", { get: () => (++asked === LAST && move(), Disk.HOUSE.acts) })
        expect(yield* Confined.read(handle, policy, "d/a")).toEqual({ _tag: "Missing" })
      })
    )

    it.scoped("another name is given to it after the last check, or in the middle of the read: it is refused", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(root, { a: "mine\n", b: "mine\n" })
        const also = (name: string) => () => fs.linkSync(path.join(root, name), path.join(outside, name))
        const refusal = { _tag: "Linked" }
        expect(yield* Confined.read(handle, acting(LAST, also("a")), "a")).toMatchObject({ refusal })
        yield* whileReading(1, also("b"))
        expect(yield* Confined.read(handle, Disk.ALL, "b")).toMatchObject({ refusal })
      })
    )

    it.scoped("it is written to in the middle of the read: bytes of two versions are never joined", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        const file = path.join(root, "a")
        const writes: Readonly<Record<string, readonly [() => void, string]>> = {
          "as long": [() => fs.writeFileSync(file, "new\n"), "new\n"],
          longer: [() => fs.appendFileSync(file, "more\n"), "old\nmore\n"],
          shorter: [() => fs.truncateSync(file, 2), "ol"]
        }
        for (const [name, [act, text]] of Object.entries(writes)) {
          Disk.write(root, { a: "old\n" })
          const answer = yield* Effect.scoped(
            Effect.zipRight(whileReading(1, act), Confined.read(handle, Disk.ALL, "a"))
          )
          expect([name, answer]).toMatchObject([name, { _tag: "Found", contents: { text } }])
        }
      })
    )

    it.scoped("it is written to whenever it is read: that is the answer, after three tries", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        Disk.write(root, { a: "0\n" })
        let times = 0
        yield* whileReading(100, () => fs.writeFileSync(path.join(root, "a"), `${++times}\n`))
        expect(yield* Confined.read(handle, Disk.ALL, "a")).toEqual({ _tag: "Unreadable", fault: { _tag: "Changed" } })
        expect(times).toBe(3)
      })
    )
  })
}
