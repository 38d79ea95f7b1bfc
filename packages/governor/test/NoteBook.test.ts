import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import { estimate } from "@palimpsest/budget/Estimate"
import { MOST_NOTES, PERSON } from "@palimpsest/compaction/Notes"
import * as SectionNotes from "@palimpsest/compaction/SectionNotes"
import { EMPTY, GENESIS } from "@palimpsest/ledger/Event"
import { Conflict, EventStore } from "@palimpsest/ledger/EventStore"
import { LogId, Seq, Step } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import { permissive } from "@palimpsest/policy/Policy"
import * as Audit from "../src/Audit.ts"
import * as Governor from "../src/Governor.ts"
import * as Log from "../src/Log.ts"
import * as NoteBook from "../src/NoteBook.ts"
import * as Runs from "../src/Runs.ts"
import * as ViewAt from "../src/ViewAt.ts"
import { memory } from "./support/Governed.ts"
import { hash } from "./support/Hash.ts"
import { objectOf, parse } from "./support/Json.ts"
import { balanced, raw, section } from "./support/Presets.ts"
import { textsOf } from "./support/Source.ts"
import { read, RUN, sectionText, sent, TREE, user } from "./support/Turns.ts"

const [APP, OTHER] = ["/srv/app", "/srv/other"] as const
const by = (run: number, step: number) => ({ run: LogId.make(`run-${run}`), step: Step.make(step) })
const put = (key: string, value: string, workspace: string = APP, writer = by(1, 4)) =>
  NoteBook.put(hash, workspace, { key, value, ...writer })
const valueOf = (key: string, workspace: string = APP) =>
  Effect.map(NoteBook.get(hash, workspace, key), Option.getOrUndefined).pipe(Effect.map((note) => note?.value))
const keys = (workspace: string = APP) =>
  Effect.map(NoteBook.list(hash, workspace), (notes) => notes.map(({ key }) => key))

