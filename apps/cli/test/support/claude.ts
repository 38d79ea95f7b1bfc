/** Small Claude Code sessions, written by the tests. */

const SESSION = "0f4c2a6e-9d0b-4a57-8b63-2f1f5c1d7a10"

export type Line = Readonly<Record<string, unknown>>

/** Lines in the order in which they are asked for, each in the chain of the one before it. */
export class Conversation {
  readonly lines: Array<Line> = []
  private readonly session: string

  constructor(session: string = SESSION) {
    this.session = session
  }

  user(text: string): this {
    return this.add("user", { role: "user", content: text })
  }

  answer(text: string): this {
    return this.assistant([{ type: "text", text }])
  }

  call(id: string, name: string, input: unknown): this {
    return this.assistant([{ type: "tool_use", id, name, input }])
  }

  result(id: string, content: unknown): this {
    return this.add("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] })
  }

  /** A call to read a file, and what came of it. */
  read(id: string, path: string, content: unknown): this {
    return this.call(id, "Read", { file_path: path }).result(id, content)
  }

  text(): string {
    return this.lines.map((line) => `${JSON.stringify(line)}\n`).join("")
  }

  private assistant(content: ReadonlyArray<unknown>): this {
    const id = `msg_${this.lines.length}`
    return this.add("assistant", { id, type: "message", role: "assistant", model: "scripted", content })
  }

  private add(type: "user" | "assistant", message: unknown): this {
    const n = this.lines.length
    this.lines.push({
      parentUuid: n === 0 ? null : uuidOf(n - 1),
      isSidechain: false,
      cwd: "/srv/project",
      sessionId: this.session,
      version: "2.1.17",
      type,
      message,
      uuid: uuidOf(n),
      timestamp: `2026-11-03T09:${pad(Math.floor(n / 60))}:${pad(n % 60)}.000Z`
    })
    return this
  }
}

/** A question, two reads of files and an answer: a session that is quick to govern. */
export const smallSession = (): Conversation =>
  new Conversation()
    .user("What do these two files say?")
    .read("toolu_a", "/srv/project/a.txt", "alpha\nbeta\ngamma\n")
    .read("toolu_b", "/srv/project/b.txt", "one\r\ntwo 👍\r\n三\r\n")
    .answer("One counts, the other spells.")
    .user("Thank you.")
    .answer("You are welcome.")

const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`
const pad = (n: number): string => String(n).padStart(2, "0")
