/**
 * The files of an example session, and the acts of an agent on them. An act answers with what the tool would have
 * shown, in neutral form: `claudeCode.mjs` and `chat.mjs` give it the shape of their client.
 *
 * @typedef {{
 *   act: "read" | "shell" | "grep" | "glob" | "edit" | "write" | "todo" | "task" | "issue" | "picture",
 *   path?: string, offset?: number, limit?: number, command?: string, pattern?: string, before?: string, after?: string,
 *   content?: string, items?: ReadonlyArray<string>, prompt?: string, about?: string, failed?: boolean, output: string,
 *   blocks?: ReadonlyArray<string>, child?: ReadonlyArray<import("./story.mjs").Step>
 * }} Act
 */
import { page, sourceModule, testModule } from "./source.mjs"

const MODULES = {
  ledger: ["Chain", "Entry", "Ledger", "Body", "Subject", "Canonical"],
  budget: ["Estimate", "ContextBudget", "Ceiling", "EntryCap"],
  policy: ["Pattern", "Layer", "Verdict", "Merge"],
  compaction: ["Supersession", "Invalidation", "Schedule", "Ladder", "View", "Section", "Balanced"],
  governor: ["Turn", "Replay", "Workspace"],
  transcript: ["ClaudeCode", "Chat", "Classify", "Shell"]
}

/** The tree of a session, drawn from a seed. @param {import("./random.mjs").Random} random */
export const workspace = (random) => {
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const [name, modules] of Object.entries(MODULES)) {
    for (const module of modules) {
      files.set(`packages/${name}/src/${module}.ts`, sourceModule(random, module, random.between(7, 13)))
      files.set(`packages/${name}/test/${module}.test.ts`, testModule(random, module, random.between(6, 16)))
    }
    files.set(`packages/${name}/README.md`, page(random, name, 3))
  }
  files.set("docs/model.md", page(random, "The model", 9))
  files.set("docs/notes.md", page(random, "Notes", 2))

  const text = (/** @type {string} */ path) => {
    const found = files.get(path.replace(/^\.\//, ""))
    if (found === undefined) throw new Error(`the story reads a file that is not there: ${path}`)
    return found
  }
  const lines = (/** @type {string} */ path) => text(path).replace(/\n$/, "").split("\n")
  const numbered = (/** @type {ReadonlyArray<string>} */ some, /** @type {number} */ from) =>
    some.map((line, at) => `${String(from + at).padStart(6)}→${line}`).join("\n")

  return {
    paths: (/** @type {string} */ under) => [...files.keys()].filter((path) => path.startsWith(under)),
    text,

    /** @param {string} path @param {number} [offset] @param {number} [limit] @returns {Act} */
    read: (path, offset, limit) => {
      const from = offset ?? 1
      const some = lines(path).slice(from - 1, limit === undefined ? undefined : from - 1 + limit)
      return { act: "read", path, ...(offset && { offset }), ...(limit && { limit }), output: numbered(some, from) }
    },

    /** @param {string} path @returns {Act} */
    cat: (path) => ({ act: "shell", command: `cat ${path}`, output: text(path).trimEnd() }),

    /** @param {string} path @param {number} from @param {number} to @returns {Act} */
    sed: (path, from, to) => ({
      act: "shell",
      command: `sed -n '${from},${to}p' ${path}`,
      output: lines(path)
        .slice(from - 1, to)
        .join("\n")
    }),

    /** @param {"rg" | "grep" | "tool"} how @param {string} pattern @param {string} under @returns {Act} */
    grep: (how, pattern, under) => {
      const found = [...files].flatMap(([path, body]) =>
        path.startsWith(under)
          ? body.split("\n").flatMap((line, at) => (line.includes(pattern) ? [`${path}:${at + 1}:${line}`] : []))
          : []
      )
      const output = found.length === 0 ? "No matches found" : found.join("\n")
      if (how === "tool") return { act: "grep", pattern, path: under, output }
      const command = how === "rg" ? `rg -n ${pattern} ${under}` : `grep -rn "${pattern}" ${under}`
      return { act: "shell", command, output, failed: found.length === 0 }
    },

    /** @param {string} pattern @param {string} under @param {string} ending @returns {Act} */
    glob: (pattern, under, ending) => ({
      act: "glob",
      pattern,
      path: under,
      output: [...files.keys()].filter((path) => path.startsWith(under) && path.endsWith(ending)).join("\n")
    }),

    /** Replaces a line by others. @param {string} path @param {number} at @param {string} after @returns {Act} */
    edit: (path, at, after) => {
      const all = lines(path)
      const before = all.slice(at - 1, at + 2).join("\n")
      all.splice(at - 1, 3, ...after.split("\n"))
      files.set(path, `${all.join("\n")}\n`)
      const shown = numbered(all.slice(Math.max(0, at - 4), at + 8), Math.max(1, at - 3))
      return { act: "edit", path, before, after, output: `Edited ${path}:\n${shown}` }
    },

    /** @param {string} path @param {string} content @returns {Act} */
    write: (path, content) => {
      const isNew = !files.has(path)
      files.set(path, content)
      return { act: "write", path, content, output: `${isNew ? "Created" : "Replaced"} ${path}` }
    },

    /** @param {string} command @param {string} output @param {boolean} [failed] @returns {Act} */
    shell: (command, output, failed) => ({ act: "shell", command, output, ...(failed && { failed }) })
  }
}

/** @typedef {ReturnType<typeof workspace>} Workspace */
