/**
 * The files of a session's sub-agents, where Claude Code keeps them: beside `SESSION.jsonl`, in `SESSION/subagents/`, an
 * `agent-ID.jsonl` each with perhaps an `agent-ID.meta.json`. Found by place only; whose they are is told by what stands
 * in them. Nothing is read that is not there, and a folder that may not be read is said, not passed over.
 */
import * as Effect from "effect/Effect"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { AgentSource, ImportedTree } from "@palimpsest/governor/ImportTree"
import type { Format } from "@palimpsest/transcript/Format"
import { bytes, reasonOf } from "./Documents.ts"
import { unusable, type Failure } from "./Failure.ts"

/** A sub-agent's file in hand, and what it is called. */
export interface AgentFile extends AgentSource {
  readonly name: string
}

/** The files beside a session's, by name; none where the format has none, or there is no folder. */
export const beside = (file: string, format: Format): Effect.Effect<ReadonlyArray<AgentFile>, Failure> => {
  if (format !== "claude-code" || !file.endsWith(LINES)) return Effect.succeed([])
  const folder = join(file.slice(0, -LINES.length), "subagents")
  return Effect.gen(function* () {
    const names = yield* namesIn(folder)
    const known = new Set(names)
    return yield* Effect.forEach(names.filter((name) => name.endsWith(LINES)).sort(), (name) =>
      Effect.gen(function* () {
        const document = `${name.slice(0, -LINES.length)}.meta.json`
        return {
          name: join(folder, name),
          bytes: yield* bytes(join(folder, name)),
          meta: known.has(document) ? yield* bytes(join(folder, document)) : undefined
        }
      })
    )
  })
}

/** What a person should know of files that were not imported, or not wholly: a line each. */
export const notes = (
  files: ReadonlyArray<AgentFile>,
  { agents, covered, strangers }: Pick<ImportedTree, "agents" | "covered" | "strangers">
): ReadonlyArray<string> => {
  const named = (file: number, why: string) => `${files[file]?.name ?? "a sub-agent's file"}: ${why}`
  return [
    ...strangers.map(({ file, why }) => named(file, `left out: ${why}`)),
    ...covered.map((file) => named(file, "left out: the session's file told of this sub-agent in an earlier import")),
    ...agents.flatMap(({ file, partial }) =>
      partial === undefined ? [] : [named(file, `done in part; line ${partial.line}: ${partial.why}`)]
    ),
    ...agents.flatMap(({ file, parent }) =>
      parent === undefined ? [named(file, "no call of the session began it, as far as its files tell")] : []
    )
  ]
}

const namesIn = (folder: string): Effect.Effect<ReadonlyArray<string>, Failure> =>
  Effect.tryPromise({ try: () => readdir(folder), catch: (cause) => cause }).pipe(
    Effect.catchAll((cause) => (isAbsent(cause) ? Effect.succeed([]) : unusable(`${folder}: ${reasonOf(cause)}`)))
  )

const isAbsent = (cause: unknown): boolean =>
  cause instanceof Error && "code" in cause && (cause.code === "ENOENT" || cause.code === "ENOTDIR")

const LINES = ".jsonl"
