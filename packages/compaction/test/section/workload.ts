/**
 * The workload of the conformance vectors, generated: an agent's reads, searches, writes and shell calls over a Zipf-shaped
 * set of files. The same numbers in the same order as the generator of the vectors, so a seed means the same run.
 */
import { KINDS, label, type Kind } from "@palimpsest/ledger/Observation"
import { bound } from "../../src/SectionBound.ts"

/** One observation. `written` is the file's contents after it, of a write; "" where it emptied the file. */
export interface Row {
  readonly step: number
  readonly kind: Kind
  readonly target: string | undefined
  readonly off: number
  readonly len: number
  readonly uni: boolean
  readonly woff: number
  readonly wlen: number
}

export const UNI = "é中🔥—ü日本語🚀 "
const CORPUS = 4 << 20

/** 4 MiB of ASCII that looks like code, from seed 99. */
export const corpus = (): string => (cached ??= makeCorpus())

/** `n` observations from a seed. */
export const generate = (n: number, seed: number): ReadonlyArray<Row> => {
  const random = mulberry(seed)
  const paths = Math.max(20, Math.min(40_000, Math.round(3 * n ** 0.6)))
  const shares = zipfShares(paths)
  const zipf = () => {
    const at = random()
    let low = 0
    let high = paths - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (shares[middle]! < at) low = middle + 1
      else high = middle
    }
    return low
  }
  const logNormal = (median: number, sigma: number, low: number, high: number) => {
    const u = Math.max(1e-9, random())
    const v = random()
    const z = Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v)
    return Math.max(low, Math.min(high, Math.round(median * Math.exp(sigma * z))))
  }
  const below = (bound: number) => (random() * bound) | 0
  const sizes = Int32Array.from({ length: paths }, () => logNormal(3500, 1.1, 300, 40_000))
  const hot: Array<number> = []
  const pick = () => {
    if (hot.length > 0 && random() < 0.45) return hot[below(hot.length)]!
    const path = zipf()
    hot.push(path)
    if (hot.length > 12) hot.shift()
    return path
  }
  const rows: Array<Row> = []
  let step = 1
  for (let i = 0; i < n; i++) {
    if (i > 0 && random() < 0.66) step++
    const u = random()
    let kind: Kind
    let target: string | undefined
    let len: number
    let woff = 0
    let wlen = 0
    if (u < 0.36) {
      const path = pick()
      kind = "read"
      target = pathName(path)
      len = sizes[path]!
    } else if (u < 0.48) {
      kind = "grep"
      target = `pat_${(zipf() * 7) % Math.max(50, paths >> 1)}`
      len = logNormal(900, 1.2, 40, 30_000)
    } else if (u < 0.52) {
      kind = "find"
      target = `glob_${zipf() % 200}`
      len = logNormal(500, 1, 30, 8000)
    } else if (u < 0.66) {
      const path = pick()
      kind = "write"
      target = pathName(path)
      len = logNormal(60, 0.4, 20, 200)
      wlen = random() < 0.01 ? 0 : Math.max(300, Math.min(40_000, Math.round(sizes[path]! * (0.9 + 0.25 * random()))))
      sizes[path] = wlen === 0 ? 300 : wlen
      woff = below(CORPUS - 41_000)
    } else if (u < 0.67) {
      kind = "skill"
      target = `skill_${below(12)}`
      len = logNormal(3000, 0.5, 500, 9000)
    } else if (u < 0.84) {
      kind = "tool"
      target = "bash"
      len = logNormal(1100, 1.5, 20, 40_000)
    } else if (u < 0.87) {
      kind = "mcp"
      target = `mcp_${below(6)}`
      len = logNormal(1500, 1, 40, 20_000)
    } else if (u < 0.875) {
      kind = "child"
      target = `agent_${below(1e6)}`
      len = logNormal(2500, 0.6, 200, 12_000)
    } else if (u < 0.95) {
      kind = "message"
      len = logNormal(350, 0.8, 20, 5000)
    } else {
      kind = "error"
      target = random() < 0.5 ? pathName(pick()) : undefined
      len = logNormal(180, 0.9, 20, 4000)
    }
    const off = below(CORPUS - 41_000)
    rows.push({ step, kind, target, off, len, uni: random() < 0.05, woff, wlen })
  }
  return rows
}

/** A workload with bodies a fifth as long, so that long runs are quick to compare; the vectors have them at full length. */
export const shortened = (entries: number, seed: number): ReadonlyArray<Row> =>
  generate(entries, seed).map((row) => ({ ...row, len: Math.ceil(row.len / 5), wlen: Math.ceil(row.wlen / 5) }))

/** A row as the vectors' files have it. */
export const toLine = (row: Row): string =>
  [row.step, row.kind, row.target ?? "-", row.off, row.len, row.uni ? 1 : 0, row.woff, row.wlen].join("\t")

export const fromLine = (line: string): Row => {
  const [step, kind, target, off, len, uni, woff, wlen] = line.split("\t")
  const found = KINDS.find((known) => known === kind)
  if (found === undefined) throw new Error(`no kind: ${kind}`)
  return {
    step: Number(step),
    kind: found,
    target: target === "-" ? undefined : target,
    off: Number(off),
    len: Number(len),
    uni: uni === "1",
    woff: Number(woff),
    wlen: Number(wlen)
  }
}

export const bodyOf = (row: Row): string => (row.uni ? UNI : "") + corpus().slice(row.off, row.off + row.len)

/** The text of the observation as a harness admits it under a cap. */
export const textOf = (row: Row, cap: number): string =>
  `\n[${label(row.kind)}${row.target === undefined ? "" : ` ${row.target}`}]\n${bound(bodyOf(row), cap, row.kind)}\n`

export const writtenBy = (row: Row): string => corpus().slice(row.woff, row.woff + row.wlen)

/** The steps of a workload, in order. */
export const turnsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const turns: Array<Array<Row>> = []
  for (const row of rows) {
    const turn = turns.at(-1)
    if (turn?.[0]?.step === row.step) turn.push(row)
    else turns.push([row])
  }
  return turns
}

export const mulberry = (seed: number) => {
  let state = seed
  return (): number => {
    state |= 0
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

let cached: string | undefined

const makeCorpus = (): string => {
  const random = mulberry(99)
  const below = (bound: number) => (random() * bound) | 0
  const word = () => {
    const length = 2 + below(9)
    let letters = ""
    for (let i = 0; i < length; i++) letters += String.fromCharCode(97 + below(26))
    return letters
  }
  const words = Array.from({ length: 4000 }, word)
  const between = [" ", " = ", "(", "); ", ".", " "]
  const lines: Array<string> = []
  let length = 0
  while (length < CORPUS) {
    let line = "  ".repeat(random() * 4)
    const count = 2 + below(10)
    for (let i = 0; i < count; i++) line += words[(random() * random() * 4000) | 0]! + between[below(6)]!
    line += "\n"
    lines.push(line)
    length += line.length
  }
  return lines.join("").slice(0, CORPUS)
}

const DIRS = ["src/core", "src/net", "src/ui", "lib", "test", "packages/a/src", "packages/b/src", "docs"]

const pathName = (i: number): string => (i % 97 === 13 ? `secrets/k${i}.pem` : `${DIRS[i % 8]}/module_${i}.ts`)

const zipfShares = (count: number): Float64Array => {
  const shares = new Float64Array(count)
  let sum = 0
  for (let i = 0; i < count; i++) {
    sum += 1 / (i + 1)
    shares[i] = sum
  }
  for (let i = 0; i < count; i++) shares[i]! /= sum
  return shares
}
