import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { LogId } from "@palimpsest/ledger/Ids"
import { sourceId } from "@palimpsest/transcript/Source"
import { split } from "@palimpsest/transcript/Records"
import * as Config from "../src/Config.ts"
import * as Export from "../src/Export.ts"
import * as Import from "../src/Import.ts"
import * as ImportTree from "../src/ImportTree.ts"
import * as Log from "../src/Log.ts"
import * as Runs from "../src/Runs.ts"
import * as Agents from "./support/Agents.ts"
import { eventsOf, memory, reported } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { balanced, raw } from "./support/Presets.ts"
import { claude, encode, example } from "./support/Sessions.ts"
import { dump, heads } from "./support/Store.ts"

const CONFIG = balanced("anthropic", 2_000)

const tree = (file: Agents.Lines, agents: ReadonlyArray<ImportTree.AgentSource> = [], config: Config.Config = CONFIG) =>
  ImportTree.run(hash, claude(file.bytes()), agents, config)

/** Each run of the tree: which call began it, its requests, and the input tokens that the source reports for them. */
const told = ({ base, tree }: Pick<Import.Imported, "base" | "tree">) =>
  Effect.flatMap(
    ImportTree.runsOf(tree, base),
    Effect.forEach(({ log }) =>
      Effect.gen(function* () {
        const { report } = yield* reported(yield* Runs.find(hash, log))
        expect(report.audit.findings).toEqual([])
        const { recorded, requests } = report
        return { run: log.slice(base.length), began: yield* begunBy(base, log), requests, tokens: recorded?.tokens }
      })
    )
  )

/** The call that began a run, and the run it stands in; "" for a run that nothing began. */
const begunBy = (base: LogId, log: LogId) =>
  Effect.gen(function* () {
    const [first] = yield* eventsOf(log)
    const parent = first?.fact._tag === "Began" ? first.fact.parent : undefined
    if (parent === undefined) return ""
    const fact = (yield* eventsOf(parent.log)).find(({ seq }) => seq === parent.call)?.fact
    const call = fact?._tag === "Entered" && fact.part._tag === "Call" ? fact.part.call : "no call"
    return `${call} of ${parent.log === base ? "the session" : parent.log.slice(base.length)}`
  })

const SESSION_ALONE = { run: "", began: "", requests: 2, tokens: 300 }
const children = (first: string, second: string) => [
  SESSION_ALONE,
  { run: first, began: "call-a of the session", requests: 2, tokens: 15 },
  { run: second, began: "call-b of the session", requests: 2, tokens: 15 }
]

describe("law 10, B88: sub-agents are child runs with requests and usage of their own", () => {
  it.effect("shape 1: side chains in the session's file", () =>
    Effect.gen(function* () {
      expect(yield* told(yield* tree(Agents.inFile()))).toEqual(children("~side-1", "~side-2"))
    }).pipe(Effect.provide(memory))
  )

  it.effect("shape 2: progress lines in the session's file", () =>
    Effect.gen(function* () {
      expect(yield* told(yield* tree(Agents.inProgress()))).toEqual(children("~agent-aaa", "~agent-bbb"))
    }).pipe(Effect.provide(memory))
  )

  it.effect("shape 3: files of their own, in the session's tree", () =>
    Effect.gen(function* () {
      const imported = yield* tree(Agents.apart(), Agents.ownFiles())
      expect(yield* told(imported)).toEqual(children(".aaa", ".bbb"))
      expect(imported.agents.map(({ file, id, parent, records }) => [file, id, parent?.log, records])).toEqual([
        [0, "aaa", imported.base, 4],
        [1, "bbb", imported.base, 4]
      ])
      expect(imported).toMatchObject({ records: 6 + 8, covered: [], strangers: [] })
      expect(new Set((yield* dump).logs.map((log) => log.tree))).toEqual(new Set([Agents.SESSION]))
    }).pipe(Effect.provide(memory))
  )

  it.effect("an agent's agent is the child of a call in its parent's run, in whatever order the files come", () =>
    Effect.gen(function* () {
      const files = [
        Agents.agentSource(Agents.ownFile("aaa", "deep"), "bbb-call"),
        Agents.agentSource(Agents.ownFile("bbb", "look at b", Agents.use("bbb-call", "deep")), "call-b")
      ]
      const forth = yield* tree(Agents.apart(), files).pipe(Effect.flatMap(told), Effect.provide(memory))
      const back = yield* tree(Agents.apart(), [...files].reverse()).pipe(Effect.flatMap(told), Effect.provide(memory))
      expect(forth.map(({ began, run }) => [run, began])).toEqual([
        ["", ""],
        [".aaa", "bbb-call of .bbb"],
        [".bbb", "call-b of the session"]
      ])
      expect(back).toEqual(forth)
    })
  )

  it.effect("an agent that nothing links is told all the same, as a run that nothing began", () =>
    Effect.gen(function* () {
      const {
        agents,
        base,
        tree: id
      } = yield* tree(Agents.apart(), [{ bytes: Agents.ownFile("ccc", "what?").bytes() }])
      expect(agents[0]?.parent).toBeUndefined()
      expect(yield* told({ base, tree: id })).toEqual([
        SESSION_ALONE,
        { run: ".ccc", began: "", requests: 2, tokens: 15 }
      ])
    }).pipe(Effect.provide(memory))
  )
})

