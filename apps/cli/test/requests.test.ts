/** The lines of `--requests`: their shape, and every figure of the report computed anew from them by others' readers. */
import { beforeAll, describe, expect, it } from "vitest"
import { claudeSource } from "../../../tools/independent/claudeSource.mjs"
import { economics } from "../../../tools/independent/economics.mjs"
import { faults } from "../../../tools/independent/pairing.mjs"
import { estimateOf } from "../../../tools/independent/usage.mjs"
import { lostWords } from "../../../tools/independent/userWords.mjs"
import { accountFaults } from "../../../tools/src/account.mjs"
import { changedResults, requestLines, requestPairs } from "../../../tools/src/requestLines.mjs"
import { smallSession } from "./support/claude.ts"
import { NAMES, PRESETS } from "./support/examples.ts"
import { fileOf, newDatabase, temporaryFolder } from "./support/folder.ts"
import { governed } from "./support/governed.ts"
import { json } from "./support/palimpsest.ts"
import type { Report } from "./support/report.ts"

interface RequestLine {
  readonly request: number
  readonly run: string
  readonly rendering: string
  readonly epoch: number
  readonly estimatedTokens: number
  readonly messages: ReadonlyArray<{ readonly role: string }>
  readonly refused?: string
  readonly need?: number
  readonly have?: number
}

const SENT = "request run rendering epoch estimatedTokens messages"
const REFUSED = "request run refused need have"

const shapeFaults = (line: RequestLine, rendering: string): ReadonlyArray<string> => {
  const keys = Object.keys(line).join(" ")
  if (line.refused !== undefined) return keys === REFUSED ? [] : [keys]
  const found = keys === SENT && line.rendering === rendering && Number.isInteger(line.epoch) ? [] : [keys]
  return line.estimatedTokens === estimateOf(line) ? found : [...found, `${line.request}: ${line.estimatedTokens}`]
}

describe.each(NAMES)("%s", (name) => {
  const { file, report, requests } = governed(name)
  const accounts = { balanced: economics(), raw: economics(), "io-harness": economics() }
  const wrong: Record<"shape" | "pairing" | "words", Array<string>> = { shape: [], pairing: [], words: [] }
  const numbers = new Map<string, Array<number>>()
  let changed = 0

  beforeAll(async () => {
    const main = report("balanced").runs[0]?.run
    const source = name === "claude-code.jsonl" ? claudeSource(file) : undefined
    for await (const [line, raw] of requestPairs(requests("balanced"), requests("raw"))) {
      accounts.balanced.add(line)
      accounts.raw.add(raw)
      wrong.shape.push(...shapeFaults(line, "transcript"), ...shapeFaults(raw, "transcript"))
      wrong.pairing.push(...faults(line))
      changed += changedResults(line, raw)
      numbers.set(line.run, [...(numbers.get(line.run) ?? []), line.request])
      if (source !== undefined && line.run === main) wrong.words.push(...lostWords(source, line))
    }
    for await (const line of requestLines(requests("io-harness"))) {
      accounts["io-harness"].add(line)
      wrong.shape.push(...shapeFaults(line, "section"))
      const texts = line.messages.map((message: { readonly role: string }) => message.role).join(" ")
      if (texts !== "user" && !(texts === "" && line.estimatedTokens === 0))
        wrong.shape.push(`${line.request}: ${texts}`)
    }
  })

  it("each line has the shape that is promised, and the estimate that a reader computes from it", () => {
    expect(wrong.shape).toEqual([])
  })

  it("one line for each of the run's requests, numbered from 1", () => {
    const { runs } = report("balanced")
    expect([...numbers.keys()]).toEqual(runs.map(({ run }) => run))
    for (const { requests, run } of runs) {
      expect(numbers.get(run)).toEqual(Array.from({ length: requests }, (_, at) => at + 1))
    }
  })

  it.each(PRESETS)("%s: tokens, cost, cached share and peak are those of the lines; raw is --preset raw", (preset) => {
    expect(accountFaults(report(preset), accounts[preset].runs, accounts.raw.runs)).toEqual([])
  })

  it("calls and results stay together in every request", () => {
    expect(wrong.pairing).toEqual([])
  })

  it("no word of the user's is lost", () => {
    expect(wrong.words).toEqual([])
  })

  it("what was elided, summed over reasons, holds the results that stand otherwise than in raw", () => {
    const elided = Object.values(report("balanced").total.elided)
    expect(elided.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(changed)
    expect(report("raw").total.elided).toEqual({})
  })
})

describe("the example sessions are worth governing", () => {
  it("balanced is cheaper than raw where there is something to save, and never dearer", () => {
    for (const name of NAMES) expect(governed(name).report("balanced").total.cost.ratio).toBeLessThanOrEqual(1)
    expect(governed("claude-code.jsonl").report("balanced").total.cost.ratio).toBeLessThan(0.7)
  })
})

describe("a ceiling", () => {
  const ceilings = [200, 900, 1_800, 2_600, 5_000, 6_000]

  it("bounds what is sent; what does not fit is refused, in words and numbers, and the exit is 0", async () => {
    const { file } = governed("anthropic-messages.json")
    const refusals: Array<number> = []
    for (const ceiling of ceilings) {
      const out = `${temporaryFolder()}/requests.jsonl`
      const given = ["govern", file, "--db", newDatabase(), "--ceiling", String(ceiling), "--requests", out]
      const report = await json<Report>(given)
      const account = economics()
      let refused = 0
      for await (const line of requestLines(out)) {
        account.add(line)
        expect(shapeFaults(line, "transcript")).toEqual([])
        if (line.refused === undefined) expect(estimateOf(line)).toBeLessThanOrEqual(ceiling)
        else expect(line).toMatchObject({ refused: "ContextExhausted", have: ceiling })
        if (line.refused !== undefined) expect(line.need).toBeGreaterThan(ceiling)
        if (line.refused !== undefined) refused++
      }
      expect(accountFaults(report, account.runs, account.runs).filter((fault) => !/raw|ratio/.test(fault))).toEqual([])
      expect([report.total.refused, report.audit.differ]).toEqual([refused, 0])
      refusals.push(refused)
    }
    expect(refusals[0]).toBeGreaterThan(0)
    expect(refusals).toEqual([...refusals].sort((a, b) => b - a))
    expect(refusals.at(-1)).toBe(0)
  })

  it("where not even the first request fits, every one is refused and nothing costs anything", async () => {
    const out = `${temporaryFolder()}/requests.jsonl`
    const file = fileOf(smallSession().text())
    const { total } = await json<Report>(["govern", file, "--db", newDatabase(), "--ceiling", "1", "--requests", out])
    expect([total.refused, total.cost.governed, total.tokens.governed]).toEqual([total.requests, 0, 0])
  })
})
