/** Small chats made by hand, as an OpenAI chat document, and what the modules of a comparison make of them. */
import * as Effect from "effect/Effect"
import { standard } from "@palimpsest/budget/Price"
import type { Config } from "../../src/Config.ts"
import * as Drive from "../../src/compare/Drive.ts"
import * as Recording from "../../src/compare/Recording.ts"
import type { Use } from "../../src/compare/Uses.ts"
import { hash } from "../support/Hash.ts"

export interface Call {
  readonly id: string
  readonly name?: string
  readonly args?: unknown
}

export const user = (content: string) => ({ role: "user", content })

export const says = (content: string, ...calls: ReadonlyArray<Call>) => ({
  role: "assistant",
  content,
  ...(calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ args, id, name }) => ({
          id,
          type: "function",
          function: { name: name ?? "shell_tool", arguments: JSON.stringify(args ?? {}) }
        }))
      })
})

export const result = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content })

export const bytesOf = (messages: ReadonlyArray<unknown>): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ messages }))

export const readBytes = (bytes: Uint8Array): Recording.Recording =>
  Effect.runSync(Recording.read(hash, { format: "openai-chat", bytes }))

export const read = (...messages: ReadonlyArray<unknown>): Recording.Recording => readBytes(bytesOf(messages))

export const runOf = (recording: Recording.Recording): Recording.Run => {
  const [run] = recording.runs
  if (run === undefined) throw new Error("a chat is one run")
  return run
}

export const RAW: Config = { preset: "raw", shape: "openai-chat" }

/** No fixed part, so that sums by hand are short. */
export const TERMS: Drive.Terms = { fixed: 0, prices: standard }

export const driven = (
  recording: Recording.Recording,
  uses: ReadonlyArray<Use>,
  config: Config = RAW,
  terms: Partial<Drive.Terms> = {}
): Drive.Driven => Effect.runSync(Drive.drive(hash, recording, runOf(recording), uses, config, { ...TERMS, ...terms }))

/** So many different characters, of which no stretch of 20 stands in the text of another seed. */
export const words = (seed: string, length: number): string => {
  let text = ""
  for (let i = 0; text.length < length; i++) text += `${seed}${(i * 7919 + seed.length * 104_729).toString(36)} `
  return text.slice(0, length)
}
