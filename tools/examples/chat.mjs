/**
 * The second example: a shorter session of another agent over the same kind of files, as OpenAI chat messages, as rows
 * of them, and (a few turns only) as Anthropic messages.
 *
 * @typedef {import("./workspace.mjs").Act} Act
 * @typedef {import("./random.mjs").Random} Random
 * @typedef {import("./workspace.mjs").Workspace} Workspace
 */
import { CHAT_TOOLS, chatTool, claudeTool } from "./tools.mjs"
import { failure, forged, log, PICTURE, scripts, testRun, torn } from "./outputs.mjs"
import { paragraph, sentence } from "./prose.mjs"

const SYSTEM =
  "You mend a TypeScript repository. Read before you write, change as little as you can, and run the tests."

/** A chat session as one array of messages. @param {Random} random @param {Workspace} files */
export const chatSession = (random, files) => {
  const chat = conversation(random, SYSTEM)
  chat.user(
    "The ceiling is checked before the fixed part is taken off. Mend it in packages/budget and say where else it happens."
  )
  chat.ask("I look for the places first.", [
    files.glob("**/*.ts", "packages/", ".ts"),
    files.grep("tool", "number", "packages/budget/")
  ])
  for (const path of files.paths("packages/budget/src/")) {
    chat.ask("", [files.read(path)])
    chat.ask("", [files.sed(path, 10, 60), files.cat(`./${path}`)])
    chat.ask(sentence(random), [
      files.edit(path, random.between(20, 50), `  // ${sentence(random)}\n  return limits`),
      files.read(path)
    ])
    chat.ask("", [files.read(path, 30, 40)])
  }
  const test = "packages/budget/test/Ceiling.test.ts"
  chat.ask("The test now.", [files.shell(`npx vitest run ${test}`, failure(random, test), true)])
  chat.ask("", [
    files.read(test),
    files.edit(test, 6, `    // ${sentence(random)}`),
    files.shell(`npx vitest run ${test}`, testRun(random, 24, 0))
  ])
  chat.user(`谢谢！👍 请把这些词加到 docs/notes.md：\n${scripts}`)
  chat.ask("", [
    files.cat("docs/notes.md"),
    files.write("docs/notes.md", `${scripts}\n\n${forged}\n`),
    files.cat("docs/notes.md")
  ])
  chat.ask("", [files.shell("node tools/replay.mjs --all --verbose", log(random, 9_200))])
  chat.ask("", [files.shell("node tools/slow.mjs", torn), files.grep("rg", "ceiling", "packages/")])
  for (const path of [...files.paths("packages/compaction/src/"), ...files.paths("packages/governor/src/")]) {
    chat.ask(random.pick(["", sentence(random)]), [files.cat(path), files.grep("grep", "Array", path)])
  }
  for (const path of files.paths("packages/compaction/src/").slice(0, 3)) chat.ask("", [files.cat(path)])
  chat.ask(`Mended in four places. ${paragraph(random, 2)}`, [])
  chat.user("Thanks. That is all.")
  chat.ask("You are welcome.", [])
  return chat.messages
}

/** Three small sessions as rows, one JSON object a line, as they are kept for training. @param {Random} random @param {Workspace} files */
export const chatRows = (random, files) =>
  ["ledger", "policy", "transcript"].map((name) => {
    const chat = conversation(random, SYSTEM)
    const [path] = files.paths(`packages/${name}/src/`)
    chat.user(`What does ${path} promise?`)
    chat.ask("", [files.cat(path)])
    chat.ask("", [files.read(path, 1, 30), files.grep("tool", "readonly", `packages/${name}/src/`)])
    chat.ask(paragraph(random, 2), [])
    return { messages: chat.messages, tools: CHAT_TOOLS, parallel_tool_calls: true }
  })

/** A few turns as Anthropic messages, with reasoning, a batch of calls, a picture and a mark for the cache. @param {Random} random @param {Workspace} files */
export const anthropicSession = (random, files) => {
  /** @type {Array<{ role: string, content: unknown }>} */
  const messages = [
    {
      role: "user",
      content: [{ type: "text", text: "Where is a read classified?", cache_control: { type: "ephemeral" } }]
    }
  ]
  const path = "packages/transcript/src/Classify.ts"
  /** @type {Array<[string, ReadonlyArray<Act>]>} */
  const turns = [
    ["I search.", [files.grep("tool", "covers", "packages/transcript/"), files.read(path)]],
    ["", [files.sed(path, 1, 30), { act: "picture", path: "docs/report.png", output: PICTURE }]],
    ["", [files.read(path, 20, 20)]]
  ]
  for (const [text, acts] of turns) {
    const calls = acts.map((act) => ({ id: `toolu_01${random.base62(22)}`, ...claudeTool(act) }))
    const thinking = { type: "thinking", thinking: paragraph(random, 2), signature: `E${random.base64(120)}==` }
    const said = text === "" ? [] : [{ type: "text", text }]
    messages.push({
      role: "assistant",
      content: [thinking, ...said, ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input }))]
    })
    messages.push({
      role: "user",
      content: calls.map(({ id, content }) => ({ type: "tool_result", tool_use_id: id, content }))
    })
  }
  messages.push({ role: "assistant", content: paragraph(random, 2) })
  return messages
}

/** @param {Random} random @param {string} system */
const conversation = (random, system) => {
  /** @type {Array<object>} */
  const messages = [{ role: "system", content: system }]
  return {
    messages,
    user: (/** @type {string} */ content) => messages.push({ role: "user", content }),
    /** @param {string} text @param {ReadonlyArray<Act>} acts */
    ask: (text, acts) => {
      const calls = acts.map((act) => ({ act, id: `call_${random.base62(24)}`, ...chatTool(act) }))
      const called = calls.map(({ id, name, args }) => ({
        id,
        type: "function",
        function: { name, arguments: JSON.stringify(args) }
      }))
      messages.push({
        role: "assistant",
        content: text === "" ? null : text,
        ...(called.length > 0 && { tool_calls: called })
      })
      for (const { act, id, name } of calls) {
        // Some servers write a result as a list of text parts: both shapes are in use.
        const content = random.between(0, 5) === 0 ? [{ type: "text", text: act.output }] : act.output
        messages.push({ role: "tool", tool_call_id: id, name, content })
      }
    }
  }
}
