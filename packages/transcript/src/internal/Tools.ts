/**
 * The tools that agents are known to offer, by name, and what their results are of. A name that is not known here makes a
 * plain `tool`: never a guess.
 */
import { isWellFormed, sorted } from "@palimpsest/ledger/Canonical"
import { END, type Coverage, type Kind } from "@palimpsest/ledger/Observation"
import type { Where } from "../Classify.ts"
import * as Shell from "../Shell.ts"
import { objectOf, stringsOf, wellFormed, type Json } from "./Json.ts"
import * as Paths from "./Paths.ts"

export interface Finding {
  readonly kind: Kind
  readonly target?: string
  readonly subject?: string
  readonly covers?: Coverage
}

export const finding = (name: string, args: unknown, where: Where | undefined): Finding => {
  const given = objectOf(args)
  const found = name.startsWith("mcp__") ? ({ kind: "mcp", target: name } as const) : byName(name, given, where)
  const { target, ...rest } = found ?? { kind: "tool", ...(name === "" ? {} : { target: name }) }
  return target === undefined ? rest : { ...rest, target: shown(target) }
}

const byName = (name: string, args: Json, where: Where | undefined): Finding | undefined => {
  const path = pathOf(args)
  const family = FAMILY.get(name.toLowerCase().replace(/[^a-z0-9]/g, ""))
  switch (family) {
    case "read":
      return path === undefined ? undefined : read(path, args, where)
    case "write":
      return path === undefined ? undefined : file("write", path, where)
    case "editor":
      return path === undefined
        ? undefined
        : file(args["command"] === "view" ? "read" : "write", path, where, coverageOf(args))
    case "patch":
      return patch(args, where)
    case "grep":
    case "find":
      return search(family, args, where)
    case "shell":
      return shell(args, where)
    case "child":
      return { kind: "child", target: firstString(args, ["description", "subagent_type", "name", "task"]) ?? name }
    case "skill": {
      const target = firstString(args, ["skill", "command", "name"]) ?? name
      return { kind: "skill", target, subject: `skill:${sorted(args)}` }
    }
    default:
      return undefined
  }
}

const file = (kind: "read" | "write", path: string, where: Where | undefined, covers?: Coverage): Finding => ({
  kind,
  target: path,
  subject: `file:${exact(Paths.canonical(path, where))}`,
  ...(covers === undefined || kind === "write" ? {} : { covers })
})

/** Pages of a document are no lines, so each choice of them is of a subject of its own. */
const read = (path: string, args: Json, where: Where | undefined): Finding => {
  const found = file("read", path, where, coverageOf(args))
  const pages = args["pages"]
  if (pages === undefined) return found
  return { kind: "read", target: path, subject: `pages:${sorted({ path: Paths.canonical(path, where), pages })}` }
}

const search = (kind: "grep" | "find", args: Json, where: Where | undefined): Finding => ({
  kind,
  target: [firstString(args, ["pattern", "query", "regex", "glob", "name"]), pathOf(args)].filter(Boolean).join(" in "),
  subject: `${kind}:${sorted({ ...args, ...elsewhere(where) })}`
})

const shell = (args: Json, where: Where | undefined): Finding | undefined => {
  // What runs on, or answers a question of something that runs, shows no file.
  if (args["run_in_background"] === true || args["is_input"] === true) return undefined
  const command = commandOf(args)
  const reading = command === undefined ? undefined : Shell.read(command)
  switch (reading?._tag) {
    case "File":
      return file("read", reading.path, where, reading.covers)
    case "Tail": {
      // Which lines these are is not known, so they are of a subject of their own.
      const of = sorted({ path: Paths.canonical(reading.path, where), count: reading.count })
      return { kind: "read", target: reading.path, subject: `tail:${of}` }
    }
    case "Search":
    case "List": {
      const kind = reading._tag === "Search" ? "grep" : "find"
      const of = sorted({ words: reading.words, ...elsewhere(where) })
      return { kind, target: reading.words.join(" "), subject: `${kind}:${of}` }
    }
    default:
      return undefined
  }
}

