import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Answer from "../src/Answer.ts"
import * as Confined from "../src/Confined.ts"
import * as Root from "../src/Root.ts"
import * as Disk from "./support/Disk.ts"

const way = (target: string, platform = "linux") =>
  Either.match(Root.resolve(target, platform), {
    onLeft: (escapes) => [escapes.way, escapes.message],
    onRight: (canonical) => canonical
  })

describe("resolve", () => {
  it("IO-41 absolute and climbing targets are refused with the exact reason", () => {
    for (const target of ["/etc/passwd", "/", "//a", "/.."]) {
      expect(way(target)).toEqual(["absolute", `path escapes workspace: ${target}`])
    }
    for (const target of ["..", "../a", "a/../../a", "./..", "a/b/../../../c", "..//"]) {
      expect(way(target)).toEqual(["climbing", `path escapes workspace: ${target}`])
    }
  })

  it("IO-41 what stays inside has one name", () => {
    expect(["a", "./a", "a/", ".//a/.", "b/../a", "b/c/../../a"].map((target) => way(target))).toEqual(
      Array.from({ length: 6 }, () => "a")
    )
    expect([".", "", "a/..", "./"].map((target) => way(target))).toEqual([".", ".", ".", "."])
    expect(["...", "..a", "a/..b", "a\\..\\b"].map((target) => way(target))).toEqual([
      "...",
      "..a",
      "a/..b",
      "a\\..\\b"
    ])
  })

  it("what the system would read as another name is refused", () => {
    expect(way("a\0.pem")).toEqual(["malformed", "path escapes workspace: a\0.pem"])
    expect(way("\uD800a")[0]).toBe("malformed")
    expect(way("C:\\a", "win32")[0]).toBe("absolute")
    expect(["a:stream", "C:a", "a/b::$DATA"].map((target) => way(target, "win32")[0])).toEqual(
      Array(3).fill("malformed")
    )
    expect(way("a\\..\\..\\b", "win32")[0]).toBe("climbing")
    expect(["a\\b", "k.pem.", "k.pem /A"].map((target) => way(target, "win32"))).toEqual(["a/b", "k.pem", "k.pem/A"])
    expect(way("a/./b.ts", "win32")).toBe("a/b.ts")
  })

  it("whatever the target, what resolves has no step up and no way from the top", () => {
    const segment = FastCheck.constantFrom("a", "b", ".", "..", "", "...", "\0")
    FastCheck.assert(
      FastCheck.property(FastCheck.array(segment, { maxLength: 8 }), (segments) => {
        const resolved = Root.resolve(segments.join("/"), "linux")
        return Either.isLeft(resolved) || !/^\/|(?:^|\/)\.\.(?:\/|$)|\0/.test(resolved.right)
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("open", () => {
  it.scoped("a folder that is not there, and one that is a file, are typed errors with the system's code", () =>
    Effect.gen(function* () {
      const { root } = yield* Disk.disk
      Disk.write(root, { a: "" })
      const codes = yield* Effect.forEach(["none", "a"], (name) =>
        Effect.map(Effect.flip(Root.open(path.join(root, name))), ({ code }) => code)
      )
      expect(codes).toEqual(["ENOENT", "ENOTDIR"])
    })
  )

  it.scoped("a root that is itself a link is what the link leads to, and its device and inode are kept", () =>
    Effect.gen(function* () {
      const { outside, root } = yield* Disk.disk
      Disk.write(root, { a: "one\n" })
      fs.symlinkSync(root, path.join(outside, "door"))
      const handle = yield* Root.open(path.join(outside, "door"))
      const { dev, ino } = fs.statSync(root, { bigint: true })
      expect(handle).toMatchObject({ path: path.join(outside, "door"), real: root, device: dev, inode: ino })
      expect(Answer.contents(yield* Confined.read(handle, Disk.ALL, "a"))).toMatchObject({
        _tag: "Text",
        text: "one\n"
      })
    })
  )

  it.scoped("another folder in the root's place is not read", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.forEach(Disk.HOLDING, (by) =>
        Effect.gen(function* () {
          const { handle, outside, root } = yield* Disk.opened(by)
          Disk.write(root, { a: "mine\n" })
          fs.renameSync(root, path.join(outside, "moved"))
          Disk.write(root, { a: "theirs\n" })
          return yield* Confined.read(handle, Disk.ALL, "a")
        })
      )
      // Held, the folder is read where it is now; by its name alone, all that can be said is that it is another.
      expect(answers).toMatchObject([
        { _tag: "Found", contents: { text: "mine\n" } },
        { _tag: "Unreadable", fault: { _tag: "RootGone" } }
      ])
    })
  )
})
