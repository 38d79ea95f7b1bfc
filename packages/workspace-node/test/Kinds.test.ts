/** What stands at a target, and the answer for it. */
import { describe, expect, it } from "@effect/vitest"
import { digestOf, encodeUtf8, TEXT } from "@palimpsest/ledger/Body"
import * as Sha256 from "@palimpsest/ledger/Sha256"
import * as Effect from "effect/Effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as net from "node:net"
import * as path from "node:path"
import * as Answer from "../src/Answer.ts"
import * as Confined from "../src/Confined.ts"
import * as Root from "../src/Root.ts"
import * as Disk from "./support/Disk.ts"

const digest = (media: string, bytes: Uint8Array) => digestOf(Sha256.pure, media, bytes)

for (const by of Disk.HOLDING) {
  const opened = Disk.opened(by)
  const read = (root: Root.Root, target: string, bytes?: number) =>
    Confined.read(root, Disk.ALL, target, bytes === undefined ? undefined : { bytes })

  describe(`what stands at a target, held by ${by}`, () => {
    it.scoped("text comes back to the byte with its digest, byte order mark and other line ends included", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        for (const text of ["one\n", "\uFEFFone\r\ntwo\r", "é\u0301 😀 \u2028", "x".repeat(300_000)]) {
          Disk.write(root, { "d/a": text })
          const bytes = encodeUtf8(text)
          expect(yield* read(handle, "./d//a")).toEqual({
            _tag: "Found",
            contents: { _tag: "Text", text },
            real: "d/a",
            bytes: bytes.length,
            digest: digest(TEXT, bytes)
          })
        }
      })
    )

    it.scoped("IO-27 IO-W20 empty, missing and binary are three answers", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47])
        Disk.write(root, { empty: "", nul: "text\0", png, cut: new Uint8Array([0x61, 0xc3]) })
        Disk.link(root, { dangling: "none" })
        expect(yield* read(handle, "empty")).toMatchObject({ contents: { _tag: "Empty" }, bytes: 0 })
        expect(yield* read(handle, "png")).toEqual({
          _tag: "Found",
          contents: { _tag: "Binary" },
          real: "png",
          bytes: 4,
          digest: digest("application/octet-stream", png)
        })
        for (const name of ["nul", "cut"])
          expect(yield* read(handle, name)).toMatchObject({ contents: { _tag: "Binary" } })
        for (const name of ["none", "none/a", "empty/a", "dangling", "x".repeat(300)]) {
          expect(yield* read(handle, name)).toEqual({ _tag: "Missing" })
        }
      })
    )

    it.scoped("a folder, a FIFO and a socket are said to be what they are, and nothing waits", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        fs.mkdirSync(path.join(root, "d"))
        execFileSync("mkfifo", [path.join(root, "fifo")])
        yield* Effect.acquireRelease(
          Effect.async<net.Server>((resume) => {
            const server = net.createServer().listen(path.join(root, "socket"), () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => server.close())
        )
        const kinds = { d: "folder", ".": "folder", fifo: "FIFO", socket: "socket" }
        for (const [target, kind] of Object.entries(kinds)) {
          expect(yield* read(handle, target)).toEqual({ _tag: "Unreadable", fault: { _tag: "Special", kind } })
        }
      })
    )

    it.scoped("a device, and a file of /proc, where the root has some", () =>
      Effect.gen(function* () {
        const devices = yield* Root.open("/dev", { by })
        for (const target of ["zero", "null"]) {
          expect(yield* read(devices, target)).toEqual({
            _tag: "Unreadable",
            fault: { _tag: "Special", kind: "device" }
          })
        }
        const processes = yield* Root.open("/proc", { by })
        for (const target of ["self/environ", "meminfo"]) {
          expect(yield* read(processes, target)).toEqual({
            _tag: "Unreadable",
            fault: { _tag: "Special", kind: "pseudo-file" }
          })
        }
        const all = yield* Root.open("/", { by })
        expect(yield* read(all, "proc/self/environ")).toMatchObject({ fault: { kind: "pseudo-file" } })
        expect(yield* read(all, "../etc")).toMatchObject({ _tag: "Refused" })
      })
    )

    it.scoped("a huge file is an answer with its size, and not a byte of it is read; the limit itself is read", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        const bytes = 1n << 40n
        Disk.write(root, { huge: "", four: "four" })
        fs.truncateSync(path.join(root, "huge"), Number(bytes))
        const limit = Confined.LIMITS.bytes
        expect(yield* read(handle, "huge")).toEqual({ _tag: "Unreadable", fault: { _tag: "TooLarge", bytes, limit } })
        expect(yield* read(handle, "four", 4)).toMatchObject({ contents: { text: "four" } })
        expect(yield* read(handle, "four", 3)).toMatchObject({ fault: { _tag: "TooLarge", bytes: 4n, limit: 3 } })
        expect(yield* read(handle, "four", Number.NaN)).toMatchObject({ fault: { _tag: "TooLarge" } })
      })
    )

    it.scoped("whatever the answer, no descriptor stays open", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(root, { "d/a": "a", "d/empty": "" })
        Disk.link(root, { out: outside, ring: "ring", in: "d/a", "d/private": "../private/f" })
        const count = () => fs.readdirSync("/proc/self/fd").length
        const before = count()
        for (const target of ["d/a", "d/empty", "out/o", "ring", "in", "none", "d", "d/private", "/", "d/a/b"]) {
          yield* Confined.read(handle, Disk.HOUSE, target, { bytes: 4 })
          expect([target, count()]).toEqual([target, before])
        }
      })
    )
  })
}

it("each fault has words for the model, without a path in them", () => {
  const faults: ReadonlyArray<Answer.Fault> = [
    { _tag: "Special", kind: "FIFO" },
    { _tag: "TooLarge", bytes: 9n, limit: 4 },
    { _tag: "Changed" },
    { _tag: "Loop" },
    { _tag: "RootGone" },
    { _tag: "System", code: "EACCES" }
  ]
  expect(faults.map((fault) => Answer.contents({ _tag: "Unreadable", fault }))).toEqual(
    [
      "it is a FIFO, not a file",
      "it has 9 bytes, and no more than 4 are read",
      "it changed while it was read",
      "its links lead in a circle",
      "the workspace is not where it was",
      "the system says EACCES"
    ].map((why) => ({ _tag: "Unreadable", why }))
  )
})