/** A patch of one file is a write of it; one of several is of no one subject. */
const patch = (args: Json, where: Where | undefined): Finding | undefined => {
  const text = firstString(args, ["patch", "input", "patchText", "diff"]) ?? ""
  const paths = [...text.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map((match) =>
    (match[1] ?? "").trim()
  )
  const [path, more] = paths
  return path === undefined || path === "" || more !== undefined ? undefined : file("write", path, where)
}

const commandOf = (args: Json): string | undefined => {
  const argv = stringsOf(args["command"] ?? args["cmd"])
  if (argv.length === 3 && /^(?:\/bin\/)?(?:ba|z)?sh$/.test(argv[0] ?? "") && /^-l?c$/.test(argv[1] ?? ""))
    return argv[2]
  return firstString(args, ["command", "cmd", "script"])
}

/** The lines that were asked for, in whatever words the tool takes them; all of them where none were. */
const coverageOf = (args: Json): Coverage => {
  const range = args["view_range"] ?? args["line_range"]
  if (Array.isArray(range) && range.length === 2)
    return lines(count(range[0]), Number(range[1]) < 0 ? END : count(range[1]))
  const start = first(args, ["start_line", "startLine", "start_line_one_indexed", "line_start", "from_line"])
  const end = first(args, ["end_line", "endLine", "end_line_one_indexed_inclusive", "line_end", "to_line"])
  if (args["should_read_entire_file"] === true) return { _tag: "All" }
  if (start !== undefined || end !== undefined) return lines(start, end ?? END)
  const offset = count(args["offset"])
  const limit = count(args["limit"])
  if (offset === undefined && limit === undefined) return { _tag: "All" }
  const from = Math.max(1, offset ?? 1)
  return lines(from, limit === undefined ? END : Math.min(END, from + Math.max(1, limit) - 1))
}

const lines = (from: number | undefined, to: number | undefined): Coverage => {
  const start = Math.max(1, from ?? 1)
  return { _tag: "Lines", from: start, to: Math.max(start, to ?? END) }
}

const first = (args: Json, keys: ReadonlyArray<string>): number | undefined =>
  keys.map((key) => count(args[key])).find((n) => n !== undefined)

/** A whole number, also one that a model wrote as a string. */
const count = (value: unknown): number | undefined => {
  const n = typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof n === "number" && Number.isInteger(n) && n >= 0 && n <= END ? n : undefined
}

const pathOf = (args: Json): string | undefined =>
  firstString(args, [
    "file_path",
    "path",
    "filePath",
    "absolute_path",
    "relative_path",
    "target_file",
    "notebook_path",
    "filename",
    "file"
  ])

const firstString = (args: Json, keys: ReadonlyArray<string>): string | undefined => {
  for (const key of keys) {
    const value = args[key]
    if (typeof value === "string" && value !== "") return value
  }
  return undefined
}

/** Where a search was made, when that is not the root: the same words elsewhere are another search. */
const elsewhere = (where: Where | undefined): Json =>
  where === undefined || where.cwd === where.root ? {} : { "(cwd)": where.cwd }

/** A subject has to tell apart what differs, also by a lone surrogate, and to be well formed. */
const exact = (path: string): string => (isWellFormed(path) ? path : JSON.stringify(path))

const shown = (target: string): string => {
  const text = wellFormed(target)
  return text.length <= SHOWN ? text : Array.from(text).slice(0, SHOWN).join("")
}

const SHOWN = 200

type Family = "read" | "write" | "editor" | "patch" | "grep" | "find" | "shell" | "child" | "skill"

const NAMES: Readonly<Record<Family, string>> = {
  read: "read readfile viewfile openfile fileread view notebookread readtextfile",
  write:
    "write edit multiedit notebookedit writefile createfile editfile writetofile replaceinfile searchreplace strreplace insertcontent editnotebook fileedit filewrite replace",
  editor: "strreplaceeditor strreplacebasededittool fileeditor texteditor",
  patch: "applypatch",
  grep: "grep greptool searchfiles grepsearch searchfilecontent ripgrep codesearch searchcode filesearchcontent",
  find: "glob ls listdir listdirectory listfiles findfiles filesearch findpath globfilesearch",
  shell:
    "bash executebash shell runterminalcmd runshellcommand terminal runcommand executecommand execcommand localshell containerexec shellcommand runterminalcommand",
  child: "task agent spawnagent delegate newtask",
  skill: "skill slashcommand"
}

const FAMILIES: ReadonlyArray<Family> = ["read", "write", "editor", "patch", "grep", "find", "shell", "child", "skill"]

const FAMILY: ReadonlyMap<string, Family> = new Map(
  FAMILIES.flatMap((family) => NAMES[family].split(" ").map((name) => [name, family] as const))
)
