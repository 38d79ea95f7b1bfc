/** `budget RUN`: the tree of a run, who spent what of it, and, under limits, what is left. */
import * as Args from "@effect/cli/Args"
import * as Command from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Limits } from "@palimpsest/budget/Limits"
import * as LimitsDocument from "@palimpsest/budget/LimitsDocument"
import * as Measure from "@palimpsest/budget/Measure"
import * as Runs from "@palimpsest/governor/Runs"
import * as Spending from "@palimpsest/governor/Spending"
import { hash } from "@palimpsest/store-sql/NodeHasher"
import * as Database from "../Database.ts"
import * as Documents from "../Documents.ts"
import { fromError, unusable, type Failure } from "../Failure.ts"
import * as Inputs from "../Inputs.ts"
import * as Output from "../Output.ts"

export const command = Command.make(
  "budget",
  {
    run: Args.text({ name: "RUN" }),
    db: Database.option,
    json: Output.json,
    limits: Options.text("limits").pipe(
      Options.withDescription("limits of the tree: a YAML or JSON file, as `budgets:` of a workflow or by itself"),
      Options.optional
    )
  },
  ({ db, json, limits, run }) =>
    Effect.gen(function* () {
      const limit = yield* Option.match(limits, { onNone: () => Effect.succeed({}), onSome: limitsIn })
      const found = yield* Effect.flatMap(Inputs.runId(run), (id) => Runs.find(hash, id))
      const tree = yield* Spending.ofTree(hash, found)
      yield* Output.line(json ? JSON.stringify(jsonOf(tree, limit)) : printed(tree, limit))
    }).pipe(
      Effect.catchAll((error) => Effect.fail(fromError(error))),
      Effect.provide(Database.layer(db, "read"))
    )
).pipe(Command.withDescription("print the tree of a run with what each run spent, and what is left of given limits"))

const limitsIn = (file: string): Effect.Effect<Limits, Failure> =>
  Effect.gen(function* () {
    const document = yield* Documents.loadDocument(file)
    const { value } = document
    const isWorkflow = typeof value === "object" && value !== null && Object.hasOwn(value, "budgets")
    const decoded = isWorkflow ? LimitsDocument.decodeWorkflow(value) : LimitsDocument.decode(value)
    const { limits } = yield* Either.mapLeft(decoded, ({ faults }) => unusable(Documents.told(document, faults)))
    return limits
  })

/** One axis of the tree: its limit where there is one, what is spent, and what is left. */
interface Axis {
  readonly axis: string
  readonly limit: number | undefined
  readonly spent: Measure.Measure
}

const axesOf = (tree: ReadonlyArray<Spending.RunSpending>, limits: Limits): ReadonlyArray<Axis> => {
  const [root] = tree
  if (root === undefined) return []
  return [
    { axis: "tokens", limit: limits.tokens, spent: root.spent.subtree.tokens },
    {
      axis: "calls",
      limit: limits.calls,
      spent: Measure.measured(tree.reduce((sum, { requests }) => sum + requests, 0))
    },
    { axis: "depth", limit: limits.depth, spent: Measure.measured(Math.max(...tree.map(({ depth }) => depth))) },
    { axis: "children", limit: limits.children, spent: Measure.measured(tree.length - 1) }
  ]
}

const leftOf = ({ limit, spent }: Axis): number | undefined =>
  limit === undefined || !Measure.isMeasured(spent) ? undefined : Math.max(0, limit - spent.n)

const jsonOf = (tree: ReadonlyArray<Spending.RunSpending>, limits: Limits) => ({
  runs: tree.map(({ depth, parent, reported, requests, run, spent }) => ({
    run,
    ...(parent === undefined ? {} : { parent }),
    depth,
    requests,
    reported,
    own: spent.own.tokens,
    subtree: spent.subtree.tokens
  })),
  axes: axesOf(tree, limits).map((axis) => {
    const left = leftOf(axis)
    return {
      axis: axis.axis,
      ...(axis.limit === undefined ? {} : { limit: axis.limit }),
      spent: axis.spent,
      reserved: 0,
      ...(left === undefined ? {} : { remaining: left })
    }
  })
})

const printed = (tree: ReadonlyArray<Spending.RunSpending>, limits: Limits): string =>
  [
    Output.table(
      ["run", "requests", "reported", "own tokens", "with all below"],
      tree.map(({ depth, reported, requests, run, spent }) => [
        `${"  ".repeat(depth)}${run}`,
        Output.count(requests),
        Output.count(reported),
        said(spent.own.tokens),
        said(spent.subtree.tokens)
      ])
    ),
    "",
    Output.table(
      ["axis", "limit", "spent", "reserved", "remaining"],
      axesOf(tree, limits).map((axis) => {
        const left = leftOf(axis)
        return [
          axis.axis,
          axis.limit === undefined ? "none" : Output.count(axis.limit),
          said(axis.spent),
          "0",
          left === undefined ? (axis.limit === undefined ? "" : "unknown") : Output.count(left)
        ]
      })
    )
  ].join("\n")

const said = (measure: Measure.Measure): string =>
  Measure.isMeasured(measure) ? Output.count(measure.n) : "unmeasured"
