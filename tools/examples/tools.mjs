/**
 * An act in the words of a client: the name and the input of its tool, the content of the result, and what the client
 * keeps beside it. Two vocabularies: Claude Code's, and that of a small agent that speaks OpenAI chat.
 *
 * @typedef {import("./workspace.mjs").Act} Act
 */
import { PICTURE } from "./outputs.mjs"

const ROOT = "/srv/project"
const DETAIL_LIMIT = 2_000

/** @param {Act} act @returns {{ name: string, input: object, content: unknown, detail: unknown }} */
export const claudeTool = (act) => {
  const file = `${ROOT}/${act.path}`
  const content = act.blocks?.map((text) => ({ type: "text", text })) ?? act.output
  if (act.failed) return { ...claudeCall(act, file), content, detail: `Error: ${act.output}` }
  switch (act.act) {
    case "read":
      return {
        ...claudeCall(act, file),
        content,
        detail: {
          type: "text",
          file: { filePath: file, numLines: act.output.split("\n").length, startLine: act.offset ?? 1 }
        }
      }
    case "shell":
      return {
        ...claudeCall(act, file),
        content,
        detail: {
          stdout: act.output.slice(0, DETAIL_LIMIT),
          stderr: "",
          interrupted: false,
          isImage: false
        }
      }
    case "grep":
      return {
        ...claudeCall(act, file),
        content,
        detail: { mode: "content", numFiles: 0, filenames: [], numLines: act.output.split("\n").length }
      }
    case "glob":
      return {
        ...claudeCall(act, file),
        content,
        detail: { filenames: act.output.split("\n").map((path) => `${ROOT}/${path}`), durationMs: 12, truncated: false }
      }
    case "edit":
      return {
        ...claudeCall(act, file),
        content,
        detail: { filePath: file, oldString: act.before, newString: act.after, userModified: false, replaceAll: false }
      }
    case "write":
      return {
        ...claudeCall(act, file),
        content,
        detail: { type: "create", filePath: file, content: act.content, structuredPatch: [] }
      }
    case "task":
      return {
        ...claudeCall(act, file),
        content,
        detail: { status: "completed", prompt: act.prompt, content, totalToolUseCount: 5 }
      }
    case "picture": {
      const image = [{ type: "image", source: { type: "base64", media_type: "image/png", data: PICTURE } }]
      return {
        ...claudeCall(act, file),
        content: image,
        detail: { type: "image", file: { base64: PICTURE, type: "image/png", originalSize: 85 } }
      }
    }
    default:
      return { ...claudeCall(act, file), content, detail: content }
  }
}

/** @param {Act} act @param {string} file */
const claudeCall = (act, file) => {
  switch (act.act) {
    case "read":
      return {
        name: "Read",
        input: { file_path: file, ...(act.offset && { offset: act.offset }), ...(act.limit && { limit: act.limit }) }
      }
    case "picture":
      return { name: "Read", input: { file_path: file } }
    case "shell":
      return { name: "Bash", input: { command: act.command, description: "Run a command" } }
    case "grep":
      return { name: "Grep", input: { pattern: act.pattern, path: file, output_mode: "content", "-n": true } }
    case "glob":
      return { name: "Glob", input: { pattern: act.pattern, path: file } }
    case "edit":
      return { name: "Edit", input: { file_path: file, old_string: act.before, new_string: act.after } }
    case "write":
      return { name: "Write", input: { file_path: file, content: act.content } }
    case "todo":
      return {
        name: "TodoWrite",
        input: { todos: act.items?.map((item) => ({ content: item, status: "completed", activeForm: item })) }
      }
    case "task":
      return { name: "Task", input: { subagent_type: "general-purpose", description: act.about, prompt: act.prompt } }
    default:
      return { name: "mcp__tracker__get_issue", input: { id: "41", comments: true } }
  }
}

/** The tools of the chat agent, as its rows declare them. */
export const CHAT_TOOLS = ["read_file", "bash", "grep", "glob", "edit_file", "write_file"].map((name) => ({
  type: "function",
  function: { name, description: `${name} in the project`, parameters: { type: "object", properties: {} } }
}))

/** @param {Act} act @returns {{ name: string, args: object }} */
export const chatTool = (act) => {
  switch (act.act) {
    case "read":
      return {
        name: "read_file",
        args: { path: act.path, ...(act.offset && { offset: act.offset }), ...(act.limit && { limit: act.limit }) }
      }
    case "grep":
      return { name: "grep", args: { pattern: act.pattern, path: act.path } }
    case "glob":
      return { name: "glob", args: { pattern: act.pattern, path: act.path } }
    case "edit":
      return { name: "edit_file", args: { path: act.path, old_string: act.before, new_string: act.after } }
    case "write":
      return { name: "write_file", args: { path: act.path, content: act.content } }
    default:
      return { name: "bash", args: { command: act.command } }
  }
}
