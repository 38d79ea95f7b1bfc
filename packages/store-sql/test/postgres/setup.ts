import type { TestProject } from "vitest/node"
import { makeCluster } from "./Cluster.ts"

declare module "vitest" {
  interface ProvidedContext {
    readonly postgres: string
  }
}

/** One PostgreSQL for all files of a run; what has to stop and start one makes its own. */
const setup = async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const cluster = await makeCluster()
  provide("postgres", cluster.url)
  return cluster.remove
}

export default setup
