import { mergeConfig } from "vitest/config"
import { shared } from "../../vitest.shared.ts"

/** The tests run the built program; what takes long, governing the example sessions, is done once for all of them. */
export default mergeConfig(shared(120_000), { test: { globalSetup: ["test/support/governAll.ts"] } })
