/**
 * `node tools/bench/policy.mjs`: how many policy checks a second, on 100 rules that are compiled once, over more distinct
 * targets than any memo would hold; beside the same rules as regular expressions and, where it is installed, as picomatch
 * matchers. Prints JSON. The figures that carry over to another machine are the ratios.
 *
 *     everyday     names, suffixes, folders and a few inner wildcards, over paths of a source tree
 *     adversarial  100 rules of inner wildcards that share their ends, over targets that almost match
 *     inseparable  100 rules made of six short pieces that every target has: no index helps, each rule has to be tried
 *
 * The other matchers do less: no canonical form, no credit to a layer, one ruling after the other as here.
 */
import { build } from "esbuild"
import { mkdtempSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))
const SECONDS = 0.6
const ROUNDS = 5
const TARGETS = 20_000

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** A small deterministic generator: the same rules and targets on every machine. */
const randomOf = (seed) => {
  let state = seed
  return (n) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * n)
  }
}

const WORDS = "src lib test docs app core api util model view server client config build index main page form".split(
  " "
)
const ENDS = "ts tsx js json md css html yml txt sh py rs go lock map svg".split(" ")

const everyday = () => {
  const random = randomOf(7)
  const word = () => WORDS[random(WORDS.length)]
  const kinds = [
    (i) => `secret-${i}.txt`,
    (i) => `*.key${i}`,
    (i) => `${word()}/private-${i}/*`,
    (i) => `${word()}/${word()}-${i}/*.${ENDS[i % ENDS.length]}`,
    (i) => `*/generated-${i}/*`
  ]
  const rules = Array.from({ length: 100 }, (_, i) => ({
    act: "read",
    ruling: ["deny", "ask", "allow"][i % 3],
    pattern: kinds[i % kinds.length](i)
  }))
  const guarded = rules.filter((_, i) => i % 5 === 2).map(({ pattern }) => pattern.slice(0, -2))
  const targets = Array.from({ length: TARGETS }, (_, i) => {
    const depth = 1 + random(4)
    const folders = Array.from({ length: depth }, word).join("/")
    // One in five is of something that a rule speaks of.
    if (i % 20 === 0) return `${folders}/${i}/secret-${random(20) * 5}.txt`
    if (i % 20 === 1) return `${folders}/${word()}-${i}.key${random(20) * 5 + 1}`
    if (i % 20 === 2) return `${folders}/generated-${random(20) * 5 + 4}/${i}.ts`
    if (i % 20 === 3) return `${guarded[random(guarded.length)]}/${i}.ts`
    return `${folders}/${word()}-${i}.${ENDS[random(ENDS.length)]}`
  })
  return { rules, targets }
}

const adversarial = () => {
  const random = randomOf(11)
  const rules = Array.from({ length: 100 }, (_, i) => ({
    act: "read",
    ruling: ["deny", "ask", "allow"][i % 3],
    pattern: [`a*b*a*${i}z`, `a*ab?a${i}*z`, `*a*b*${i}z`, `a?*b*${i}*z`][i % 4]
  }))
  const targets = Array.from({ length: TARGETS }, (_, i) => {
    const letters = Array.from({ length: 24 + random(24) }, () => "ab"[random(2)]).join("")
    return `a${letters}/${letters.slice(0, 8)}${1000 + i}z`
  })
  return { rules, targets }
}

/** Processor seconds of this process: what others do on the machine at the same time does not count. */
const seconds = () => {
  const { system, user } = process.cpuUsage()
  return (system + user) / 1e6
}

const inseparable = () => {
  const random = randomOf(5)
  const pieces = ["ab", "ba", "aa", "bb", "aab", "bba"]
  const rules = Array.from({ length: 100 }, (_, i) => ({
    act: "read",
    ruling: ["deny", "ask", "allow"][i % 3],
    pattern: `*${Array.from({ length: 5 }, () => `${pieces[random(pieces.length)]}*`).join("")}`
  }))
  const targets = Array.from({ length: TARGETS }, (_, i) => {
    const letters = Array.from({ length: 10 + random(4) }, () => "ab"[random(2)]).join("")
    return `${letters}${i}`
  })
  return { rules, targets }
}

