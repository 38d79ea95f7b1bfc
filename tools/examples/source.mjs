/**
 * Modules that look like this repository's own: a law in the module comment, an interface, a few plain functions. They
 * are drawn from a seed and frozen with it, so that an example session does not change when the real file does.
 */
import { capital, deed, noun, paragraph, sentence, state } from "./prose.mjs"

/** @typedef {import("./random.mjs").Random} Random */

/** A TypeScript-like module of about `functions` functions. @param {Random} random @param {string} name @param {number} functions */
export const sourceModule = (random, name, functions) => {
  const used = [noun(random), noun(random), noun(random)].map(capital)
  const lines = [
    "/**",
    ` * ${name}: ${sentence(random)}`,
    ...wrapped(paragraph(random, 3)),
    " *",
    " * @since 0.1.0",
    " */",
    ...[...new Set(used)].map((import_) => `import type { ${import_} } from "./${import_}.ts"`),
    "",
    `export interface ${name}State {`,
    ...fields(random, random.between(4, 8)),
    "}",
    ""
  ]
  for (let at = 0; at < functions; at++) lines.push(...fn(random, at), "")
  lines.push(
    `export const LIMITS = [${Array.from({ length: 8 }, () => random.between(16, 9_999)).join(", ")}] as const`
  )
  return `${lines.join("\n")}\n`
}

/** A test of a module. @param {Random} random @param {string} name @param {number} cases */
export const testModule = (random, name, cases) => {
  const lines = [
    'import { describe, expect, it } from "vitest"',
    `import { LIMITS, evolve } from "../src/${name}.ts"`,
    "",
    `describe("${name}", () => {`
  ]
  for (let at = 0; at < cases; at++) {
    lines.push(
      `  it("case ${at + 1}: the ${state(random)} ${noun(random)} ${deed(random)} its ${noun(random)}", () => {`,
      `    const state = evolve({ ${noun(random)}: ${random.between(1, 99)}, ${noun(random)}s: [] }, LIMITS[${random.between(0, 7)}])`,
      `    expect(state.${noun(random)}).toBe(${random.between(1, 500)})`,
      "  })",
      ""
    )
  }
  return `${lines.slice(0, -1).join("\n")}\n})\n`
}

/** A page of documentation. @param {Random} random @param {string} title @param {number} sections */
export const page = (random, title, sections) => {
  const lines = [`# ${title}`, "", paragraph(random, 3), ""]
  for (let at = 0; at < sections; at++) {
    lines.push(`## ${at + 1}. ${capital(state(random))} ${noun(random)}`, "", paragraph(random, 4), "")
    for (let item = random.between(2, 4); item > 0; item--) lines.push(`- ${sentence(random)}`)
    lines.push("")
  }
  return lines.join("\n")
}

const fields = (/** @type {Random} */ random, /** @type {number} */ count) =>
  Array.from({ length: count }, (_, at) => {
    const type = random.pick(["number", "string", `ReadonlyArray<${capital(noun(random))}>`, capital(noun(random))])
    return `  /** ${sentence(random)} */\n  readonly ${noun(random)}${at}: ${type}`
  })

const fn = (/** @type {Random} */ random, /** @type {number} */ at) => {
  const [a, b, c] = [noun(random), noun(random), noun(random)]
  const name = at === 0 ? "evolve" : `${deed(random)}${capital(noun(random))}${at}`
  return [
    "/**",
    ...wrapped(paragraph(random, random.between(1, 3))),
    " *",
    ` * @category ${random.pick(["models", "predicates", "transitions", "accessors", "errors"])}`,
    " */",
    `export const ${name} = (${a}: ${capital(a)}, ${b}1: ReadonlyArray<${capital(b)}>): ${capital(c)} => {`,
    `  const ${c}s = ${b}1.filter((${b}) => ${b}.${state(random)} && ${b}.seq > ${a}.seq)`,
    `  if (${c}s.length === 0) return { _tag: "${capital(state(random))}", ${a}, from: ${random.between(0, 64)} }`,
    `  let ${noun(random)}2 = ${random.between(1, 4_096)}`,
    `  for (const each of ${c}s) {`,
    `    // ${sentence(random)}`,
    `    if (each.${noun(random)} <= ${random.between(1, 900)}) continue`,
    `    ${a}.${noun(random)}s.push({ ...each, ${state(random)}: true, scalars: each.size.scalars })`,
    "  }",
    `  return { _tag: "${capital(noun(random))}", ${a}, ${c}s }`,
    "}"
  ]
}

const wrapped = (/** @type {string} */ text) => {
  const lines = []
  let line = " *"
  for (const word of text.split(" ")) {
    if (line.length + word.length + 1 > 118) {
      lines.push(line)
      line = " *"
    }
    line += ` ${word}`
  }
  return [...lines, line]
}
