/** Refresh on real files: the rows of the governor's own tests, once more, for both renderings. */
import { describe, expect, it } from "@effect/vitest"
import * as Recall from "@palimpsest/governor/Recall"
import { Seq } from "@palimpsest/ledger/Ids"
import * as Sha256 from "@palimpsest/ledger/Sha256"
import * as Policy from "@palimpsest/policy/Policy"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fs from "node:fs"
import * as path from "node:path"
import * as Answer from "../src/Answer.ts"
import * as Disk from "./support/Disk.ts"
import { BALANCED, facts, ports, RUN, SECTION, sent, stale } from "./support/Turns.ts"

const entered = Effect.map(facts, (all) =>
  all.flatMap((fact) => (fact._tag === "Entered" && fact.message.startsWith("refresh-") ? [fact] : []))
)
const gated = Effect.map(facts, (all) => all.flatMap((fact) => (fact._tag === "Gated" ? [fact] : [])))

/** What a run is told of a target that it read and then wrote, and what the operator is. */
const told = (
  disk: Disk.Disk,
  config: typeof BALANCED | typeof SECTION,
  target: string,
  policy: Policy.Policy = Policy.permissive
) =>
  Effect.gen(function* () {
    const refused: Array<Answer.Refused> = []
    const run = Effect.gen(function* () {
      const live = yield* stale(config, policy, target)
      const text = yield* sent(live)
      return { text, entered: yield* entered, gated: yield* gated, operator: refused.map(Answer.explain) }
    })
    return yield* Effect.provide(run, ports(disk.root, policy, refused))
  })

const stub = (why: string) =>
  `(elided: invalidated by the write at step 1; the re-read at step 2 could not be done (${why}) — read it yourself)`

describe("refresh at the tail, on real files (balanced)", () => {
  it.scoped("IO-24 a stale read shows the contents of now, as a new observation", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { "d/a.ts": "new\n" })
      const { entered, text } = yield* told(disk, BALANCED, "d/a.ts")
      expect(text).toMatch(/\[d\/a\.ts was changed by the write @\d+: this is what it holds now\]\nnew\n/)
      expect(text).toContain("old\n")
      expect(entered).toMatchObject([{ observation: { kind: "read", target: "d/a.ts", covers: { _tag: "All" } } }])
    })
  )

  it.scoped("IO-24 each write brings the contents of its own moment, and a turn without one brings nothing", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { "a.ts": "second\n" })
      const run = Effect.gen(function* () {
        const live = yield* stale(BALANCED, Policy.permissive, "a.ts")
        expect(yield* sent(live)).toContain("second\n")
        Disk.write(disk.root, { "a.ts": "third\n" })
        expect(yield* sent(live)).not.toContain("third\n")
        expect(yield* entered).toHaveLength(1)
      })
      yield* Effect.provide(run, ports(disk.root, Policy.permissive))
    })
  )

  it.scoped("IO-25 denied or for a person: nothing is read, the log has the rule, the model does not", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { "private/f": "DENIED", "ask/f": "ASK" })
      for (const [target, ruling] of [
        ["private/f", "deny"],
        ["ask/f", "ask"]
      ] as const) {
        const { gated, text } = yield* told(disk, BALANCED, target, Disk.HOUSE_POLICY)
        expect(text).toContain("it may not be read now]")
        expect(text).not.toMatch(/DENIED|ASK|house|\*/)
        expect(gated).toMatchObject([{ target, purpose: "refresh", verdict: { ruling, layer: "house" } }])
      }
    })
  )

  it.scoped("IO-26 law 12: a_re_read_cannot_escape_the_workspace_root even under a permissive policy", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.outside, { f: "OUTSIDE" })
      Disk.link(disk.root, { link: "../outside/f", door: disk.outside })
      for (const target of ["link", "door/f", "../outside/f", path.join(disk.outside, "f")]) {
        const { entered, gated, operator, text } = yield* told(disk, BALANCED, target)
        expect(text).toContain("it may not be read now]")
        expect(gated).toMatchObject([
          { target, purpose: "refresh", verdict: { ruling: "deny", rule: "<resolves outside workspace root>" } }
        ])
        expect(text).not.toContain("OUTSIDE")
        expect(entered[0]).not.toHaveProperty("observation")
        expect(operator).toHaveLength(1)
      }
    })
  )

  it.scoped("IO-26 law 12: a link to a denied file: the operator learns the rule and the name, the model neither", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { "private/f": "DENIED" })
      Disk.link(disk.root, { a: "private/f" })
      const { gated, operator, text } = yield* told(disk, BALANCED, "a", Disk.HOUSE_POLICY)
      expect(text).toContain("it may not be read now]")
      expect(gated).toMatchObject([
        { target: "private/f", verdict: { ruling: "deny", rule: "private/*", layer: "house" } }
      ])
      expect(text).not.toMatch(/DENIED|private|house/)
      expect(operator).toEqual(["refused by policy: read a (rule private/* in layer house): it is private/f"])
    })
  )

  it.scoped("law 12: what was read through a link is of both names, and recall needs leave for each", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { "later/f": "new\n" })
      Disk.link(disk.root, { a: "later/f" })
      for (const config of [BALANCED, SECTION]) {
        const run = Effect.gen(function* () {
          yield* sent(yield* stale(config, Policy.permissive, "a"))
          const all = yield* facts
          const at = all.findIndex((fact) => fact._tag === "Entered" && fact.message.startsWith("refresh-"))
          expect(all[at]).toMatchObject({ observation: { target: "a", subject: "file:a", also: ["file:later/f"] } })
          const recalled = (denied: string) => {
            const policy = Disk.compiled(Policy.deny(Policy.layer(Policy.permissive, "since"), "read", denied))
            return Effect.either(Recall.recall(Sha256.pure, policy, { run: RUN, address: { seq: Seq.make(at + 1) } }))
          }
          expect((yield* recalled("other"))._tag).toBe("Right")
          for (const denied of ["a", "later/*"]) {
            const refused = Either.flip(yield* recalled(denied))
            const error = Either.getOrThrow(refused)
            expect(error).toMatchObject({ _tag: "RecallRefused", verdict: { rule: denied, layer: "since" } })
            expect("told" in error ? error.told : "").toMatch(
              /^recall of run@\d+ refused: the policy does not allow this$/
            )
          }
        })
        yield* Effect.provide(run, ports(disk.root, Policy.permissive))
      }
    })
  )

  it.scoped("IO-27 empty, gone, binary and unreadable are four answers", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { empty: "", binary: new Uint8Array([0, 1, 2]), "folder/a": "" })
      const words = {
        empty: "it is empty now",
        gone: "it is gone",
        binary: "it is not text now",
        folder: "it could not be read"
      }
      for (const [target, what] of Object.entries(words)) {
        expect((yield* told(disk, BALANCED, target)).text).toContain(`: ${what}]`)
      }
    })
  )
})

