/**
 * The handlers of runs and turns.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import { Api } from "@palimpsest/api/Api"
import type * as Run from "@palimpsest/api/Run"
import * as Runs from "@palimpsest/governor/Runs"
import * as Beginning from "./Beginning.ts"
import * as Faults from "./Faults.ts"
import * as Paged from "./Paged.ts"
import { Settings } from "./Settings.ts"
import * as Turns from "./Turns.ts"

/**
 * @since 0.1.0
 * @category layers
 */
export const layer = HttpApiBuilder.group(Api, "runs", (handlers) =>
  Effect.map(Settings, ({ hash }) =>
    handlers
      .handle("list", ({ urlParams }) => Faults.reading(Effect.map(Paged.runs(hash, urlParams), pageOf)))
      .handle("tree", ({ path, urlParams }) =>
        Faults.reading(Effect.map(Paged.runs(hash, { ...urlParams, tree: path.tree }), pageOf))
      )
      .handle("get", ({ path }) =>
        Faults.reading(
          Effect.gen(function* () {
            const found = yield* Runs.find(hash, path.run)
            const { began, requests, title } = yield* Runs.summary(hash, found)
            return { ...runOf(found), title, began, requests }
          })
        )
      )
      .handle("begin", ({ payload }) => Faults.writing(Beginning.begin(payload)))
      .handle("observe", ({ path, payload }) => Faults.writing(Turns.observe(path.run, payload)))
      .handle("check", ({ path, payload }) =>
        Faults.writing(Effect.map(Turns.check(path.run, payload), (verdict) => ({ verdict })))
      )
      .handle("prepare", ({ path, urlParams }) =>
        Faults.writing(Turns.prepare(path.run, path.request, urlParams.workspace))
      )
      .handle("settle", ({ path, payload }) => Faults.writing(Turns.settle(path.run, path.request, payload)))
  )
)

const runOf = ({ config, head, log, parent, tree }: Runs.Run): Run.Run => ({
  run: log,
  tree,
  ...(parent === undefined ? {} : { parent }),
  config,
  head
})

const pageOf = <C>({ items, ...next }: Paged.Page<Runs.Run, C>) => ({ ...next, items: items.map(runOf) })