describe("IO-42 the memory tests of the seed", () => {
  it.effect("a_fact_written_by_one_run_is_readable_by_another", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-03T09:00:00Z"))
      const { evicted, note } = yield* put("build_cmd", "make test")
      expect(evicted).toEqual([])
      expect(yield* NoteBook.list(hash, APP)).toEqual([note])
      expect(note).toEqual({
        key: "build_cmd",
        value: "make test",
        whole: "make test",
        run: "run-1",
        step: 4,
        seq: 1,
        at: "2026-11-03T09:00:00.000Z"
      })
    }).pipe(Effect.provide(memory))
  )

  it.effect("two_workspaces_never_see_each_others_entries", () =>
    Effect.gen(function* () {
      yield* put("k", "a's value", APP)
      yield* put("k", "b's value", OTHER)
      expect([yield* valueOf("k", APP), yield* valueOf("k", OTHER)]).toEqual(["a's value", "b's value"])
      expect(yield* keys("/srv/third")).toEqual([])
      const logs = yield* Log.allOf()
      expect(logs.map(({ log, tree }) => [log.replace(/[0-9a-f]{16}$/, "#"), `${log}` === `${tree}`])).toEqual([
        ["notes.#", true],
        ["notes.#", true]
      ])
    }).pipe(Effect.provide(memory))
  )

  it.effect("re_putting_a_key_replaces_the_value_and_re_attributes_it", () =>
    Effect.gen(function* () {
      yield* put("api_base", "one", APP, by(1, 2))
      yield* put("other", "v")
      expect((yield* put("api_base", "two", APP, by(9, 7))).evicted).toEqual([])
      expect(yield* keys()).toEqual(["other", "api_base"])
      const note = yield* NoteBook.get(hash, APP, "api_base")
      expect(Option.getOrUndefined(note)).toMatchObject({ value: "two", run: "run-9", step: 7 })
      const before = yield* NoteBook.at(hash, APP, Seq.make(1))
      expect(Option.getOrUndefined(before)).toMatchObject({ key: "api_base", value: "one", run: "run-1" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("a_write_past_the_entry_cap_reports_the_keys_it_evicted", () =>
    Effect.gen(function* () {
      for (let i = 0; i < MOST_NOTES; i++) expect((yield* put(`k${i}`, "v")).evicted).toEqual([])
      expect((yield* put("newest", "v")).evicted).toEqual(["k0"])
      expect(yield* keys()).toHaveLength(MOST_NOTES)
      expect([yield* valueOf("k0"), yield* valueOf("newest")]).toEqual([undefined, "v"])
      expect(Option.getOrUndefined(yield* NoteBook.at(hash, APP, Seq.make(1)))?.value).toBe("v")
      expect(yield* NoteBook.at(hash, APP, Seq.make(MOST_NOTES + 2))).toEqual(Option.none())
    }).pipe(Effect.provide(memory))
  )

  it.effect("memory_delete_returns_true_then_false_and_the_key_stays_gone", () =>
    Effect.gen(function* () {
      yield* put("k", "v")
      expect(yield* NoteBook.remove(hash, APP, "k", PERSON)).toBe(true)
      expect(yield* NoteBook.remove(hash, APP, "k", PERSON)).toBe(false)
      expect(yield* NoteBook.remove(hash, APP, "never", by(1, 1))).toBe(false)
      expect(yield* keys()).toEqual([])
    }).pipe(Effect.provide(memory))
  )

  it.effect("memory_clear_empties_one_workspace_and_reports_the_count", () =>
    Effect.gen(function* () {
      for (const key of ["k1", "k2", "k3"]) yield* put(key, "v", APP)
      yield* put("k1", "v", OTHER)
      expect(yield* NoteBook.clear(hash, APP, PERSON)).toBe(3)
      expect([yield* keys(APP), yield* keys(OTHER)]).toEqual([[], ["k1"]])
      expect(yield* NoteBook.clear(hash, APP, PERSON)).toBe(0)
    }).pipe(Effect.provide(memory))
  )

  it.effect("an_oversized_value_is_remembered_truncated_rather_than_refused", () =>
    Effect.gen(function* () {
      const huge = "日".repeat(50_000)
      const { note } = yield* put("log", huge)
      expect(note.value).toBe(`${"日".repeat(1_988)}…[truncated]`)
      expect(note.whole === huge).toBe(true)
      expect(Option.getOrUndefined(yield* NoteBook.at(hash, APP, Seq.make(1)))?.value === huge).toBe(true)
    }).pipe(Effect.provide(memory))
  )
})

describe("IO-42 notes are events", () => {
  it.effect("many writers at once lose nothing, and each appends over what it saw", () =>
    Effect.gen(function* () {
      const evicted = yield* Effect.forEach(
        Array.from({ length: 70 }, (_, i) => `k${i}`),
        (key) => Effect.map(put(key, "v"), (written) => written.evicted),
        { concurrency: 20 }
      )
      expect(evicted.flat()).toHaveLength(6)
      expect(yield* keys()).toHaveLength(64)
      const [log] = yield* Log.allOf()
      expect(log?.head.seq).toBe(76)
      expect(conflicts).toBeGreaterThan(50)
    }).pipe(Effect.provide(interrupted))
  )

  it.effect("a log that always moves on is told of, not waited for", () =>
    Effect.gen(function* () {
      expect(yield* Effect.either(put("k", "v"))).toMatchObject({ left: { _tag: "Conflict" } })
      expect(yield* keys()).toEqual([])
    }).pipe(Effect.provide(broken))
  )

  it.effect("a book that was read before reads on from there", () =>
    Effect.gen(function* () {
      yield* put("a", "1")
      const before = yield* NoteBook.read(hash, APP)
      yield* put("b", "2")
      yield* NoteBook.remove(hash, APP, "a", PERSON)
      const after = yield* NoteBook.read(hash, APP, before)
      expect(after).toEqual(yield* NoteBook.read(hash, APP))
      expect([before.head.seq, after.head.seq]).toEqual([1, 3])
    }).pipe(Effect.provide(memory))
  )

  it.effect("a log of notes is no run", () =>
    Effect.gen(function* () {
      yield* put("k", "v")
      const { log } = NoteBook.namesOf(hash, APP)
      expect(yield* Runs.all(hash)).toEqual([])
      expect(yield* Effect.flip(Runs.find(hash, log))).toMatchObject({ _tag: "NoRun" })
    }).pipe(Effect.provide(memory))
  )

  it.effect("half a character is refused, and nothing is written", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(put("k", "\ud83d"))).toMatchObject({ _tag: "BadNote", field: "value" })
      expect(yield* Log.allOf()).toEqual([])
    }).pipe(Effect.provide(memory))
  )
})

