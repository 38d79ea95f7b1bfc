import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import type { Seq } from "@palimpsest/ledger/Ids"
import { END, isOfItsTarget, type Coverage, type Observation } from "@palimpsest/ledger/Observation"
import { invalidated } from "../../src/Invalidation.ts"
import { superseded, type Observed } from "../../src/Supersession.ts"
import { Law, Script } from "../../src/testing.ts"
import { ALL, lines, NOW, seen, Talk, text } from "./talk.ts"

type Classify = (observed: ReadonlyArray<Observed>) => ReadonlyMap<Seq, Seq>

const observed: FastCheck.Arbitrary<ReadonlyArray<Observed>> = FastCheck.array(Script.observation, {
  maxLength: 30,
  size: "max"
}).map((all) => all.map((observation, i) => ({ seq: (i * 2 + 1) as Seq, observation })))

/** All of it, or each line that is named: written for obviousness, over sets of lines. */
const linesOf = (covers: Coverage): ReadonlySet<number> =>
  covers._tag === "All"
    ? new Set(Array.from({ length: LAST + 1 }, (_, i) => i))
    : new Set(Array.from({ length: Math.min(covers.to, LAST) - covers.from + 1 }, (_, i) => i + covers.from))

const LAST = 200

const isWider = (later: Coverage, earlier: Coverage): boolean => {
  const shown = linesOf(later)
  return [...linesOf(earlier)].every((line) => shown.has(line))
}

const rows: ReadonlyArray<Omit<Law.Law<Classify>, "number"> & { readonly row: string; readonly ours: Classify }> = [
  {
    row: "IO-04, IO-22, IO-W14",
    name: "the newest later observation of the same subject that shows as much supersedes, and a partial read never a wider one",
    ours: superseded,
    property: (classify) =>
      FastCheck.property(observed, (all) => {
        const found = classify(all)
        return all.every(({ observation, seq }, i) => {
          const by = all
            .slice(i + 1)
            .findLast(
              (later) =>
                isOfItsTarget(observation.kind) &&
                observation.subject !== undefined &&
                later.observation.subject === observation.subject &&
                later.observation.kind === observation.kind &&
                isWider(later.observation.covers, observation.covers)
            )
          return found.get(seq) === by?.seq
        })
      }),
    mutants: [
      { name: "any later read of the path supersedes", implementation: (all) => superseded(all.map(whole)) },
      {
        name: "kinds are not told apart",
        implementation: (all) => superseded(all.map((one) => ofKind(one, one.observation.subject, "read")))
      },
      {
        name: "a tool's name is a subject",
        implementation: (all) =>
          superseded(
            all.map((one) => (one.observation.kind === "tool" ? ofKind(one, one.observation.target, "find") : one))
          )
      },
      {
        name: "searches of one target in different files are one",
        implementation: (all) => superseded(all.map((one) => ofKind(one, "anything", one.observation.kind)))
      },
      { name: "nothing is superseded", implementation: () => new Map() }
    ]
  },
  {
    row: "IO-23",
    name: "the first later write of the same subject makes a read stale, and nothing else does",
    ours: invalidated,
    property: (classify) =>
      FastCheck.property(observed, (all) => {
        const found = classify(all)
        return all.every(({ observation, seq }, i) => {
          const by = all
            .slice(i + 1)
            .find(
              (later) =>
                observation.kind === "read" &&
                later.observation.kind === "write" &&
                later.observation.subject === observation.subject
            )
          return found.get(seq) === by?.seq
        })
      }),
    mutants: [
      {
        name: "a failed write invalidates",
        implementation: (all) =>
          invalidated(
            all.map((one) =>
              one.observation.kind === "error" ? ofKind(one, `file:${one.observation.target}`, "write") : one
            )
          )
      },
      { name: "a write before the read invalidates", implementation: (all) => invalidated(all.toReversed()) },
      {
        name: "a search is taken for a write",
        implementation: (all) =>
          invalidated(all.map((one) => ofKind(one, one.observation.subject?.replace("grep", "file"), writes(one))))
      }
    ]
  }
]

const whole = ({ observation, seq }: Observed): Observed => ({ seq, observation: { ...observation, covers: ALL } })

const writes = ({ observation }: Observed): Observation["kind"] =>
  observation.kind === "grep" ? "write" : observation.kind

