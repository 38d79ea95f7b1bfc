/** Folders that are gone when the tests of a file are done. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"

const made: Array<string> = []

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-cli-"))
  made.push(folder)
  return folder
}

/** A file of that content, in a folder of its own. */
export const fileOf = (content: string | Uint8Array, name = "session.jsonl"): string => {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, content)
  return file
}

/** The path of a database that is not there yet. */
export const newDatabase = (): string => join(temporaryFolder(), "runs.db")

/** A copy of a file, in a folder of its own. */
export const copyOf = (file: string): string => {
  const copy = newDatabase()
  copyFileSync(file, copy)
  return copy
}
