/**
 * What a sub-agent is called in the names of runs: its own id, where that is fit for one, else a digest of it.
 */
import { encodeUtf8 } from "@palimpsest/ledger/Body"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { RunKey } from "../Move.ts"

export const nameOf = (hash: Hasher, agent: string): string =>
  FIT.test(agent) ? agent : `x${hash(encodeUtf8(JSON.stringify(agent))).slice(0, 16)}`

/** The run of a sub-agent within the source that holds its messages. */
export const keyOfRun = (hash: Hasher, agent: string): RunKey => `agent-${nameOf(hash, agent)}`

/** Short enough that the name of a run of its own file's agents is still a log's. */
const FIT = /^[A-Za-z0-9_-]{1,22}$/
