import { defineConfig } from "vitest/config"

/** One vitest configuration for every package: sources are read through the `@palimpsest/source` condition, no build. */
export const shared = (testTimeout = 60_000) =>
  defineConfig({
    resolve: { conditions: ["@palimpsest/source"] },
    ssr: { resolve: { conditions: ["@palimpsest/source"] } },
    test: {
      include: ["test/**/*.test.ts"],
      testTimeout,
      hookTimeout: testTimeout,
      pool: "forks",
      reporters: ["default"]
    }
  })
