/** How reports and audits are printed, as JSON values and as tables. */
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Audited } from "@palimpsest/governor/Audit"
import * as Economy from "@palimpsest/governor/Economy"
import type { Imported } from "@palimpsest/governor/Import"
import type { RunReport } from "@palimpsest/governor/Report"
import { count, percent, table } from "./Output.ts"

/** The JSON value of `govern`, and what its audit found. */
export const governed = (reports: ReadonlyArray<RunReport>, { fresh, partial }: Imported, hash: Hasher) => {
  const sum = summed(reports)
  return {
    findings: findingsOf(reports),
    value: {
      runs: reports.map((report) => ({
        run: report.run.log,
        ...(report.run.parent === undefined ? {} : { parent: report.run.parent }),
        ...figures(report),
        head: report.audit.head
      })),
      total: figures(sum),
      new: fresh,
      ...(partial === undefined ? {} : { partial }),
      audit: together(reports, hash)
    }
  }
}

/** The table of `govern`, with the audit's line at its end. */
export const governedTable = (
  reports: ReadonlyArray<RunReport>,
  imported: Imported,
  hash: Hasher,
  file: string
): string => {
  const all = reports.length > 1 ? [...reports.map(row), row({ ...summed(reports), run: undefined })] : reports.map(row)
  const elided = Object.entries(summed(reports).elided)
  const recorded = summed(reports).recorded
  return [
    `${file}: ${count(imported.records)} records, ${count(imported.fresh)} new events`,
    table(
      [
        "run",
        "requests",
        "refused",
        "raw tokens",
        "governed",
        "cost raw",
        "governed",
        "ratio",
        "cached",
        "peak",
        "rewrites"
      ],
      all
    ),
    `left out, summed over requests: ${elided.length === 0 ? "nothing" : elided.map(([why, n]) => `${why} ${count(n)}`).join(", ")}`,
    ...(recorded === undefined
      ? []
      : [`recorded by the source: ${count(recorded.tokens)} input tokens in ${count(recorded.requests)} requests`]),
    auditLine(together(reports, hash), findingsOf(reports).length)
  ].join("\n")
}

/** The audit in one line. */
export const auditLine = (audit: Omit<Audited, "findings">, findings: number): string =>
  `${findings === 0 ? "whole" : "NOT WHOLE"}: ${count(audit.events)} events, ${count(audit.bodies)} bodies, ` +
  `${count(audit.requests)} requests re-rendered, ${count(audit.differ)} differ, head ${audit.head}`

/** What an audit found, a line each. */
export const findingLines = (run: string, { findings }: Audited): ReadonlyArray<string> =>
  findings.map(({ log, seq, why }) => (seq === 0 ? `${log ?? run}: ${why}` : `${log ?? run}@${seq}: ${why}`))

interface Figures extends Omit<RunReport, "audit" | "run"> {
  readonly run?: RunReport["run"] | undefined
}

const figures = (report: Figures) => ({
  requests: report.requests,
  refused: report.refused,
  tokens: { raw: report.raw.tokens, governed: report.governed.tokens },
  cost: { raw: report.raw.cost, governed: report.governed.cost, ratio: ratio(report) },
  cachedShare: share(report.governed),
  peakTokens: report.governed.peakTokens,
  rewrites: report.rewrites,
  elided: report.elided,
  ...(report.recorded === undefined ? {} : { recorded: report.recorded })
})

const row = (report: Figures): ReadonlyArray<string> => [
  report.run?.log ?? "total",
  count(report.requests),
  count(report.refused),
  count(report.raw.tokens),
  count(report.governed.tokens),
  count(report.raw.cost),
  count(report.governed.cost),
  ratio(report).toFixed(3),
  percent(share(report.governed)),
  count(report.governed.peakTokens),
  count(report.rewrites)
]

/** 1 where nothing was sent at all: nothing was saved and nothing was lost. */
const ratio = ({ governed, raw }: Figures): number => (raw.cost === 0 ? 1 : governed.cost / raw.cost)

const share = ({ cached, tokens }: Economy.Tally): number => (tokens === 0 ? 0 : cached / tokens)

const summed = (reports: ReadonlyArray<RunReport>): Figures => {
  const recorded = reports.flatMap((report) => report.recorded ?? [])
  return {
    requests: sum(reports, (report) => report.requests),
    refused: sum(reports, (report) => report.refused),
    raw: Economy.total(reports.map((report) => report.raw)),
    governed: Economy.total(reports.map((report) => report.governed)),
    rewrites: sum(reports, (report) => report.rewrites),
    elided: reports.reduce((all, report) => Economy.addElided(all, report.elided), {}),
    recorded:
      recorded.length === 0
        ? undefined
        : { requests: sum(recorded, (one) => one.requests), tokens: sum(recorded, (one) => one.tokens) }
  }
}

const together = (reports: ReadonlyArray<RunReport>, hash: Hasher): Omit<Audited, "findings"> => ({
  events: sum(reports, ({ audit }) => audit.events),
  bodies: sum(reports, ({ audit }) => audit.bodies),
  requests: sum(reports, ({ audit }) => audit.requests),
  differ: sum(reports, ({ audit }) => audit.differ),
  head: headOf(
    reports.map(({ audit }) => audit.head),
    hash
  )
})

/** Of one run its head; of several the digest of their heads in order. */
const headOf = (heads: ReadonlyArray<Digest>, hash: Hasher): Digest => {
  const [only] = heads
  return only !== undefined && heads.length === 1 ? only : hash(encodeUtf8(heads.join("")))
}

const findingsOf = (reports: ReadonlyArray<RunReport>): ReadonlyArray<string> =>
  reports.flatMap(({ audit, run }) => findingLines(run.log, audit))

const sum = <A>(all: ReadonlyArray<A>, of: (one: A) => number): number => all.reduce((total, one) => total + of(one), 0)
