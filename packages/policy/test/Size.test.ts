import { build } from "esbuild"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

it("what a program bundles of the index, namespaces and all, is at most 10 kB minified without effect", async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../src/index.ts", import.meta.url))],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    external: ["effect", "effect/*"],
    write: false
  })
  const bytes = outputFiles[0]?.contents.length ?? 0
  expect(bytes).toBeGreaterThan(5_000)
  expect(bytes).toBeLessThanOrEqual(10_000)
})
