/**
 * Writes the example sessions: `node tools/examples/generate.mjs [FOLDER]`. The same seed gives the same bytes on every
 * machine, whatever the repository looks like; a test compares the committed files with what this writes.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { anthropicSession, chatRows, chatSession } from "./chat.mjs"
import { claudeCode } from "./claudeCode.mjs"
import { seeded } from "./random.mjs"
import { story } from "./story.mjs"
import { workspace } from "./workspace.mjs"

const SEED = 20_261_130

/** The files by name. @returns {ReadonlyMap<string, string>} */
export const exampleSessions = () => {
  const draw = (/** @type {number} */ at) => {
    const random = seeded(SEED + at)
    return /** @type {const} */ ([random, workspace(random)])
  }
  const [random, files] = draw(1)
  return new Map([
    ["claude-code.jsonl", claudeCode(random, story(random, files))],
    ["openai-chat.json", `${JSON.stringify(chatSession(...draw(2)), null, 2)}\n`],
    [
      "openai-chat-rows.jsonl",
      chatRows(...draw(3))
        .map((row) => `${JSON.stringify(row)}\n`)
        .join("")
    ],
    ["anthropic-messages.json", `${JSON.stringify(anthropicSession(...draw(4)), null, 2)}\n`]
  ])
}

/** Where the committed sessions stand. */
export const SESSIONS = fileURLToPath(new URL("../../examples/sessions/", import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? SESSIONS
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of exampleSessions()) {
    writeFileSync(join(folder, name), text)
    process.stdout.write(`${name}  ${Buffer.byteLength(text).toLocaleString("en")} bytes\n`)
  }
}
