/**
 * `npm run bench [-- --write]`: every benchmark once, beside the committed baselines. Figures are ratios taken in one run
 * wherever a ratio says it; times are of this machine, which is named with them. Nothing here passes or fails a build.
 */
import { build } from "esbuild"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { cpus, tmpdir, totalmem } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { sessionOf } from "./session.mjs"

const root = fileURLToPath(new URL("../..", import.meta.url))
const baselines = join(root, "tools/bench/baselines.json")
const folder = mkdtempSync(join(tmpdir(), "palimpsest-bench-"))
const RUNS = 3

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

const node = (args) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { maxBuffer: 1 << 28 })
  if (status !== 0) throw new Error(String(stderr))
  return String(stdout)
}

/** Wall time (s) and peak memory (MiB) of a program, read by a hook inside it. */
const timed = (args) => {
  const hook = 'process.on("exit",()=>process.stderr.write(`\\n${process.uptime()} ${process.resourceUsage().maxRSS}`))'
  const { status, stderr } = spawnSync(process.execPath, ["--import", `data:text/javascript,${hook}`, ...args], {
    maxBuffer: 1 << 28
  })
  if (status !== 0) throw new Error(String(stderr))
  const [seconds, kibibytes] = String(stderr).trim().split("\n").at(-1).split(" ").map(Number)
  return { seconds, peakMiB: kibibytes / 1024 }
}

/** A benchmark in TypeScript as one file, run `RUNS` times; what it prints is JSON. */
const bundled = async (name) => {
  const outfile = join(folder, `${name}.mjs`)
  await build({
    entryPoints: [join(root, `tools/bench/${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["better-sqlite3"],
    conditions: ["@palimpsest/source"],
    logLevel: "error"
  })
  return Array.from({ length: RUNS }, () => JSON.parse(node(["--expose-gc", outfile])))
}

/** Steady turns of `balanced` at 1k and 10k messages: medians of each figure over the runs. */
const turns = async () => {
  const runs = await bundled("turns")
  const rows = runs[0].map((first, i) =>
    Object.fromEntries(Object.keys(first).map((key) => [key, median(runs.map((run) => run[i][key]))]))
  )
  return { rows, "steady turn, 10k over 1k": rows[1].steadyMs / rows[0].steadyMs }
}

const assemble = async () => {
  const runs = await bundled("assemble")
  const sizes = runs[0].map((_, i) => runs.map((run) => run[i]))
  const rows = sizes.map((figures) => ({
    observations: figures[0].observations,
    turnMs: median(figures.map(({ turnMs }) => turnMs)),
    planMs: median(figures.map(({ planMs }) => planMs)),
    textOverJoin: median(figures.map(({ joinMs, turnMs }) => (turnMs + joinMs) / joinMs)),
    visitsOverCarried: Math.max(...figures.map(({ visitsOverCarried }) => visitsOverCarried)),
    heapBytesPerEntry: median(figures.map(({ heapPerEntry }) => heapPerEntry))
  }))
  const flatness = median(runs.map((run) => run[2].turnMs / run[0].turnMs))
  return { rows, "flatness, 100k over 1k": flatness }
}

const govern = () => {
  const program = join(root, "apps/cli/dist/palimpsest.js")
  node([join(root, "tools/bundle.mjs"), join(root, "apps/cli/src/main.ts"), program])
  const session = join(folder, "session.jsonl")
  writeFileSync(session, sessionOf(4_000_000))
  const runs = Array.from({ length: RUNS }, (_, i) => {
    const database = join(folder, `bench-${i}.db`)
    const { peakMiB, seconds } = timed([program, "govern", session, "--db", database, "--json"])
    return { seconds, peakMiB, databaseBytes: statSync(database).size }
  })
  return {
    sessionBytes: statSync(session).size,
    seconds: median(runs.map(({ seconds }) => seconds)),
    peakMiB: median(runs.map(({ peakMiB }) => peakMiB)),
    databaseBytes: runs[0].databaseBytes
  }
}

try {
  const figures = {
    machine: `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`,
    date: new Date().toISOString().slice(0, 10),
    assemble: await assemble(),
    turns: await turns(),
    govern: govern()
  }
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`)
  if (process.argv.includes("--write")) writeFileSync(baselines, `${JSON.stringify(figures, null, 2)}\n`)
  else process.stdout.write(`baseline: ${readFileSync(baselines, "utf8")}`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
