/** The example sessions of the repository, and what governing them under each preset gave (see `governAll.ts`). */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Report } from "./report.ts"

export const PRESETS = ["balanced", "raw", "io-harness"] as const
export type Preset = (typeof PRESETS)[number]

export const NAMES = [
  "claude-code.jsonl",
  "openai-chat.json",
  "anthropic-messages.json",
  "openai-chat-rows.jsonl"
] as const
export type Name = (typeof NAMES)[number]

/** Each session under each preset. */
export const CASES: ReadonlyArray<readonly [Name, Preset]> = NAMES.flatMap((name) =>
  PRESETS.map((preset) => [name, preset] as const)
)

export const fileOfExample = (name: Name): string =>
  fileURLToPath(new URL(`../../../../examples/sessions/${name}`, import.meta.url))

export const formatOf = (name: Name): string => name.replace(/\.jsonl?$/, "")

export interface Governed {
  readonly file: string
  readonly db: string
  readonly report: (preset: Preset) => Report
  readonly requests: (preset: Preset) => string
}

export const governedIn = (folder: string, name: Name): Governed => ({
  file: fileOfExample(name),
  db: join(folder, `${name}.db`),
  report: (preset) => JSON.parse(readFileSync(join(folder, `${name}.${preset}.report`), "utf8")),
  requests: (preset) => join(folder, `${name}.${preset}.requests`)
})
