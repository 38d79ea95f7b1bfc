/** Governs every example session under every preset, once, before any test: databases, reports and requests are kept. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { governedIn, NAMES, PRESETS, type Name } from "./examples.ts"
import { palimpsest, PROGRAM } from "./palimpsest.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly governed: string
  }
}

export default async ({ provide }: TestProject): Promise<() => void> => {
  if (!existsSync(PROGRAM)) throw new Error("the program is not built: npm run build")
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-governed-"))
  await Promise.all(NAMES.map((name) => govern(folder, name)))
  provide("governed", folder)
  return () => rmSync(folder, { recursive: true, force: true })
}

const govern = async (folder: string, name: Name): Promise<void> => {
  const { db, file, requests } = governedIn(folder, name)
  for (const preset of PRESETS) {
    const given = ["govern", file, "--db", db, "--preset", preset, "--requests", requests(preset), "--json"]
    const { code, stderr, stdout } = await palimpsest(given)
    if (code !== 0 || stderr !== "") throw new Error(`${name} under ${preset} exited ${code}: ${stderr}`)
    writeFileSync(join(folder, `${name}.${preset}.report`), stdout)
  }
}