describe("IO-18 IO-20 notes in a live turn", () => {
  const policy = Either.getOrThrow(compile(permissive))
  const begin = (config: Governor.Begin["config"], workspace?: string) =>
    Governor.begin({ tree: TREE, log: RUN, config, policy, hash, ...(workspace === undefined ? {} : { workspace }) })
  const text = (live: Governor.Live) => Effect.map(sent(live), ({ messages }) => sectionText(messages))

  it.effect("a_second_run_over_the_workspace_recalls_what_the_first_wrote", () =>
    Effect.gen(function* () {
      yield* put("build", "make test", APP, by(1, 4))
      const live = yield* begin(section("anthropic", 24_000), APP)
      yield* Governor.observe(live, [user("Look."), ...read("c1", "a.ts", "one\n")])
      const block = `${SectionNotes.HEADING}- build: make test  (step 4)\n`
      expect(yield* text(live)).toBe(`${block}\n[read a.ts]\none\n\n`)
      yield* put("lint", "make lint", APP, by(2, 1))
      const both = `${block}- lint: make lint  (step 1)\n`
      expect((yield* text(live)).startsWith(`${both}\n[read a.ts]`)).toBe(true)
      yield* NoteBook.clear(hash, APP, PERSON)
      expect(yield* text(live)).toBe("\n[read a.ts]\none\n\n")
      expect((yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)).findings).toEqual([])
    }).pipe(Effect.provide(memory))
  )

  it.effect("two_workspaces_do_not_share_memory_through_one_store; nor has a run without a workspace any", () =>
    Effect.gen(function* () {
      yield* put("secret", "only in a", APP)
      const live = yield* begin(section("anthropic", 24_000), OTHER)
      yield* Governor.observe(live, [user("Look."), ...read("c1", "a.ts", "one\n")])
      expect(yield* text(live)).toBe("\n[read a.ts]\none\n\n")
    }).pipe(Effect.provide(memory))
  )

  it.effect(
    "IO-18 a transcript begins with the notes, at most a quarter of what is managed, and nothing moves them",
    () =>
      Effect.gen(function* () {
        yield* put("k", "x".repeat(4_000))
        const live = yield* begin(balanced("anthropic", 1_000), APP)
        yield* Governor.observe(live, [user("Look.")])
        const first = yield* sent(live)
        const texts = first.messages.flatMap((message) => textsOf(objectOf(parse(message))["content"]))
        const notes = texts[0] ?? ""
        expect(texts).toEqual([
          expect.stringMatching(/^\[notes\] What you wrote down yourself in earlier runs/),
          "Look."
        ])
        expect(estimate(notes)).toBeLessThanOrEqual(250)
        yield* put("later", "for the next run")
        for (let i = 0; i < 6; i++) {
          yield* Governor.observe(live, read(`c${i}`, `f${i}.ts`, "y".repeat(1_500)))
          expect((yield* sent(live)).messages.slice(0, 1)).toEqual(first.messages)
        }
        const run = yield* Runs.find(hash, RUN)
        expect((yield* Audit.audit(hash, run, undefined)).findings).toEqual([])
        const again = yield* ViewAt.at(hash, run, 1)
        expect(again._tag === "Sent" && again.messages).toEqual(first.messages)
      }).pipe(Effect.provide(memory))
  )

  it.effect("no notes, another workspace, or a preset that changes nothing: nothing comes first", () =>
    Effect.gen(function* () {
      yield* put("k", "v", OTHER)
      const notes = yield* NoteBook.list(hash, OTHER)
      expect(NoteBook.opening([], balanced("anthropic", 1_000))).toEqual(Option.none())
      expect(NoteBook.opening(notes, raw("anthropic"))).toEqual(Option.none())
      expect(NoteBook.opening(notes, section("anthropic", 1_000))).toEqual(Option.none())
      expect(Option.isSome(NoteBook.opening(notes, balanced("anthropic", 1_000)))).toBe(true)
      const live = yield* begin(balanced("anthropic", 1_000), APP)
      yield* Governor.observe(live, [user("Look.")])
      expect((yield* sent(live)).messages).toHaveLength(1)
    }).pipe(Effect.provide(memory))
  )

  it.effect("a host that shows notes itself takes the block, at most a quarter, where it wants it", () =>
    Effect.gen(function* () {
      yield* put("k", "x".repeat(4_000))
      const { recalled, text } = yield* NoteBook.block(hash, APP, 1_000)
      expect([recalled, estimate(text)]).toEqual([1, 250])
    }).pipe(Effect.provide(memory))
  )
})

let conflicts = 0

/** Every writer waits between reading and appending, so that others come first. */
const interrupted = Layer.effect(
  EventStore,
  Effect.map(EventStore, (store) => ({
    ...store,
    append: (append: Parameters<typeof store.append>[0]) =>
      Effect.zipRight(Effect.yieldNow(), store.append(append)).pipe(
        Effect.tapErrorTag("Conflict", () => Effect.sync(() => conflicts++))
      )
  }))
).pipe(Layer.provide(memory))

const broken = Layer.effect(
  EventStore,
  Effect.map(EventStore, (store) => ({
    ...store,
    append: ({ writes }: Parameters<typeof store.append>[0]) =>
      Effect.fail(new Conflict({ log: writes[0]!.log, expected: GENESIS, actual: EMPTY }))
  }))
).pipe(Layer.provide(memory))
