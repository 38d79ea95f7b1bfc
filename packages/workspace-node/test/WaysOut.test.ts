/** B98: each way out of the root that was reported of other systems, and the ways beside it. */
import { describe, expect, it } from "@effect/vitest"
import * as Policy from "@palimpsest/policy/Policy"
import * as Effect from "effect/Effect"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Answer from "../src/Answer.ts"
import * as Confined from "../src/Confined.ts"
import type * as Root from "../src/Root.ts"
import * as Disk from "./support/Disk.ts"

for (const by of Disk.HOLDING) {
  const opened = Disk.opened(by)
  const read = (root: Root.Root, target: string, policy = Disk.ALL) => Confined.read(root, policy, target)

  describe(`ways out of the root, held by ${by}`, () => {
    it.scoped("IO-26 a_re_read_cannot_escape_the_workspace_root even under a permissive policy", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(outside, { o: "OUTSIDE" })
        Disk.link(root, { link: "../outside/o", far: `${outside}/o`, door: "../outside" })
        const targets = ["link", "far", "door/o", `${outside}/o`, "../outside/o", "a/../../outside/o"]
        const answers = yield* Effect.forEach(targets, (target) => read(handle, target))
        expect(answers.map(({ _tag }) => _tag)).toEqual(targets.map(() => "Refused"))
        expect(answers.map(Answer.contents)).toMatchObject(
          targets.map((target) => ({
            _tag: "Refused",
            verdict: { ruling: "deny", layer: "workspace" },
            why: `path escapes workspace: ${target}`
          }))
        )
      })
    )

    it.scoped(
      "IO-41 a link that leads outside is denied by the seed's rule, and only the operator sees where it leads",
      () =>
        Effect.gen(function* () {
          const { handle, outside, root } = yield* opened
          Disk.link(root, { "d/link": `${outside}/o` })
          const answer = yield* read(handle, "d/link")
          if (answer._tag !== "Refused") return expect.fail(answer._tag)
          expect(Answer.explain(answer)).toBe(
            `refused by policy: read d/link (rule <resolves outside workspace root> in layer workspace): d/link links to ${outside}/o`
          )
          expect(Answer.verdict(answer)).toEqual({
            ruling: "deny",
            rule: "<resolves outside workspace root>",
            layer: "workspace"
          })
          const contents = Answer.contents(answer)
          expect(contents).toMatchObject({ _tag: "Refused", name: "d/link", why: "path escapes workspace: d/link" })
          expect(contents._tag === "Refused" && contents.name + contents.why).not.toContain("outside")
        })
    )

    it.scoped("IO-41 absolute and climbing targets: the operator reads the seed's words", () =>
      Effect.gen(function* () {
        const { handle } = yield* opened
        const answers = yield* Effect.forEach(["/etc/passwd", "../a"], (target) => read(handle, target))
        expect(answers.map((answer) => (answer._tag === "Refused" ? Answer.explain(answer) : ""))).toEqual([
          "path escapes workspace: /etc/passwd",
          "path escapes workspace: ../a"
        ])
      })
    )

    it.scoped("B98 a link inside the root, an absolute path, and `..`, plain or in the middle of a path", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(outside, { o: "OUTSIDE" })
        Disk.write(root, { "d/a": "in\n" })
        Disk.link(root, { link: `${outside}/o` })
        const absolute = [`${outside}/o`, `${root}/d/a`, "/", "//etc/passwd", `/${root}/d/a`]
        const climbing = [
          "..",
          "../outside/o",
          "d/../../outside/o",
          "./../outside/o",
          "d/./../../root/d/a",
          "../root/d/a"
        ]
        for (const target of ["link", ...absolute, ...climbing]) {
          const answer = yield* read(handle, target)
          expect(answer, target).toMatchObject({ _tag: "Refused", target })
          expect(Answer.contents(answer), target).toMatchObject({ why: `path escapes workspace: ${target}` })
        }
        expect(yield* read(handle, "d/../d/a")).toMatchObject({ _tag: "Found", real: "d/a" })
      })
    )

    it.scoped("B98 a walk that yields links: of all names under the root only what lies in it comes back", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(outside, { o: "OUTSIDE", "d/f": "OUTSIDE" })
        Disk.write(root, { a: "in a\n", "d/b": "in b\n" })
        Disk.link(root, { l: "../outside/o", "d/l": `${outside}/o`, out: outside, "d/in": "../a", again: "d" })
        const names = fs.readdirSync(root, { recursive: true, encoding: "utf8" }).sort()
        expect(names).toEqual(expect.arrayContaining(["a", "again", "d", "d/b", "d/in", "d/l", "l", "out"]))
        const found = yield* Effect.forEach([...names, "out/o", "out/d/f", "again/l", "again/b"], (name) =>
          Effect.map(read(handle, name), (answer) =>
            answer._tag === "Found" ? [name, answer.real] : [name, answer._tag]
          )
        )
        expect(Object.fromEntries(found)).toMatchObject({
          a: "a",
          "d/b": "d/b",
          "d/in": "a",
          "again/b": "d/b",
          d: "Unreadable",
          again: "Unreadable",
          l: "Refused",
          "d/l": "Refused",
          out: "Refused",
          "out/o": "Refused",
          "out/d/f": "Refused",
          "again/l": "Refused"
        })
      })
    )

    it.scoped("B98 a chain of links whose last leads outside, and one that leaves and comes back", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(root, { a: "in\n" })
        Disk.write(outside, { o: "OUTSIDE" })
        Disk.link(root, { one: "two", two: "d/three", "d/three": "../four", four: "../outside/o", back: "../root/a" })
        expect(yield* read(handle, "one")).toMatchObject({ refusal: { _tag: "Outside", link: "four" } })
        expect(yield* read(handle, "back")).toMatchObject({ refusal: { _tag: "Outside", link: "back" } })
      })
    )

    it.scoped("B98 links to folders: out of the root, up in the middle of a path, and through another link", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(root, { "d/e/f": "in\n" })
        Disk.write(outside, { "d/e/f": "OUTSIDE" })
        Disk.link(root, { out: outside, "d/up": "../..", "d/e/top": "../../..", here: "d/e", deep: "here/top/outside" })
        const targets = ["out/d/e/f", "d/up/outside/d/e/f", "here/top/outside/d/e/f", "deep/d/e/f"]
        const answers = yield* Effect.forEach(targets, (target) => read(handle, target))
        expect(answers).toMatchObject(targets.map(() => ({ _tag: "Refused", refusal: { _tag: "Outside" } })))
        expect(yield* read(handle, "here/f")).toMatchObject({ _tag: "Found", real: "d/e/f" })
      })
    )

    it.scoped("a link that leads outside answers the same whether there is something or nothing", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.link(root, { link: `${outside}/o` })
        const before = yield* read(handle, "link")
        Disk.write(outside, { o: "OUTSIDE" })
        expect(yield* read(handle, "link")).toEqual(before)
      })
    )

    it.scoped("links inside the root are followed: to a file, to a folder, absolute, up and down, and 40 of them", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        Disk.write(root, { "d/e/f": "in\n" })
        Disk.link(root, { file: "d/e/f", folder: "d//./e/", whole: `${root}/d/e/f`, "d/up": "../file", l0: "d/e/f" })
        for (let i = 1; i <= 40; i++) Disk.link(root, { [`l${i}`]: `l${i - 1}` })
        for (const target of ["file", "folder/f", "whole", "d/up", "l39"]) {
          expect(yield* read(handle, target)).toMatchObject({
            _tag: "Found",
            real: "d/e/f",
            contents: { text: "in\n" }
          })
        }
        Disk.link(root, { ring: "ring", top: "." })
        expect(yield* read(handle, "l40")).toEqual({ _tag: "Unreadable", fault: { _tag: "Loop" } })
        expect(yield* read(handle, "ring")).toEqual({ _tag: "Unreadable", fault: { _tag: "Loop" } })
        expect(yield* read(handle, "top/top/top/file")).toMatchObject({ _tag: "Found", real: "d/e/f" })
      })
    )

    it.scoped("law 12: a link inside the root needs leave for every name on its way, and ask is none", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        Disk.write(root, { "private/f": "DENIED", "k.pem": "DENIED", "ask/f": "ASK", "open/f": "fine\n" })
        Disk.link(root, {
          a: "private/f",
          b: "k.pem",
          c: "ask/f",
          folder: "private",
          d: "folder/f",
          "ask/door": "../open/f",
          e: "ask/door",
          "x.pem": "open/f",
          f: "private/none"
        })
        const names: Record<string, string> = {
          a: "private/f",
          b: "k.pem",
          c: "ask/f",
          "folder/f": "private/f",
          d: "private/f",
          e: "ask/door",
          "x.pem": "x.pem",
          f: "private/none",
          "open/../private/f": "private/f"
        }
        for (const [target, name] of Object.entries(names)) {
          const answer = yield* read(handle, target, Disk.HOUSE)
          expect(answer).toMatchObject({ _tag: "Refused", target, refusal: { _tag: "Ruled", name } })
          const why = "the policy does not allow reading it"
          expect(Answer.contents(answer)).toMatchObject({ _tag: "Refused", name, why })
        }
        const ruled = yield* read(handle, "a", Disk.HOUSE)
        expect(ruled._tag === "Refused" && Answer.explain(ruled)).toBe(
          "refused by policy: read a (rule private/* in layer house): it is private/f"
        )
        const closed = Disk.compiled({ layers: [], defaults: { ...Policy.permissive.defaults, read: "deny" } })
        const byDefault = yield* read(handle, "open/f", closed)
        expect(byDefault._tag === "Refused" && Answer.explain(byDefault)).toBe(
          "refused by policy: read open/f (by default)"
        )
      })
    )

    it.scoped(
      "law 12: a rule for an absolute path holds for the file by its relative name, and no other rule does",
      () =>
        Effect.gen(function* () {
          const { handle, root } = yield* opened
          Disk.write(root, { "d/f": "fine\n" })
          const denying = (pattern: string) =>
            Disk.compiled(
              Policy.deny(Policy.deny(Policy.layer(Policy.permissive, "l"), "read", "*/root/*"), "read", pattern)
            )
          const answer = yield* read(handle, "d/f", denying(`${root}/d/*`))
          expect(answer).toMatchObject({
            _tag: "Refused",
            refusal: { name: `${root}/d/f`, verdict: { ruling: "deny", rule: `${root}/d/*`, layer: "l" } }
          })
          expect(yield* read(handle, "d/f", denying(`${root}/e/*`))).toMatchObject({ _tag: "Found" })
        })
    )

    it.scoped("a hard link to a file outside, or to a denied one, is refused under any policy", () =>
      Effect.gen(function* () {
        const { handle, outside, root } = yield* opened
        Disk.write(outside, { o: "OUTSIDE" })
        Disk.write(root, { "private/f": "DENIED" })
        fs.linkSync(path.join(outside, "o"), path.join(root, "a"))
        fs.linkSync(path.join(root, "private/f"), path.join(root, "b"))
        for (const policy of [Disk.ALL, Disk.HOUSE]) {
          for (const target of ["a", "b"]) {
            expect(yield* read(handle, target, policy)).toEqual({
              _tag: "Refused",
              target,
              refusal: { _tag: "Linked", real: target, links: 2n }
            })
          }
        }
        fs.unlinkSync(path.join(outside, "o"))
        expect(yield* read(handle, "a")).toMatchObject({ _tag: "Found" })
      })
    )

    it.scoped("a variant in case is another name: it is of nothing, or what it is of needs leave", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        Disk.write(root, { "k.pem": "DENIED", "private/f": "DENIED" })
        for (const target of ["K.PEM", "k.PEM", "PRIVATE/f", "Private/F"]) {
          expect(["Missing", "Refused"]).toContain((yield* read(handle, target, Disk.HOUSE))._tag)
        }
      })
    )

    it.scoped("what shows the process or the machine is reached by no link", () =>
      Effect.gen(function* () {
        const { handle, root } = yield* opened
        Disk.link(root, {
          environ: "/proc/self/environ",
          proc: "/proc",
          stdin: "/dev/stdin",
          up: "../../../proc/self/environ"
        })
        for (const target of ["environ", "proc/self/environ", "stdin", "up"]) {
          expect(yield* read(handle, target)).toMatchObject({ _tag: "Refused", refusal: { _tag: "Outside" } })
        }
      })
    )
  })
}
