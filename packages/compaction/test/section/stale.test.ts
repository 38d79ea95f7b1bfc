import { describe, expect, it } from "vitest"
import type { Seq } from "@palimpsest/ledger/Ids"
import { answer, NO_WORKSPACE } from "../../src/SectionReread.ts"
import { ALLOW, Replay } from "./replay.ts"
import { SEED } from "./reference.ts"
import { kills, WITHOUT } from "./scenarios.ts"

describe("what is stale", () => {
  it("IO-22 the first later observation of the same kind and target supersedes, and the stub names its step", () => {
    const run = new Replay()
    run.observe(1, "read", "a", "\n[read a]\n1\n")
    run.observe(2, "read", "a", "\n[read a]\n2\n")
    run.observe(3, "read", "a", "\n[read a]\n3\n")
    const { plan, text } = run.turn(24_000, ALLOW)
    expect(text).toBe(
      "\n[read a] (elided: superseded by the read at step 2)\n\n[read a] (elided: superseded by the read at step 3)\n\n[read a]\n3\n"
    )
    expect(plan.elided).toEqual({ superseded: 2, refused: 0, aged: 0 })
    expect(kills({ whichLater: (later) => later.at(-1) })).toBe(true)
    expect(kills({ sameSubject: (a, b) => a.target === b.target })).toBe(true)
    expect(kills({ subjectKinds: ["read", "grep", "find", "write", "skill", "tool", "mcp"] })).toBe(true)
    expect(kills({ subjectKinds: ["read", "grep", "write"] })).toBe(true)
  })

  it("IO-23 a later write of the same path makes a read stale, and nothing else", () => {
    const run = new Replay()
    run.observe(1, "read", "a", "\n[read a]\nold\n")
    run.observe(1, "grep", "a", "\n[grep a]\nhits\n")
    run.observe(1, "read", "./a", "\n[read ./a]\nold\n")
    run.observe(2, "write", "a", "\n[wrote a]\n(3 chars)\n", "new")
    const { plan, text } = run.turn(24_000, ALLOW)
    expect(plan.assembled.reread).toBe(1)
    expect(text).toContain("\n[grep a]\nhits\n\n[read ./a]\nold\n")
    expect(kills({ invalidates: (read, later) => later.kind === "write" && later.target !== read.target })).toBe(true)
    expect(kills({ invalidates: (read, later) => later.kind === "error" && later.target === read.target })).toBe(true)
  })

  it("IO-24 a stale read shows the contents of now, naming both steps, and is recorded with an address", () => {
    const run = new Replay()
    const seq = run.observe(1, "read", "a", "\n[read a]\nold\n")
    run.observe(4, "write", "a", "\n[wrote a]\n(3 chars)\n", "new")
    const { plan, text } = run.turn(24_000, ALLOW)
    expect(text).toBe(
      "\n[read a] (re-read at step 4; the read at step 1 was invalidated by the write at step 4)\nnew\n\n[wrote a]\n(3 chars)\n"
    )
    const [change] = plan.decided!.changes
    expect(change?.entries).toEqual([seq, seq])
    expect(change?.form).toMatchObject({ _tag: "Refreshed", by: 1_000_000_000, rest: { seq } })
    expect(JSON.stringify(change)).not.toContain("new")
    expect(plan.fresh).toEqual([{ seq, of: { seq: 1_000_000_000 } }])
    expect(kills({ reread: (target, step, first, written) => SEED.reread(target, step, written, first) })).toBe(true)
    expect(kills({ entryCap: (budget) => Math.max(1000, Math.floor(budget / 8)) })).toBe(true)
  })
})

describe("re-reads that are refused", () => {
  const store = () => ({ seq: 9 as Seq })
  const read = { read: () => ({ _tag: "Text", text: "now" }) as const }
  const why = (given: ReturnType<typeof answer>) => (given._tag === "Refused" ? given.why : given._tag)

  it("IO-25 no workspace, deny and ask refuse, with the rule that said so", () => {
    expect(why(answer("a", undefined, { ruling: "deny" }, store))).toBe("this run has no workspace to re-read from")
    expect(why(answer("a", read, { ruling: "deny" }, store))).toBe("the policy denies reading it")
    expect(why(answer("a", read, { ruling: "deny", rule: "*.pem" }, store))).toBe(
      "the policy denies reading it by rule *.pem"
    )
    expect(why(answer("a", read, { ruling: "ask" }, store))).toBe("the policy sends reading it to a human")
    expect(why(answer("a", read, { ruling: "ask", rule: "b/*" }, store))).toBe(
      "the policy sends reading it to a human by rule b/*"
    )
    expect(why(answer("a", read, { ruling: "allow", rule: "a" }, store))).toBe("Fresh")
    const never = { read: (): never => expect.fail("read although refused") }
    answer("a", never, { ruling: "ask" }, store)
    answer("a", never, { ruling: "deny" }, store)
    expect(kills({ askRefuses: false })).toBe(true)
    expect(kills({ denied: SEED.asked })).toBe(true)
    expect(kills({ byRule: () => "" })).toBe(true)
    expect(kills({ noWorkspace: "no workspace" })).toBe(true)
  })

  it("IO-27 an empty file and a failed read are reasons", () => {
    expect(why(answer("a", { read: () => ({ _tag: "Text", text: "" }) }, { ruling: "allow" }, store))).toBe(
      "it is now empty, or gone"
    )
    expect(why(answer("a", { read: () => ({ _tag: "Failed", why: "EACCES" }) }, { ruling: "allow" }, store))).toBe(
      "the re-read failed: EACCES"
    )
    expect(kills({ empty: "it is gone" })).toBe(true)
    expect(kills({ failed: (error) => error })).toBe(true)
  })

  it("IO-28 the stub names the write, this step, the reason and what to do", () => {
    const run = new Replay()
    run.observe(1, "read", "a", "\n[read a]\nold\n")
    run.observe(2, "write", "a", "\n[wrote a]\n(3 chars)\n", "new")
    run.observe(7, "tool", "bash", "\n[tool bash]\nok\n")
    const { plan, text } = run.turn(24_000, WITHOUT)
    expect(text).toContain(
      `\n[read a] (elided: invalidated by the write at step 2; the re-read at step 7 could not be done (${NO_WORKSPACE}) — read it yourself)\n`
    )
    expect(plan.elided).toEqual({ superseded: 0, refused: 1, aged: 0 })
    expect(plan.decided!.changes[0]?.form).toMatchObject({ _tag: "Stub", why: { _tag: "Refused" } })
    expect(kills({ refused: (written, step, why) => SEED.refused(step, written, why) })).toBe(true)
    expect(
      kills({ refused: (written, step, why) => SEED.refused(written, step, why).replace("yourself", "again") })
    ).toBe(true)
  })
})
