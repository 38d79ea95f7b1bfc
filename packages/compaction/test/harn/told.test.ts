/** The rows of the checklist about what is told of a compaction, with wrong engines that each test tells from ours. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { expect } from "vitest"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import { type Job, run as lifecycle } from "../../src/harn/Lifecycle.ts"
import { bodyOf, type Message } from "../../src/harn/Message.ts"
import * as Receipt from "../../src/harn/Receipt.ts"
import * as Reminder from "../../src/harn/Reminder.ts"
import { ledgerOf } from "../../src/harn/RepairLedger.ts"
import { none } from "../../src/harn/Summarizer.ts"
import { assistant, config, made, ours, row, talk, tool, user } from "./support.ts"

const id = Receipt.ReceiptId.make("compaction-01890a5d-ac96-774b-bcce-b302099a8057")
const occasion = { id, session: "s", transcript: "t", mode: "auto", reason: "threshold" } as const

row(
  "HA-21 a repair ledger from typed receipts only, below the summary",
  (engine) => {
    const fix: Message = { ...tool("done"), data: { mutation_status: "applied", changed_paths: ["a.go"] } }
    const messages = [user("t"), fix, { ...tool("--- FAIL: A"), name: "test" }, user("u"), assistant("end")]
    expect(engine.ledgerOf(messages)?.current_diagnostics).toEqual(["--- FAIL: A"])
    expect(engine.ledgerOf([...messages, { ...tool("exit code 0"), name: "test" }])).toMatchObject({
      fixes: [{ path: "a.go", status: "verified-good" }],
      current_diagnostics: []
    })
    expect(engine.ledgerOf([tool('{"mutation_status":"applied","changed_paths":["a.go"]}')])).toBeUndefined()
    const done = made(engine.run(messages, { token_threshold: 1, keep_last: 2 }))
    expect(done.summary).toContain("\n\n[repair-ledger harn.agent.repair_ledger.v1]\n```json\n")
    expect(done.repairLedger?.fixes).toEqual([{ path: "a.go", status: "unverified" }])
  },
  {
    "reads prose": {
      ledgerOf: (archived, retained) =>
        ledgerOf(
          archived.map((m) =>
            bodyOf(m).includes("applied") ? { ...m, data: { mutation_status: "applied", changed_paths: ["a.go"] } } : m
          ),
          retained
        )
    },
    "never clears": {
      ledgerOf: (archived, retained) => {
        const made = ledgerOf(archived, retained)
        return made && { ...made, current_diagnostics: ["--- FAIL: A"] }
      }
    }
  }
)

row(
  "HA-22 one id in every projection; what was asked and what was done; 0 and none apart",
  (engine) => {
    const provenance = { requested_strategy: "llm", threshold_source: "runtime_config" }
    const keys = { token_threshold: 0, keep_last: 2, request_provenance: provenance }
    const done = made(engine.run(talk(8), keys))
    const receipt = engine.receipt.receiptOf(occasion, config(keys), done)
    const { transcript, live, run } = Receipt.projections(receipt)
    expect([transcript.compaction_id, live.compaction_id, run.compaction_id, receipt.id]).toEqual([id, id, id, id])
    expect([receipt.requestedStrategy, receipt.engineStrategy]).toEqual([Option.some("llm"), "observation_mask"])
    expect(receipt.thresholdSource).toEqual(Option.some("runtime_config"))
    expect([receipt.resolvedThresholdTokens, receipt.hardLimitTokens]).toEqual([Option.some(0), Option.none()])
    expect([receipt.archivedMessages, receipt.instructionMode]).toEqual([6, "default"])
    expect([receipt.estimatedTokensBefore, receipt.estimatedTokensAfter]).toEqual([done.tokensBefore, done.tokensAfter])
    expect(Either.getOrThrow(engine.receipt.decode(engine.receipt.encode(receipt)))).toEqual(receipt)
  },
  {
    "none for 0": {
      receipt: {
        ...ours.receipt,
        encode: (receipt) => ({ ...Receipt.encode(receipt), resolved_threshold_tokens: null })
      }
    },
    "the strategy that was asked for": {
      receipt: {
        ...ours.receipt,
        receiptOf: (...args) => ({ ...Receipt.receiptOf(...args), engineStrategy: "llm" })
      }
    }
  }
)

row(
  "HA-23 a hook may block or change a compaction, another sees the receipt; reminders live and die",
  (engine) => {
    const calls: Array<string> = []
    const job: Job = {
      messages: talk(10),
      config: config({ token_threshold: 1, keep_last: 2 }),
      host: { hash },
      occasion,
      trigger: "threshold",
      hooks: {
        before: ({ id }) =>
          Effect.sync(() => (calls.push(`before ${id === occasion.id}`), { _tag: "Continue" as const })),
        snapshot: (messages) => Effect.sync(() => (calls.push(`snapshot ${messages.length}`), "asset-1")),
        after: ({ id }) => Effect.sync(() => void calls.push(`after ${id === occasion.id}`))
      },
      reminders: [
        { text: "old", dedupeKey: "k", preserveOnCompact: true },
        { text: "new", dedupeKey: "k", preserveOnCompact: true },
        { text: "gone" }
      ]
    }
    const go = (job: Job) => Effect.runSync(Effect.provide(engine.lifecycle(job), none))
    const done = go(job)
    if (done._tag !== "Done") expect.fail(done._tag)
    expect(calls).toEqual(["before true", "snapshot 10", "after true"])
    expect(done.events.map(({ type, compaction_id }) => [type, compaction_id])).toEqual([
      ["compaction_started", id],
      ["compaction_completed", id]
    ])
    expect(done.receipt.snapshotAssetId).toEqual(Option.some("asset-1"))
    expect(done.reminders.map(({ text }) => text)).toEqual(["new"])
    const blocked = go({ ...job, hooks: { before: () => Effect.succeed({ _tag: "Block", reason: "not now" }) } })
    expect(blocked).toEqual({
      _tag: "Blocked",
      reason: "not now",
      events: [{ type: "compaction_blocked", compaction_id: id, reason: "not now" }]
    })
    const modify = { _tag: "Modify", keepLast: 4, strategy: "truncate", targetTokens: 3 } as const
    const changed = go({ ...job, hooks: { before: () => Effect.succeed(modify) } })
    if (changed._tag !== "Done") expect.fail(changed._tag)
    expect([changed.done.strategy, changed.done.window.split]).toEqual(["truncate", 6])
    expect(changed.receipt.thresholdSource).toEqual(Option.some("pre_compact_modify"))
    expect(changed.receipt.resolvedThresholdTokens).toEqual(Option.some(3))
    const small = { ...job, config: config({ keep_last: 2 }) }
    expect(go(small)._tag).toBe("NotDue")
    expect(go({ ...small, trigger: "manual" })._tag).toBe("Done")
  },
  {
    "asks no hook": { lifecycle: (job) => lifecycle({ ...job, hooks: {} }) },
    "keeps every reminder": {
      lifecycle: (job) =>
        Effect.map(lifecycle(job), (outcome) =>
          outcome._tag === "Done" ? { ...outcome, reminders: job.reminders ?? [] } : outcome
        )
    }
  }
)

row("HA-23 reminders: turns, keys", () => {
  const list = Reminder.add(
    [
      { text: "a", dedupeKey: "k" },
      { text: "b", ttlTurns: 2 }
    ],
    { text: "c", dedupeKey: "k" }
  )
  expect(list.map(({ text }) => text)).toEqual(["b", "c"])
  const after = Reminder.afterTurn(list)
  expect(after).toEqual([
    { text: "b", ttlTurns: 1 },
    { text: "c", dedupeKey: "k" }
  ])
  expect(Reminder.afterTurn(after).map(({ text }) => text)).toEqual(["c"])
})