const ofKind = (
  { observation: { covers, target, classifier }, seq }: Observed,
  subject: string | undefined,
  kind: Observation["kind"]
): Observed => ({
  seq,
  observation: {
    kind,
    covers,
    classifier,
    ...(target === undefined ? {} : { target }),
    ...(subject === undefined ? {} : { subject })
  }
})

describe("classes", () => {
  for (const row of rows) {
    it(`${row.row}: ${row.name}`, () => {
      FastCheck.assert(row.property(row.ours), { numRuns: 300 })
    })
    it(`${row.row}: every mutant dies: ${row.mutants.map(({ name }) => name).join("; ")}`, () => {
      expect(Law.survivors(row, { numRuns: 1_000, seed: 4 })).toEqual([])
    })
  }
})

describe("in a view of balanced", () => {
  it("IO-04 a tool's answers, an MCP tool's, a child's and a note never supersede each other", () => {
    for (const kind of ["tool", "mcp", "child", "message"] as const) {
      const talk = new Talk()
      const first = talk.ask(seen(kind, "it"), text(2_000))
      talk.ask(seen(kind, "it"), text(2_000))
      talk.answer()
      talk.rewrite(NOW)
      expect(talk.form(first)).toMatchObject({ _tag: "Stub", why: { _tag: "Aged" } })
    }
  })

  it("IO-22 a whole read supersedes a partial one, a partial one of the same lines too, a narrower one does not", () => {
    const talk = new Talk()
    const partial = talk.ask(seen("read", "a", lines(10, 20)), text(2_000))
    const whole = talk.ask(seen("read", "a"), text(4_000))
    const narrow = talk.ask(seen("read", "a", lines(12, 15)), text(2_000))
    talk.answer()
    talk.rewrite(NOW)
    expect(talk.form(partial)).toMatchObject({ why: { _tag: "Superseded", by: whole } })
    expect(talk.form(whole)).toMatchObject({ why: { _tag: "Aged" } })
    expect(talk.form(narrow)).toMatchObject({ why: { _tag: "Aged" } })
  })

  it("IO-22 a read to the end covers the lines after its first, and not the whole file", () => {
    const talk = new Talk()
    const whole = talk.ask(seen("read", "a"), text(2_000))
    const middle = talk.ask(seen("read", "a", lines(400, 900)), text(2_000))
    talk.ask(seen("read", "a", lines(300, END)), text(2_000))
    talk.answer()
    talk.rewrite(NOW)
    expect(talk.form(middle)).toMatchObject({ why: { _tag: "Superseded" } })
    expect(talk.form(whole)).toMatchObject({ why: { _tag: "Aged" } })
  })

  it("IO-22 what is pending, failed, or blanked by the client shows nothing and supersedes nothing", () => {
    for (const status of ["pending", "error", "ok"] as const) {
      const talk = new Talk()
      const read = talk.ask(seen("read", "a"), text(2_000))
      const later = talk.ask(seen("read", "a"), text(2_000), status)
      if (status === "ok") talk.happen({ _tag: "Cleared", entries: [later], put: "[cleared]" })
      talk.answer()
      talk.rewrite(NOW)
      expect(talk.form(read)).toMatchObject({ _tag: "Stub", why: { _tag: "Aged" } })
    }
  })

  it("IO-23 a write makes an earlier read of its file stale; a failed write, a write of another file, one before it do not", () => {
    const talk = new Talk()
    talk.ask(seen("write", "a"), text(100))
    const read = talk.ask(seen("read", "a"), text(2_000))
    const { subject: _, ...failed } = seen("error", "a")
    talk.ask(failed, text(200), "error")
    talk.ask(seen("write", "a"), text(200), "error")
    talk.ask(seen("write", "b"), text(200))
    talk.answer()
    talk.rewrite(NOW)
    expect(talk.form(read)).toMatchObject({ why: { _tag: "Aged" } })

    const other = new Talk()
    const stale = other.ask(seen("read", "a", lines(1, 9)), text(2_000))
    const write = other.ask(seen("write", "a"), text(100))
    other.ask(seen("write", "a"), text(100))
    other.answer()
    other.rewrite(NOW)
    expect(other.form(stale)).toMatchObject({ why: { _tag: "Invalidated", by: write } })
  })
})