describe("law 10: an agent that stands in two places is told once", () => {
  it.effect("its own file comes before its progress lines, where both are given at once, then and later", () =>
    Effect.gen(function* () {
      const imported = yield* tree(Agents.inProgress(), Agents.ownFiles().slice(0, 1))
      const expected = [
        SESSION_ALONE,
        { run: "~agent-bbb", began: "call-b of the session", requests: 2, tokens: 15 },
        { run: ".aaa", began: "call-a of the session", requests: 2, tokens: 15 }
      ]
      expect(yield* told(imported)).toEqual(expected)
      expect((yield* Import.run(hash, claude(Agents.inProgress().bytes()), CONFIG)).fresh).toBe(0)
      expect((yield* tree(Agents.inProgress(), Agents.ownFiles().slice(0, 1))).fresh).toBe(0)
      expect(yield* told(imported)).toEqual(expected)
    }).pipe(Effect.provide(memory))
  )

  it.effect("where its progress lines were imported before, its own file is covered", () =>
    Effect.gen(function* () {
      const alone = yield* tree(Agents.inProgress())
      const imported = yield* tree(Agents.inProgress(), Agents.ownFiles())
      expect(imported).toMatchObject({ agents: [], covered: [0, 1], fresh: 0 })
      expect(yield* told(alone)).toEqual(children("~agent-aaa", "~agent-bbb"))
    }).pipe(Effect.provide(memory))
  )

  it.effect(
    "an agent's agent that shows in both its parent's file and its own is told once, and so is one in two files",
    () =>
      Effect.gen(function* () {
        const parent = Agents.ownFile("bbb", "look at b", Agents.use("bbb-call", "deep"))
        for (const line of Agents.talk("aaa", "deep", Agents.use("x", "y"))) {
          Agents.progress(parent, "aaa", "bbb-call", line)
        }
        const files = [
          Agents.agentSource(parent, "call-b"),
          Agents.agentSource(Agents.ownFile("aaa", "deep"), "bbb-call")
        ]
        const runs = yield* told(yield* tree(Agents.apart(), files))
        expect(runs.map(({ run, tokens }) => [run, tokens])).toEqual([
          ["", 300],
          [".aaa", 15],
          [".bbb", 15]
        ])

        const session = Agents.around((lines) => {
          for (const line of Agents.talk("aaa", "deep", Agents.use("x", "y")))
            Agents.progress(lines, "aaa", "call-a", line)
        })
        const second = yield* tree(session, files.slice(0, 1), raw("anthropic"))
        expect((yield* told(second)).map(({ run, tokens }) => [run, tokens])).toEqual([
          ["", 300],
          ["~agent-aaa", 15],
          [".bbb", 15]
        ])
        expect((yield* tree(session, files.slice(0, 1), raw("anthropic"))).fresh).toBe(0)
      }).pipe(Effect.provide(memory))
  )
})

describe("law 10: mutants", () => {
  it.effect("an import that reads an agent from both of its places tells more than was spent", () =>
    Effect.gen(function* () {
      const spent = (runs: Effect.Effect.Success<ReturnType<typeof told>>) =>
        runs.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)
      const imported = yield* tree(Agents.inProgress(), Agents.ownFiles())
      expect(spent(yield* told(imported))).toBe(330)
      const source = claude(Agents.inProgress().bytes())
      const names = Config.names(hash, Agents.SESSION, CONFIG)
      yield* Import.into(hash, source, CONFIG, { names, elsewhere: new Set() })
      expect(spent(yield* told(imported))).toBe(360)
    }).pipe(Effect.provide(memory))
  )
})

describe("law 2", () => {
  it.effect("every file of the tree is exported byte for byte, from whichever of its runs", () =>
    Effect.gen(function* () {
      const session = Agents.inProgress()
      const files = Agents.ownFiles().slice(0, 1)
      const { agents, base } = yield* tree(session, files)
      expect(Buffer.compare(yield* Export.source(hash, base), session.bytes())).toBe(0)
      const progress = Config.baseOf(base)
      expect(Buffer.compare(yield* Export.source(hash, `${progress}~agent-bbb` as LogId), session.bytes())).toBe(0)
      expect(Buffer.compare(yield* Export.source(hash, agents[0]!.base), files[0]!.bytes)).toBe(0)
    }).pipe(Effect.provide(memory))
  )
})