describe("refresh in place, on real files (section)", () => {
  it.scoped("IO-24 the fresh text stands in place of the old, naming both steps", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { "a.ts": "new\n" })
      const { entered, text } = yield* told(disk, SECTION, "a.ts")
      expect(text).toContain(
        "[read a.ts] (re-read at step 2; the read at step 0 was invalidated by the write at step 1)\nnew\n"
      )
      expect(text).not.toContain("old\n")
      expect(entered).toHaveLength(1)
    })
  )

  it.scoped("IO-25 IO-28 a ruling refuses with its rule, in a stub that says what to do", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { "private/f": "DENIED", "ask/f": "ASK" })
      const denied = yield* told(disk, SECTION, "private/f", Disk.HOUSE_POLICY)
      expect(denied.text).toContain(`[read private/f] ${stub("the policy denies reading it by rule private/*")}`)
      expect(denied.gated).toMatchObject([{ target: "private/f", verdict: { rule: "private/*" } }])
      const asked = yield* told(disk, SECTION, "ask/f", Disk.HOUSE_POLICY)
      expect(asked.text).toContain(stub("the policy sends reading it to a human by rule ask/*"))
    })
  )

  it.scoped("IO-26 IO-41 what leaves the root is a failed re-read with the seed's reason", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.outside, { f: "OUTSIDE" })
      Disk.link(disk.root, { link: "../outside/f" })
      for (const target of ["link", "../outside/f", path.join(disk.outside, "f")]) {
        const { gated, text } = yield* told(disk, SECTION, target)
        expect(gated).toMatchObject([{ target, verdict: { ruling: "deny", layer: "workspace" } }])
        expect(text).toContain(stub(`the re-read failed: path escapes workspace: ${target}`))
        expect(text).not.toContain("OUTSIDE")
      }
    })
  )

  it.scoped("IO-27 IO-28 empty, gone, binary and special, in the seed's words", () =>
    Effect.gen(function* () {
      const disk = yield* Disk.disk
      Disk.write(disk.root, { empty: "", binary: new Uint8Array([0, 1, 2]) })
      fs.mkdirSync(path.join(disk.root, "folder"))
      const words = {
        empty: "it is now empty, or gone",
        gone: "it is now empty, or gone",
        binary: "the re-read failed: it is not text",
        folder: "the re-read failed: it is a folder, not a file"
      }
      for (const [target, why] of Object.entries(words)) {
        expect((yield* told(disk, SECTION, target)).text).toContain(`[read ${target}] ${stub(why)}`)
      }
    })
  )
})
