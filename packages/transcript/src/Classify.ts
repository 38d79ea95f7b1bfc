/**
 * What a tool's result is an observation of. Decided once, when the entry is read, and stored with it under
 * `CLASSIFIER`, so that a better classifier never changes an old request (law 7).
 *
 * Subjects are canonical: `./a` and `a` are one file, a search's subject is all of its arguments, and what is not surely
 * of a subject has none. Where a source says in which directory a call was made, a path is resolved against it and named
 * relative to the directory the source began in.
 *
 * @since 0.1.0
 */
import type { Observation } from "@palimpsest/ledger/Observation"
import * as Tools from "./internal/Tools.ts"

/**
 * The version of these rules, stored in every observation they make.
 *
 * @since 0.1.0
 * @category constants
 */
export const CLASSIFIER = "1"

/**
 * Where a call was made: `cwd`, absolute, and the `root` that subjects are named relative to.
 *
 * @since 0.1.0
 * @category models
 */
export interface Where {
  readonly cwd: string
  readonly root: string
}

/**
 * The observation that the result of a call is. A failed result is of kind `error`, keeps its target and has no subject.
 * The target is shown, at most 200 scalar values of well-formed text.
 *
 * @since 0.1.0
 * @category classifying
 */
export const observe = (name: string, args: unknown, isError: boolean, where?: Where): Observation => {
  const { covers, kind, subject, target } = Tools.finding(name, args, where)
  return {
    kind: isError ? "error" : kind,
    ...(target === undefined ? {} : { target }),
    ...(subject === undefined || isError ? {} : { subject }),
    covers: isError ? { _tag: "All" } : (covers ?? { _tag: "All" }),
    classifier: CLASSIFIER
  }
}

/**
 * The observation that the model's own words are: of no subject.
 *
 * @since 0.1.0
 * @category constants
 */
export const MESSAGE: Observation = { kind: "message", covers: { _tag: "All" }, classifier: CLASSIFIER }
