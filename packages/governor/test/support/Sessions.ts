/** The example sessions of the project, whole and in pieces. */
import { readFileSync } from "node:fs"
import type { Config } from "../../src/Config.ts"
import type { Source } from "../../src/Import.ts"

export type Name = "anthropic-messages.json" | "claude-code.jsonl" | "openai-chat-rows.jsonl" | "openai-chat.json"

export const NAMES: ReadonlyArray<Name> = [
  "anthropic-messages.json",
  "claude-code.jsonl",
  "openai-chat-rows.jsonl",
  "openai-chat.json"
]

const FORMATS = {
  "anthropic-messages.json": "anthropic-messages",
  "claude-code.jsonl": "claude-code",
  "openai-chat-rows.jsonl": "openai-chat-rows",
  "openai-chat.json": "openai-chat"
} as const

export const bytesOf = (name: Name): Uint8Array =>
  new Uint8Array(readFileSync(new URL(`../../../../examples/sessions/${name}`, import.meta.url)))

export const example = (name: Name): Source => ({ format: FORMATS[name], bytes: bytesOf(name) })

export const shapeOf = (name: Name): Config["shape"] => (name.startsWith("openai") ? "openai-chat" : "anthropic")

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

export const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)

export const claude = (text: string | Uint8Array): Source => ({
  format: "claude-code",
  bytes: typeof text === "string" ? encode(text) : text
})

/**
 * The example session of Claude Code without its middle and its largest lines: its opening, its helper, its compaction
 * and its end, with calls whose results are gone. Small enough to be imported some hundred times.
 */
export const abridged = (): ReadonlyArray<string> => {
  const lines = decode(bytesOf("claude-code.jsonl")).trimEnd().split("\n")
  const helper = lines.findIndex((line) => line.includes('"isSidechain":true'))
  const boundary = lines.findIndex((line) => line.includes('"compact_boundary"'))
  const sections: ReadonlyArray<readonly [number, number]> = [
    [0, Math.min(76, helper - 18)],
    [helper - 18, helper + 20],
    [boundary - 8, boundary + 20],
    [lines.length - 18, lines.length]
  ]
  return sections.flatMap(([from, to]) => lines.slice(from, to)).filter((line) => line.length < LONGEST)
}

export const joined = (lines: ReadonlyArray<string>): string => lines.map((line) => `${line}\n`).join("")

const LONGEST = 3_000