/** Checks a processor second: the median of several rounds, each over all targets until its time is up. */
const rate = (check, targets) => {
  const round = () => {
    let done = 0
    let refused = 0
    const began = seconds()
    do {
      for (const target of targets) if (check(target) !== "allow") refused++
      done += targets.length
    } while (seconds() - began < SECONDS)
    return { perSecond: done / (seconds() - began), refused: refused / done }
  }
  round()
  const rounds = Array.from({ length: ROUNDS }, round)
  return { perSecond: Math.round(median(rounds.map(({ perSecond }) => perSecond))), refused: rounds[0].refused }
}

const baseOf = (target) => target.slice(target.lastIndexOf("/") + 1)

/** The plainest matcher over any test of one pattern: all denies, then all asks, then all allows. */
const scanning = (rules, testOf) => {
  const tests = ["deny", "ask", "allow"].map((ruling) => [
    ruling,
    rules.filter((rule) => rule.ruling === ruling).map(({ pattern }) => testOf(pattern))
  ])
  return (target) => {
    const base = baseOf(target)
    for (const [ruling, of] of tests) if (of.some((test) => test(target) || test(base))) return ruling
    return "allow"
  }
}

const regExpOf = (pattern) => {
  const source = pattern
    .replace(/[.+^${}()|[\]\\/]/g, "\\$&")
    .replaceAll("*", "[^]*")
    .replaceAll("?", "[^]")
  const expression = new RegExp(`^${source}$`, "u")
  return (subject) => expression.test(subject)
}

const picomatchOf = () => {
  try {
    const picomatch = createRequire(import.meta.url)("picomatch")
    // `bash` lets a star span separators, as a star does in a policy.
    return (pattern) => picomatch(pattern, { bash: true, dot: true, nobrace: true, nobracket: true, noext: true })
  } catch {
    return undefined
  }
}

const folder = mkdtempSync(join(tmpdir(), "palimpsest-policy-"))
try {
  const outfile = join(folder, "policy.mjs")
  await build({
    entryPoints: [join(root, "packages/policy/src/index.ts")],
    outfile,
    bundle: true,
    platform: "neutral",
    mainFields: ["module", "main"],
    format: "esm",
    nodePaths: [join(root, "node_modules")],
    logLevel: "error"
  })
  const { Check } = await import(pathToFileURL(outfile).href)
  const defaults = { read: "allow", write: "ask", exec: "ask", net: "deny" }
  const measured = Object.entries({ everyday: everyday(), adversarial: adversarial(), inseparable: inseparable() }).map(
    ([name, set]) => {
      const { rules, targets } = set
      const { right: compiled } = Check.compile({ layers: [{ name: "bench", rules }], defaults })
      const picomatch = picomatchOf()
      const checks = {
        policy: (target) => Check.check(compiled, "read", target).ruling,
        regularExpressions: scanning(rules, regExpOf),
        ...(picomatch === undefined ? {} : { picomatch: scanning(rules, picomatch) })
      }
      const differ = targets.filter((target) => checks.policy(target) !== checks.regularExpressions(target)).length
      const rates = Object.fromEntries(Object.entries(checks).map(([which, check]) => [which, rate(check, targets)]))
      const ratios = Object.fromEntries(
        Object.keys(rates)
          .filter((which) => which !== "policy")
          .map((which) => [
            `policy over ${which}`,
            Number((rates.policy.perSecond / rates[which].perSecond).toFixed(2))
          ])
      )
      return [name, { rules: rules.length, targets: new Set(targets).size, differ, rates, ratios }]
    }
  )
  const machine = { node: process.version, cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length }
  process.stdout.write(`${JSON.stringify({ machine, ...Object.fromEntries(measured) }, undefined, 2)}\n`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
