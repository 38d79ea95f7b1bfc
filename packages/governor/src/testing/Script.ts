/**
 * Scripts: what a host does with a run, generated, and played over stores in memory. A script reads and writes a handful of
 * files, under other spellings too, and asks for requests in between, under any preset and tight marks.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import { LogId, type Seq, TreeId } from "@palimpsest/ledger/Ids"
import type { Observation } from "@palimpsest/ledger/Observation"
import { pure as hash } from "@palimpsest/ledger/Sha256"
import type { CompiledPolicy } from "@palimpsest/policy/Check"
import type { Config } from "../Config.ts"
import * as Draft from "../Draft.ts"
import * as Governor from "../Governor.ts"

/**
 * One act: a file is read, with what it shows; a file is written; somebody says something; a request is prepared.
 *
 * @since 0.1.0
 * @category models
 */
export type Act =
  | { readonly _tag: "Read"; readonly file: string; readonly text: string }
  | { readonly _tag: "Write"; readonly file: string }
  | { readonly _tag: "Say"; readonly role: "user" | "assistant"; readonly text: string }
  | { readonly _tag: "Prepare" }

/**
 * The files of a script, by their canonical names.
 *
 * @since 0.1.0
 * @category constants
 */
export const FILES = ["a.ts", "src/b.ts", "private/c.ts", "private/deep/d.ts", "ask/e.ts"] as const

/**
 * What was entered where, and what each request sent; a request that was refused sent nothing.
 *
 * @since 0.1.0
 * @category models
 */
export interface Played {
  readonly live: Governor.Live
  readonly entries: ReadonlyArray<{ readonly seq: Seq; readonly file: string | undefined; readonly text: string }>
  readonly sent: ReadonlyArray<ReadonlyArray<string> | undefined>
}

/**
 * @since 0.1.0
 * @category constants
 */
export const RUN = LogId.make("run")

/**
 * Texts that a careless hand changes: of any character, with odd ends, and long enough to be bounded.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const text: FastCheck.Arbitrary<string> = FastCheck.oneof(
  FastCheck.string({ unit: "binary", maxLength: 30 }),
  FastCheck.constantFrom("", " \n", "one\r\ntwo\r\n", "\ufeffmark\n", "no break at the end", "\ud800 half"),
  FastCheck.tuple(FastCheck.stringMatching(/^[a-z \n]{1,8}$/), FastCheck.integer({ min: 1, max: 600 })).map(
    ([piece, times]) => `${piece}|`.repeat(times)
  )
)

/**
 * @since 0.1.0
 * @category arbitraries
 */
export const config: FastCheck.Arbitrary<Config> = FastCheck.oneof(
  FastCheck.record({ line: FastCheck.integer({ min: 60, max: 3_000 }) }).map(({ line }): Config => ({
    preset: "balanced",
    shape: "anthropic",
    line,
    lowWater: Math.floor(line / 2)
  })),
  FastCheck.integer({ min: 100, max: 3_000 }).map((maxTokens): Config => ({
    preset: "io-harness",
    shape: "anthropic",
    maxTokens
  })),
  FastCheck.constant<Config>({ preset: "raw", shape: "openai-chat" })
)

const act: FastCheck.Arbitrary<Act> = FastCheck.oneof(
  {
    weight: 4,
    arbitrary: FastCheck.record({ file: FastCheck.constantFrom(...FILES), text }).map((one): Act => ({
      _tag: "Read",
      ...one
    }))
  },
  { weight: 2, arbitrary: FastCheck.constantFrom(...FILES).map((file): Act => ({ _tag: "Write", file })) },
  {
    weight: 1,
    arbitrary: FastCheck.record({ role: FastCheck.constantFrom<"user" | "assistant">("user", "assistant"), text }).map(
      (one): Act => ({
        _tag: "Say",
        ...one
      })
    )
  },
  { weight: 3, arbitrary: FastCheck.constant<Act>({ _tag: "Prepare" }) }
)

/**
 * A script: it begins with words of the user, and ends with a request.
 *
 * @since 0.1.0
 * @category arbitraries
 */
export const script: FastCheck.Arbitrary<ReadonlyArray<Act>> = FastCheck.array(act, {
  minLength: 3,
  maxLength: 16
}).map((acts) => [{ _tag: "Say", role: "user", text: "Begin." }, ...acts, { _tag: "Prepare" }])

/**
 * Plays a script from its beginning.
 *
 * @since 0.1.0
 * @category playing
 */
export const play = (config: Config, policy: CompiledPolicy, acts: ReadonlyArray<Act>) =>
  Effect.gen(function* () {
    const live = yield* Governor.begin({ tree: TreeId.make("tree"), log: RUN, config, policy, hash })
    const entries: Array<Played["entries"][number]> = []
    const sent: Array<Played["sent"][number]> = []
    for (const [i, act] of acts.entries()) {
      if (act._tag === "Prepare") {
        const turn = yield* Governor.prepare(live)
        sent.push(turn._tag === "Send" ? turn.messages : undefined)
        continue
      }
      const seqs = yield* Governor.observe(live, draftsOf(act, i))
      const seq = seqs.at(-1)
      if (seq === undefined) continue
      entries.push({
        seq,
        file: act._tag === "Say" ? undefined : act.file,
        text: act._tag === "Write" ? "done" : act.text
      })
    }
    return { live, entries, sent } satisfies Played
  })

/** The target is shown with a step that its canonical name has not. */
const draftsOf = (act: Exclude<Act, { readonly _tag: "Prepare" }>, i: number): ReadonlyArray<Draft.EntryDraft> => {
  if (act._tag === "Say") return [Draft.said(act.role, `s${i}`, act.text)]
  const kind = act._tag === "Read" ? "read" : "write"
  const target = `./${act.file}`
  const observation: Observation = {
    kind,
    target,
    subject: `file:${act.file}`,
    covers: { _tag: "All" },
    classifier: "law"
  }
  return [
    Draft.called(`m${i}`, `c${i}`, act._tag, { path: target }),
    Draft.result(`r${i}`, `c${i}`, act._tag === "Read" ? act.text : "done", observation)
  ]
}