describe("law 7", () => {
  const session = Agents.inProgress()
  const whole = claude(session.bytes())

  it.effect("cut at every line and taken up again, progress lines reach the same heads", () =>
    Effect.gen(function* () {
      const alone = yield* Import.run(hash, whole, CONFIG).pipe(Effect.zipRight(heads), Effect.provide(memory))
      for (let n = 1; n < session.lines.length; n++) {
        const grown = Import.run(hash, claude(session.bytes(n)), CONFIG).pipe(
          Effect.zipRight(Import.run(hash, whole, CONFIG)),
          Effect.zipRight(heads),
          Effect.provide(memory)
        )
        expect(yield* grown, `cut ${n}`).toEqual(alone)
      }
    })
  )

  it.effect("a session and its agents, given at once or one after another, reach the same heads", () =>
    Effect.gen(function* () {
      const files = Agents.ownFiles()
      const once = yield* tree(Agents.apart(), files).pipe(Effect.zipRight(heads), Effect.provide(memory))
      const stages = Effect.gen(function* () {
        yield* Import.run(hash, claude(Agents.apart().bytes(3)), CONFIG)
        const cut = { ...files[1], bytes: Agents.ownFile("bbb", "look at b").bytes(2) }
        yield* ImportTree.run(hash, claude(Agents.apart().bytes(4)), [cut], CONFIG)
        yield* tree(Agents.apart(), [...files].reverse())
        expect((yield* tree(Agents.apart(), files)).fresh).toBe(0)
        return yield* heads
      })
      expect(yield* stages.pipe(Effect.provide(memory))).toEqual(once)
    })
  )

  /** What an earlier version stored, which laid progress lines aside and read no run in them. */
  const asBefore = (lines: number) => {
    const source = claude(session.bytes(lines))
    const names = Config.names(hash, sourceId("claude-code", split("claude-code", source.bytes).records, hash), CONFIG)
    return Import.into(hash, source, CONFIG, { names, elsewhere: new Set(["agent-aaa", "agent-bbb"]) })
  }

  it.effect(
    "a log of an earlier version keeps its events, and its agents' runs are added as if read from the first",
    () =>
      Effect.gen(function* () {
        const anew = yield* Import.run(hash, whole, CONFIG).pipe(Effect.zipRight(heads), Effect.provide(memory))
        for (const stages of [[4], [7], [session.lines.length], [3, 11]]) {
          for (const first of [6, 11, session.lines.length]) {
            const upgraded = Effect.gen(function* () {
              const [{ imported }] = yield* Effect.all([asBefore(stages[0] ?? 0), ...stages.slice(1).map(asBefore)])
              const before = yield* eventsOf(imported.base)
              yield* Import.run(hash, claude(session.bytes(first)), CONFIG)
              yield* Import.run(hash, whole, CONFIG)
              expect((yield* eventsOf(imported.base)).slice(0, before.length)).toEqual(before)
              expect((yield* Import.run(hash, whole, CONFIG)).fresh).toBe(0)
              return yield* heads
            })
            expect(yield* upgraded.pipe(Effect.provide(memory)), `${stages.join()}, then ${first}`).toEqual(anew)
          }
        }
      })
  )
})

describe("law 14", () => {
  it.effect(
    "what is no agent's file of this session is named, and not imported; lines of one that are none are said",
    () =>
      Effect.gen(function* () {
        const agent = Agents.ownFile("aaa", "look at a")
        agent.lines.push("no line")
        const foreign = new Agents.Lines("f", { isSidechain: true, agentId: "zzz", sessionId: "other" }).line(
          Agents.asked("hello")
        )
        const imported = yield* tree(Agents.apart(), [{ bytes: foreign.bytes() }, { bytes: agent.bytes() }])
        expect(imported.strangers).toEqual([{ file: 0, why: "a sub-agent of the session other" }])
        expect(imported.agents.map(({ file, partial }) => [file, partial?.line])).toEqual([[1, 5]])
        expect(imported.partial).toBeUndefined()
        const chat = yield* ImportTree.run(hash, example("openai-chat.json"), Agents.ownFiles(), raw("openai-chat"))
        expect(chat.strangers.map(({ why }) => why)).toEqual(Array(2).fill("openai-chat has no files of sub-agents"))
      }).pipe(Effect.provide(memory))
  )

  it.effect("an agent's file that was changed is refused with the line, in the agent's name", () =>
    Effect.gen(function* () {
      const [file] = Agents.ownFiles()
      const { base } = yield* tree(Agents.apart(), Agents.ownFiles())
      const changed = { ...file, bytes: encode(new TextDecoder().decode(file!.bytes).replace("done", "gone")) }
      const error = yield* Effect.flip(tree(Agents.apart(), [changed]))
      expect(error._tag === "ChangedSource" ? [error.line, error.run] : error._tag).toEqual([3, `${base}.aaa`])
      expect((yield* Log.allOf()).length).toBe(6)
    }).pipe(Effect.provide(memory))
  )
})
