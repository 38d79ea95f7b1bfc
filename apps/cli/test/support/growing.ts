/** A session that grows between commands: read after read of its own files, governed again each time it has grown. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Conversation } from "./claude.ts"
import { newDatabase, temporaryFolder } from "./folder.ts"
import { json, palimpsest, type Outcome } from "./palimpsest.ts"
import type { Report } from "./report.ts"

export interface Asked {
  readonly request: number
  readonly epoch?: number
  readonly refused?: string
  readonly messages: ReadonlyArray<unknown>
}

export interface Entry {
  readonly address: string
  readonly part: string
  readonly target?: string
}

export class Growing {
  readonly db = newDatabase()
  readonly conversation = new Conversation().user("Read them all, and say what they have in common.")
  run = ""
  readonly file = join(temporaryFolder(), "session.jsonl")
  private readonly lines = join(temporaryFolder(), "requests.jsonl")
  private readonly options: ReadonlyArray<string>
  private reads = 0

  constructor(...options: ReadonlyArray<string>) {
    this.options = options
  }

  /** Reads `n` more files, `chars` long each, and governs the session as it is then. */
  async grow(n: number, chars = 2_000): Promise<ReadonlyArray<Asked>> {
    for (let i = 0; i < n; i++) {
      const at = ++this.reads
      this.conversation.read(`toolu_${at}`, this.path(at), this.content(at, chars))
    }
    return this.govern()
  }

  async govern(): Promise<ReadonlyArray<Asked>> {
    writeFileSync(this.file, this.conversation.text())
    const report = await json<Report>([
      "govern",
      this.file,
      "--db",
      this.db,
      "--fixed",
      "0",
      "--requests",
      this.lines,
      ...this.options
    ])
    this.run = report.runs[0]?.run ?? ""
    return readFileSync(this.lines, "utf8")
      .trimEnd()
      .split("\n")
      .map((line): Asked => JSON.parse(line))
  }

  path(n: number): string {
    return `/srv/project/file-${n}.txt`
  }

  /** What the file of a read says; no two lines of any two are the same. */
  content(n: number, chars = 2_000): string {
    let text = ""
    for (let line = 1; text.length < chars; line++) text += `file ${n}, line ${line}: ${"word ".repeat(8)}${n * line}\n`
    return text
  }

  /** The address of what the read of a file brought. */
  async result(n: number): Promise<string> {
    const { entries } = await json<{ readonly entries: ReadonlyArray<Entry> }>(["entries", this.run, "--db", this.db])
    const found = entries.find(({ part, target }) => part === "Result" && target?.endsWith(`file-${n}.txt`) === true)
    if (found === undefined) throw new Error(`no entry of file ${n}`)
    return found.address
  }

  tell(...args: ReadonlyArray<string>): Promise<Outcome> {
    return palimpsest([...args, "--db", this.db])
  }

  /** A command that must end well, as JSON. */
  told<A>(...args: ReadonlyArray<string>): Promise<A> {
    return json<A>([...args, "--db", this.db])
  }

  async isWhole(): Promise<boolean> {
    const { differ, whole } = await this.told<{ readonly differ: number; readonly whole: boolean }>("audit", this.run)
    return whole && differ === 0
  }
}
