/**
 * What any `Workspace` must do (law 12): say what stands at a target now, whole, each of the answers where it belongs, and
 * nothing of what lies outside its root. The checks need the workspace and its ground, the files under it, which they
 * change; a layer of both is all that a user gives them.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { equal, hold, type Check, type Violation } from "@palimpsest/ledger/testing/Contract"
import { Workspace, type Contents, type Files } from "../Workspace.ts"

/**
 * The files that a workspace reads, to be changed from outside it. `set` makes the folders that a target needs.
 *
 * @since 0.1.0
 * @category tags
 */
export class Ground extends Context.Tag("@palimpsest/governor/testing/Ground")<Ground, Files>() {}

/**
 * The contract. Each check uses targets of its own, so they may share a workspace that began empty.
 *
 * @since 0.1.0
 * @category contracts
 */
export const checks: ReadonlyArray<Check<Workspace | Ground>> = [
  check("a text comes back as it is, to its last character, with the name of its file", ({ says, set }) =>
    Effect.forEach(TEXTS, (text, i) => Effect.zipRight(set(`texts/${i}.txt`, text), says(`texts/${i}.txt`, text)), {
      discard: true
    })
  ),

  check("an empty file is empty, and not missing", ({ answers, set }) =>
    Effect.zipRight(set("empty.txt", ""), answers("empty.txt", { _tag: "Empty" }))
  ),

  check("what is not there is missing, and not empty", ({ answers }) =>
    Effect.zipRight(answers("never.txt", { _tag: "Missing" }), answers("no/such/folder.txt", { _tag: "Missing" }))
  ),

  check("bytes that are no text are binary", ({ answers, set }) =>
    Effect.forEach(
      BINARIES,
      (bytes, i) => Effect.zipRight(set(`binaries/${i}.bin`, bytes), answers(`binaries/${i}.bin`, { _tag: "Binary" })),
      { discard: true }
    )
  ),

  check("a read is of now: a change, a removal and a return are each seen", ({ answers, remove, says, set }) =>
    Effect.gen(function* () {
      yield* set("now.txt", "one")
      yield* says("now.txt", "one")
      yield* set("now.txt", "two, and longer")
      yield* says("now.txt", "two, and longer")
      yield* says("now.txt", "two, and longer")
      yield* remove("now.txt")
      yield* answers("now.txt", { _tag: "Missing" })
      yield* set("now.txt", "one")
      yield* says("now.txt", "one")
    })
  ),

  check("files are told apart by their folder and by their ending", ({ says, set }) =>
    Effect.gen(function* () {
      for (const target of ["apart/a.txt", "apart/b/a.txt", "apart/a.txt.bak"]) yield* set(target, target)
      for (const target of ["apart/a.txt", "apart/b/a.txt", "apart/a.txt.bak"]) {
        yield* says(target, target)
      }
    })
  ),

  check("a large text is whole, or said not to be readable; it is never cut", ({ read, set }) =>
    Effect.gen(function* () {
      const text = "0123456789abcdef\n".repeat(20_000)
      yield* set("large.txt", text)
      const found = yield* read("large.txt")
      yield* hold(found._tag === "Unreadable" || (found._tag === "Text" && found.text === text), `it is ${found._tag}`)
    })
  ),

  check("what leaves the root is not read, and its answer is one of the answers", ({ read }) =>
    Effect.forEach(
      OUTSIDE,
      (target) =>
        Effect.flatMap(read(target), ({ _tag }) =>
          hold(
            _tag === "Missing" || _tag === "Unreadable" || _tag === "Refused",
            `${JSON.stringify(target)} is ${_tag}`
          )
        ),
      { discard: true }
    )
  ),

  check("many fibers may read at once", ({ says, set }) =>
    Effect.zipRight(
      Effect.forEach(MANY, (i) => set(`many/${i}.txt`, `file ${i}`), { discard: true }),
      Effect.forEach([...MANY, ...MANY], (i) => says(`many/${i}.txt`, `file ${i}`), {
        concurrency: "unbounded",
        discard: true
      })
    )
  )
]

interface Bench extends Files {
  readonly read: (target: string) => Effect.Effect<Contents>
  readonly answers: (target: string, expected: Contents) => Effect.Effect<void, Violation>
  readonly says: (target: string, text: string) => Effect.Effect<void, Violation>
}

/** A workspace that dies of a target fails the check: a read has an answer for everything. */
function check(name: string, run: (bench: Bench) => Effect.Effect<void, Violation>): Check<Workspace | Ground> {
  return {
    name,
    check: Effect.gen(function* () {
      const { read } = yield* Workspace
      const { remove, set } = yield* Ground
      const answers = (target: string, expected: Contents) =>
        Effect.flatMap(read(target), (found) => equal(found, expected, target))
      const says = (target: string, text: string) => answers(target, { _tag: "Text", text, real: target })
      yield* run({ read, remove, set, answers, says })
    })
  }
}

const TEXTS = [
  "a",
  "\n",
  "no line break at the end",
  "one\r\ntwo\r\n",
  "\ufeffbyte order mark\n",
  "視図 帳簿 👩🏽‍💻 e\u0301\n",
  " \t leading and trailing \t ",
  "\u2028\u0085\u001b[31m\n"
]

const BINARIES = [
  Uint8Array.of(0),
  Uint8Array.of(0x61, 0, 0x62),
  Uint8Array.of(0xff, 0xfe, 0x61, 0),
  Uint8Array.of(0xc3, 0x28),
  Uint8Array.of(0xed, 0xa0, 0x80)
]

const OUTSIDE = ["..", "../outside.txt", "a/../../outside.txt", "../../../../../../etc/passwd", "/etc/passwd", "", "\0"]

const MANY = Array.from({ length: 20 }, (_, i) => i)
