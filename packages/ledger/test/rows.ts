/** The rows IO-01 to IO-09 as values: each with wrong implementations that a test of its name has to tell apart. */
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as Schema from "effect/Schema"
import type { Entry } from "../src/Ledger.ts"
import * as Observation from "../src/Observation.ts"
import { Arbitraries, Implementation, type Law } from "../src/testing.ts"

export interface Rows extends Implementation.Implementation {
  readonly kinds: ReadonlyArray<string>
  readonly label: (kind: Observation.Kind) => string
  readonly isOfItsTarget: (kind: Observation.Kind) => boolean
  readonly covers: (later: Observation.Coverage, earlier: Observation.Coverage) => boolean
  readonly decode: (json: unknown) => Either.Either<Observation.Observation, unknown>
}

export const ours: Rows = {
  ...Implementation.ours,
  kinds: Observation.KINDS,
  label: Observation.label,
  isOfItsTarget: Observation.isOfItsTarget,
  covers: Observation.covers,
  decode: Schema.decodeUnknownEither(Observation.Observation, { onExcessProperty: "error" })
}

export interface Row extends Omit<Law.Law<Rows>, "number"> {
  readonly row: string
}

const kind = FastCheck.constantFrom(...Observation.KINDS)
const always = (holds: () => boolean) => FastCheck.property(FastCheck.constant(null), holds)

export const rows: ReadonlyArray<Row> = [
  {
    row: "IO-01",
    name: "obs_kind_wire_strings_are_pinned",
    property: ({ kinds }) =>
      always(() => kinds.join(" ") === "read grep find write skill tool mcp child message error"),
    mutants: [{ name: "a kind is renamed", implementation: { ...ours, kinds: ours.kinds.with(3, "wrote") } }]
  },
  {
    row: "IO-01",
    name: "every_obs_kind_round_trips_through_json",
    property: ({ decodeKind }) =>
      FastCheck.property(kind, (given) => {
        const wire: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(Observation.Kind)(given)))
        return Either.getOrUndefined(decodeKind(wire)) === given
      }),
    mutants: [
      {
        name: "errors come back as messages",
        implementation: { ...ours, decodeKind: (given) => ours.decodeKind(given === "error" ? "message" : given) }
      }
    ]
  },
  {
    row: "IO-02",
    name: "an_unknown_kind_string_fails_rather_than_defaulting",
    property: ({ decodeKind }) =>
      FastCheck.property(
        FastCheck.constantFrom("wrote", "Read", "READ", "sing", "", "mcp tool", "note", " read", "read\n"),
        (given) => Either.isLeft(decodeKind(given))
      ),
    mutants: [
      {
        name: "unknown kinds are tools",
        implementation: {
          ...ours,
          decodeKind: (given) => Either.orElse(ours.decodeKind(given), () => Either.right("tool" as const))
        }
      },
      {
        name: "white space is taken off",
        implementation: { ...ours, decodeKind: (given) => ours.decodeKind(String(given).trim()) }
      }
    ]
  },
  {
    row: "IO-03",
    name: "labels_are_a_vocabulary_of_their_own",
    property: ({ label }) =>
      always(
        () => Observation.KINDS.map(label).join(",") === "read,grep,find,wrote,skill,tool,mcp tool,child,note,error"
      ),
    mutants: [{ name: "a label is the wire string", implementation: { ...ours, label: (given) => given } }]
  },
  {
    row: "IO-04",
    name: "only_a_target_that_is_the_subject_supersedes",
    property: ({ isOfItsTarget }) =>
      FastCheck.property(
        kind,
        (given) => isOfItsTarget(given) === ["read", "grep", "find", "write", "skill"].includes(given)
      ),
    mutants: [
      {
        name: "a tool's answer supersedes its last",
        implementation: { ...ours, isOfItsTarget: (of) => of !== "error" }
      }
    ]
  },
  {
    row: "IO-04",
    name: "a_partial_read_never_supersedes_a_wider_one",
    property: ({ covers }) =>
      FastCheck.property(
        Arbitraries.coverage,
        Arbitraries.coverage,
        FastCheck.integer({ min: 1, max: 20 }),
        (a, b, line) => {
          const shows = (coverage: Observation.Coverage, at: number) =>
            coverage._tag === "All" || (coverage.from <= at && at <= coverage.to)
          // Whatever line the earlier one shows, the later shows too; nothing but a whole read covers a whole one.
          if (!covers(a, b)) return b._tag === "All" ? a._tag !== "All" : !contains(a, b)
          return (!shows(b, line) || shows(a, line)) && (b._tag !== "All" || a._tag === "All")
        }
      ),
    mutants: [
      { name: "a later read always covers", implementation: { ...ours, covers: () => true } },
      {
        name: "a read to the end is the whole",
        implementation: {
          ...ours,
          covers: (later, earlier) =>
            ours.covers(later, earlier) || (later._tag === "Lines" && later.to === Observation.END)
        }
      },
      { name: "nothing covers", implementation: { ...ours, covers: () => false } }
    ]
  },
  {
    row: "IO-05",
    name: "an_observation_round_trips_with_and_without_a_target",
    property: ({ decode }) =>
      FastCheck.property(Arbitraries.observation, (given) => {
        const json = JSON.stringify(Schema.encodeSync(Observation.Observation)(given))
        const back = Either.getOrUndefined(decode(JSON.parse(json)))
        return (
          back !== undefined &&
          ours.encode(back) === ours.encode(given) &&
          Object.hasOwn(back, "target") === (given.target !== undefined)
        )
      }),
    mutants: [
      {
        name: "a missing target is empty",
        implementation: {
          ...ours,
          decode: (json) => Either.map(ours.decode(json), (back) => ({ target: "", ...back }))
        }
      }
    ]
  },
  {
    row: "IO-06",
    name: "a_ledger_round_trips_its_entries_in_order",
    property: ({ empty }) =>
      FastCheck.property(Arbitraries.entries, (entries) => {
        const json: ReadonlyArray<Entry> = JSON.parse(JSON.stringify(entries))
        const restored = json.reduce((ledger, entry) => ledger.append(entry), empty())
        const read = entries.map((_, i) => restored.at(i))
        return restored.length === entries.length && ours.encode(read) === ours.encode(entries)
      }),
    mutants: [
      {
        name: "the newest comes first",
        implementation: { ...ours, empty: () => seen(ours.empty(), (value, at) => value.at(value.length - 1 - at)) }
      },
      {
        name: "the classifier is lost",
        implementation: {
          ...ours,
          empty: () =>
            seen(ours.empty(), (value, at) => {
              const entry = value.at(at)
              return entry?.observation === undefined
                ? entry
                : { ...entry, observation: { ...entry.observation, classifier: "" } }
            })
        }
      }
    ]
  }
]

const contains = (a: Observation.Coverage, b: Observation.Coverage & { readonly _tag: "Lines" }): boolean =>
  a._tag === "All" || (a.from <= b.from && b.to <= a.to)

const seen = (
  value: Implementation.Value,
  at: (value: Implementation.Value, position: number) => Entry | undefined
): Implementation.Value => ({
  ...value,
  append: (entry) => seen(value.append(entry), at),
  at: (position) => at(value, position)
})
