import { covers, END } from "@palimpsest/ledger/Observation"
import * as Canonical from "@palimpsest/ledger/Canonical"
import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { MESSAGE, observe } from "../src/Classify.ts"
import * as Shell from "../src/Shell.ts"
import { words } from "./support/Sessions.ts"

const brief = (name: string, args: unknown, where?: { cwd: string; root: string }) => {
  const { covers: of, kind, subject, target } = observe(name, args, false, where)
  return [kind, target, subject, of._tag === "Lines" ? `${of.from}-${of.to === END ? "end" : of.to}` : "all"]
}
const sh = (command: string, name = "Bash") => brief(name, { command }).filter((_, i) => i !== 1)

describe("classify", () => {
  it("reads, whole and in part", () => {
    expect(brief("Read", { file_path: "./a/../b.ts" })).toEqual(["read", "./a/../b.ts", "file:b.ts", "all"])
    expect(brief("Read", { file_path: "b", offset: 10, limit: 5 })).toEqual(["read", "b", "file:b", "10-14"])
    expect(brief("Read", { file_path: "b", offset: 10 })[3]).toBe("10-end")
    expect(brief("Read", { file_path: "b", limit: "20" })[3]).toBe("1-20")
    expect(brief("Read", { file_path: "b", offset: 0, limit: 2 })[3]).toBe("1-2")
    expect(brief("Read", { file_path: "b.pdf", pages: "1-2" })[2]).toBe('pages:{"pages":"1-2","path":"b.pdf"}')
    expect(brief("read_file", { path: "b", start_line: 3, end_line: 9 })[3]).toBe("3-9")
    expect(brief("str_replace_editor", { command: "view", path: "/b", view_range: [2, -1] })).toEqual([
      "read",
      "/b",
      "file:/b",
      "2-end"
    ])
  })

  it("writes", () => {
    for (const name of ["Edit", "MultiEdit", "Write", "write_file", "edit_file"]) {
      expect(brief(name, { file_path: "a" })).toEqual(["write", "a", "file:a", "all"])
    }
    expect(brief("NotebookEdit", { notebook_path: "n.ipynb" })[2]).toBe("file:n.ipynb")
    for (const command of ["create", "str_replace", "insert"]) {
      expect(brief("str_replace_based_edit_tool", { command, path: "a", view_range: [1, 2] })).toEqual([
        "write",
        "a",
        "file:a",
        "all"
      ])
    }
    expect(brief("apply_patch", { input: "*** Begin Patch\n*** Update File: a/b\n@@\n" })[2]).toBe("file:a/b")
    expect(brief("apply_patch", { input: "*** Update File: a\n*** Add File: b\n" })).toEqual([
      "tool",
      "apply_patch",
      undefined,
      "all"
    ])
  })

  it("a search's subject is all of its arguments, in canonical order", () => {
    expect(brief("Grep", { pattern: "x", path: "src", "-n": true })).toEqual(
      [["grep", "x in src", 'grep:{"-n":true,"path":"src","pattern":"x"}', "all"]].flat()
    )
    expect(brief("Grep", { path: "src", "-n": true, pattern: "x" })[2]).toBe(
      brief("Grep", { pattern: "x", path: "src", "-n": true })[2]
    )
    expect(brief("Grep", { pattern: "x" })[2]).not.toBe(brief("Grep", { pattern: "x", glob: "*.ts" })[2])
    expect(brief("Glob", { pattern: "**/*.ts" })[0]).toBe("find")
    expect(brief("LS", { path: "/a" })[0]).toBe("find")
    expect(brief("list_dir", { path: "/a" })[0]).toBe("find")
  })

  it("the other tools: children, skills, MCP, and whatever is not known", () => {
    expect(brief("Task", { description: "look", prompt: "p" })).toEqual(["child", "look", undefined, "all"])
    expect(brief("Skill", { skill: "pdf" })).toEqual(["skill", "pdf", 'skill:{"skill":"pdf"}', "all"])
    expect(brief("mcp__files__read", { path: "a" })).toEqual(["mcp", "mcp__files__read", undefined, "all"])
    expect(brief("WebFetch", { url: "u" })).toEqual(["tool", "WebFetch", undefined, "all"])
    expect(brief("Read", "not an object")).toEqual(["tool", "Read", undefined, "all"])
    expect(brief("", undefined)).toEqual(["tool", undefined, undefined, "all"])
    expect(MESSAGE).toEqual({ kind: "message", covers: { _tag: "All" }, classifier: "1" })
  })

  it("a failed result is an error that keeps its target and is of no subject", () => {
    expect(observe("Read", { file_path: "a", offset: 3 }, true)).toEqual({
      kind: "error",
      target: "a",
      covers: { _tag: "All" },
      classifier: "1"
    })
  })

  it("plain shell commands are reads and searches", () => {
    expect(sh("cat a/./b")).toEqual(["read", "file:a/b", "all"])
    expect(sh("cat -n 'a b'")).toEqual(["read", "file:a b", "all"])
    expect(sh("sed -n '10,20p' f")).toEqual(["read", "file:f", "10-20"])
    expect(sh('sed -n "5,$p" f')).toEqual(["tool", undefined, "all"])
    expect(sh("sed -n '5,$p' f")).toEqual(["read", "file:f", "5-end"])
    expect(sh("sed -n 7p f")).toEqual(["read", "file:f", "7-7"])
    expect(sh("head -n 5 f")).toEqual(["read", "file:f", "1-5"])
    expect(sh("head -40 f", "execute_bash")).toEqual(["read", "file:f", "1-40"])
    expect(sh("tail -n +9 f")).toEqual(["read", "file:f", "9-end"])
    expect(sh("grep -rn 'a|b' src")).toEqual(["grep", 'grep:{"words":["grep","-rn","a|b","src"]}', "all"])
    expect(sh("ls -la")).toEqual(["find", 'find:{"words":["ls","-la"]}', "all"])
    expect(brief("shell", { command: ["bash", "-lc", "cat f"] })[2]).toBe("file:f")
  })

  it("the end of a file is of a subject of its own, as its lines are not known", () => {
    const [kind, subject] = sh("tail -n 5 f")
    expect([kind, subject]).toEqual(["read", 'tail:{"count":5,"path":"f"}'])
    expect(subject).not.toBe(sh("tail -n 6 f")[1])
  })

  it("anything that a shell gives another meaning is a plain tool", () => {
    const commands = [
      "cat a | wc -l",
      "cat a; cat b",
      "cd x && cat a",
      "cat a > b",
      "cat $F",
      "cat `f`",
      "cat $(f)",
      "cat *.ts",
      "cat a b"
    ]
    const more = [
      "sed -i 's/a/b/' f",
      "sed -n '1,5p;9p' f",
      "sed '1d' f",
      "head -c 5 f",
      "cat -A f",
      "cat",
      "cat -",
      "find . -delete",
      "cat 'a",
      "X=1 cat a"
    ]
    for (const command of [...commands, ...more])
      expect([command, ...sh(command)]).toEqual([command, "tool", undefined, "all"])
    expect(brief("Bash", { command: "cat a", run_in_background: true })).toEqual(["tool", "Bash", undefined, "all"])
  })

  it("paths are resolved where the call was made, and named from where the source began", () => {
    const where = { cwd: "/srv/ada/app/src", root: "/srv/ada/app" }
    expect(brief("Read", { file_path: "x.ts" }, where)[2]).toBe("file:src/x.ts")
    expect(brief("Read", { file_path: "/srv/ada/app/src/x.ts" }, where)[2]).toBe("file:src/x.ts")
    expect(brief("Read", { file_path: "../../other/x.ts" }, where)[2]).toBe("file:/srv/ada/other/x.ts")
    expect(brief("Read", { file_path: "~/x.ts" }, where)[2]).toBe("file:~/x.ts")
    expect(brief("Grep", { pattern: "x" }, where)[2]).not.toBe(
      brief("Grep", { pattern: "x" }, { ...where, cwd: where.root })[2]
    )
  })

  it("targets and subjects are well formed and apart, and a target is at most 200 scalar values", () => {
    FastCheck.assert(
      FastCheck.property(
        words(true),
        words(true),
        FastCheck.constantFrom("Read", "Grep", "Bash", "Skill", "LS"),
        (a, b, name) => {
          const of = (text: string) =>
            observe(name, { file_path: text, pattern: text, command: `cat '${text}'`, skill: text }, false)
          const [x, y] = [of(a), of(b)]
          return [x.target, x.subject, y.subject].every((text) => text === undefined || Canonical.isWellFormed(text))
        }
      )
    )
    expect(observe("Read", { file_path: "\ud800" }, false).subject).not.toBe(
      observe("Read", { file_path: "\ud801" }, false).subject
    )
    expect(Array.from(observe("Read", { file_path: "😀".repeat(300) }, false).target ?? "")).toHaveLength(200)
  })

  const partial = (name: (offset: number, limit: number) => ReturnType<typeof observe>) =>
    FastCheck.property(
      FastCheck.integer({ min: 1, max: 50 }),
      FastCheck.integer({ min: 1, max: 50 }),
      (offset, limit) => {
        const part = name(offset, limit)
        const whole = observe("Read", { file_path: "f" }, false)
        const wider = name(offset, limit + 1)
        return (
          !covers(part.covers, whole.covers) && !covers(part.covers, wider.covers) && covers(wider.covers, part.covers)
        )
      }
    )

  it("coverage: a partial read never covers a wider one (IO-04)", () => {
    FastCheck.assert(partial((offset, limit) => observe("Read", { file_path: "f", offset, limit }, false)))
    FastCheck.assert(partial((from, n) => observe("Bash", { command: `sed -n '${from},${from + n - 1}p' f` }, false)))
    const mutant = () => observe("Read", { file_path: "f" }, false)
    expect(FastCheck.check(partial(mutant)).failed).toBe(true)
  })

  it("words are split as a shell splits them", () => {
    expect(Shell.split(`a 'b c'd "e\\"f" g\\ h ''`)).toEqual(["a", "b cd", 'e"f', "g h", ""])
    expect(Shell.split("a\nb")).toBeUndefined()
    expect(Shell.read("")).toBeUndefined()
  })
})
