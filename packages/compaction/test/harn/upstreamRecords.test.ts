/** The other tests that the seed's source has, by the names they have there (`spec` §4.4): ledger, receipts, manifests. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import { compose, type Piece, type Place } from "../../src/harn/Compose.ts"
import { contentHash, reconcile } from "../../src/harn/Manifest.ts"
import { type Json, type Message } from "../../src/harn/Message.ts"
import * as Receipt from "../../src/harn/Receipt.ts"
import { ledgerOf, render, REPAIR_LEDGER_SCHEMA } from "../../src/harn/RepairLedger.ts"
import { assistant, bytes, config, made, scriptedRun, talk, tool, user } from "./support.ts"

describe("the repair ledger", () => {
  const fix = (...paths: ReadonlyArray<string>): Message => ({
    ...tool("wrote it"),
    data: { mutation_status: "applied", changed_paths: paths }
  })
  const verify = (content: string, data?: Json): Message => ({
    ...tool(content),
    name: "run_tests",
    ...(data === undefined ? {} : { data })
  })

  it("verified", () => {
    expect(ledgerOf([fix("a.go")])?.fixes).toEqual([{ path: "a.go", status: "unverified" }])
    expect(ledgerOf([fix("a.go"), verify("exit code 0")])?.fixes).toEqual([{ path: "a.go", status: "verified-good" }])
    expect(ledgerOf([verify("exit code 0"), fix("a.go")])?.fixes[0]?.status).toBe("unverified")
    expect(ledgerOf([fix("a.go")], [verify("5 passed")])?.fixes[0]?.status).toBe("verified-good")
  })

  it("superseded diagnostics", () => {
    const failing = verify("--- FAIL: TestA\nexit code 1")
    expect(ledgerOf([fix("a.go"), failing])?.current_diagnostics).toEqual(["--- FAIL: TestA"])
    expect(ledgerOf([fix("a.go"), failing, verify("--- FAIL: TestB")])?.current_diagnostics).toEqual([
      "--- FAIL: TestB"
    ])
    expect(ledgerOf([fix("a.go"), failing, verify("exit code 0")])?.current_diagnostics).toEqual([])
  })

  it("the exit status of a receipt decides over phrases (HA-W18)", () => {
    const failed = verify("0 failed, exit code 0", { exit_code: 1 })
    expect(ledgerOf([fix("a.go"), failed])?.fixes[0]?.status).toBe("unverified")
    const passed = verify("3 tests ran, FAIL-safe mode", { exit_code: 0 })
    expect(ledgerOf([fix("a.go"), passed])?.fixes[0]?.status).toBe("verified-good")
  })

  it("no evidence", () => {
    expect(ledgerOf(talk(6))).toBeUndefined()
    expect(ledgerOf([verify("exit code 0"), verify("--- FAIL: TestA")])).toBeUndefined()
    const failed = { ...fix("a.go"), content: "error: patch does not apply" }
    expect(ledgerOf([failed])).toBeUndefined()
  })

  it("prose without receipt", () => {
    const prose = [
      user("applied: changed_paths a.go"),
      assistant("mutation_status: applied to a.go"),
      tool("edited a.go")
    ]
    expect(ledgerOf(prose)).toBeUndefined()
  })

  it("receipt paths not prose paths", () => {
    expect(ledgerOf([{ ...fix("a.go"), content: "edited b.go" }])?.fixes.map(({ path }) => path)).toEqual(["a.go"])
  })

  it("malformed receipts", () => {
    const data: ReadonlyArray<Json> = [
      null,
      "applied",
      [],
      { mutation_status: "applied" },
      { mutation_status: "applied", changed_paths: [] },
      { mutation_status: "applied", changed_paths: "a.go" },
      { mutation_status: "applied", changed_paths: [1] },
      { mutation_status: "rejected", changed_paths: ["a.go"] },
      { changed_paths: ["a.go"] }
    ]
    for (const each of data) expect(ledgerOf([{ ...tool("x"), data: each }])).toBeUndefined()
  })

  it("bounds", () => {
    const old = [...Array.from({ length: 6 }, (_, i) => fix(`old-${i}`)), verify("exit code 0")]
    const fresh = Array.from({ length: 6 }, (_, i) => fix(`new-${i}`))
    const errors = verify(Array.from({ length: 20 }, (_, i) => `error: ${i} ${"e".repeat(400)}`).join("\n"))
    const ledger = ledgerOf([...old, ...fresh, errors])!
    expect(ledger.fixes.map(({ path }) => path)).toEqual([
      "old-4",
      "old-5",
      ...[0, 1, 2, 3, 4, 5].map((i) => `new-${i}`)
    ])
    expect(ledger.current_diagnostics).toHaveLength(12)
    expect(ledger.current_diagnostics.at(-1)).toMatch(/^error: 19 /)
    expect(Math.max(...ledger.current_diagnostics.map(bytes))).toBe(220)
    const many = ledgerOf(Array.from({ length: 10 }, () => fix("same")))!
    expect(many.fixes).toHaveLength(8)
    expect(many.open_loops).toEqual([{ kind: "repeated-unverified-fix", path: "same", count: 10 }])
    expect(ledgerOf([fix("same"), fix("same")])?.open_loops).toEqual([])
  })

  it("is fenced JSON under its heading, whatever it quotes", () => {
    const text = render(ledgerOf([fix("a```.go")])!)
    const [heading, open, json, close] = text.split("\n")
    expect([heading, open, close]).toEqual([`[repair-ledger ${REPAIR_LEDGER_SCHEMA}]`, "```json", "```"])
    expect(json).not.toContain("`")
    expect(JSON.parse(json!)).toMatchObject({ schema: "harn.agent.repair_ledger.v1", fixes: [{ path: "a```.go" }] })
  })
})

describe("receipts", () => {
  const id = Receipt.ReceiptId.make("compaction-01890a5d-ac96-774b-bcce-b302099a8057")
  const occasion = { id, session: "s", transcript: "t", mode: "auto", reason: "threshold" } as const
  const settings = config({ token_threshold: 0, keep_last: 2 })
  const receipt = Receipt.receiptOf(
    occasion,
    settings,
    made(scriptedRun(talk(8), { token_threshold: 0, keep_last: 2 }))
  )

  it("round-trip", () => {
    const wire: unknown = JSON.parse(JSON.stringify(Receipt.encode(receipt)))
    expect(Either.getOrThrow(Receipt.decode(wire))).toEqual(receipt)
    expect(wire).toMatchObject({ schema_version: 1, resolved_threshold_tokens: 0, engine_strategy: "observation_mask" })
  })

  it("legacy none", () => {
    const { resolved_threshold_tokens: _, requested_strategy: __, ...legacy } = Receipt.encode(receipt)
    const old = Either.getOrThrow(Receipt.decode({ ...legacy, source_measurement: null, hard_limit_tokens: null }))
    expect(old.resolvedThresholdTokens).toEqual(Option.none())
    expect(old.sourceMeasurement).toEqual(Option.none())
    expect(Receipt.encode(old)).not.toHaveProperty("resolved_threshold_tokens")
  })

  it("missing version", () => {
    const { schema_version: _, ...rest } = Receipt.encode(receipt)
    expect(Either.isLeft(Receipt.decode(rest))).toBe(true)
    expect(Either.isLeft(Receipt.decode({ ...rest, schema_version: 2 }))).toBe(true)
  })

  it("host payload", () => {
    const wire = { ...Receipt.encode(receipt), mode: "host", snapshot_asset_id: "asset-1" }
    expect(Either.getOrThrow(Receipt.decode(wire)).snapshotAssetId).toEqual(Option.some("asset-1"))
    expect(Either.isLeft(Receipt.decode({ ...wire, extra: 1 }))).toBe(true)
    expect(Either.isLeft(Receipt.decode({ ...wire, mode: "Host" }))).toBe(true)
    expect(Either.isLeft(Receipt.decode({ ...wire, id: "compaction-1" }))).toBe(true)
  })

  it("engine identity", () => {
    const messages = talk(8)
    const keys = { token_threshold: 0, keep_last: 2, compact_strategy: "llm", policy_strategy: "hybrid" }
    const asked = config({
      ...keys,
      request_provenance: { requested_strategy: "llm", threshold_source: "compact_threshold" }
    })
    const done = made(scriptedRun(messages, keys, [" "]))
    const told = Receipt.receiptOf(occasion, asked, done)
    expect([told.strategy, told.requestedStrategy, told.engineStrategy]).toEqual([
      "hybrid",
      Option.some("llm"),
      "truncate"
    ])
    expect(told.thresholdSource).toEqual(Option.some("compact_threshold"))
  })
})

describe("context manifests", () => {
  const place: Place = {
    boundary: "observed_llm_call_pre_egress",
    callRole: "agent",
    actorChain: ["root"],
    tools: ["read"]
  }
  const piece = (id: string, text: string, more: Partial<Piece> = {}): Piece => ({
    id,
    producer: "test",
    bucket: "core",
    text,
    ...more
  })
  const composed = Either.getOrThrow(compose(hash, place, [piece("a", "first 日"), piece("b", "second")]))

  it("join order", () => {
    expect(composed.text).toBe("first 日\n\nsecond")
    expect(composed.manifest.segments.map(({ offset }) => offset)).toEqual([0, 11])
    expect(composed.manifest.system_prompt_bytes).toBe(bytes(composed.text))
    expect(Either.isLeft(reconcile(hash, composed.manifest, "second\n\nfirst 日"))).toBe(true)
  })

  it("replacement exact bytes", () => {
    const { text, manifest } = Either.getOrThrow(compose(hash, place, [piece("all", "mine")], "replacement"))
    expect([text, manifest.root, manifest.system_prompt_bytes]).toEqual(["mine", "replacement", 4])
    expect(Either.isLeft(compose(hash, place, [piece("a", "x"), piece("b", "y")], "replacement"))).toBe(true)
    expect(Either.isLeft(compose(hash, place, [], "replacement"))).toBe(true)
  })

  it("empty excluded", () => {
    const { text, manifest } = Either.getOrThrow(compose(hash, place, [piece("a", ""), piece("b", "words")]))
    expect(text).toBe("words")
    expect(manifest.segments[0]).toMatchObject({ included: false, reason: "empty", bytes: 0 })
    expect(manifest.segments[0]?.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it("tool gating", () => {
    const pieces = [
      piece("a", "how to read", { needsTool: "read" }),
      piece("b", "how to write", { needsTool: "write" })
    ]
    const { text, manifest } = Either.getOrThrow(compose(hash, place, pieces))
    expect(text).toBe("how to read")
    expect(manifest.segments[1]).toMatchObject({ included: false, reason: "tool not offered: write", bytes: 12 })
  })

  it("duplicate rejected", () => {
    const twice = compose(hash, place, [piece("a", "x"), piece("a", "y")])
    expect(Either.isLeft(twice) && twice.left.why).toBe("a segment stands twice")
  })

  it("digest tamper rejected", () => {
    const { manifest, text } = composed
    const [first, second] = manifest.segments
    const other = { ...first!, digest: second!.digest }
    const wrong = [
      { ...manifest, segments: [other, second!] },
      { ...manifest, segments: [{ ...first!, bytes: first!.bytes + 1 }, second!] },
      { ...manifest, segments: [first!, { ...second!, offset: 12 }] },
      { ...manifest, segments: [first!] },
      { ...manifest, system_prompt_bytes: 1 },
      { ...manifest, whole_prompt_digest: first!.digest }
    ]
    for (const each of wrong) {
      expect(Either.isLeft(reconcile(hash, each, text))).toBe(true)
      expect(contentHash(hash, each)).not.toBe(contentHash(hash, manifest))
    }
    expect(Either.isRight(reconcile(hash, manifest, text))).toBe(true)
  })
})
