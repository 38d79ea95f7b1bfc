/**
 * Acts: the four things that a policy rules on. Whatever an agent does is checked as exactly one of them.
 *
 * Laws kept here: 14 (an unknown act does not decode).
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/**
 * What is done to a target: a file is read or written, a tool or program is executed by name, a host is reached.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Act = Schema.Literal("read", "write", "exec", "net")

/**
 * @since 0.1.0
 * @category models
 */
export type Act = typeof Act.Type

/**
 * Every act, in the order in which a policy's defaults are written. Source: IO-37.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: ReadonlyArray<Act> = Act.literals

/**
 * One value for each act.
 *
 * @since 0.1.0
 * @category models
 */
export type ByAct<A> = { readonly [K in Act]: A }

/**
 * Builds a value for each act.
 *
 * @since 0.1.0
 * @category constructors
 */
export const byAct = <A>(f: (act: Act) => A): ByAct<A> => ({
  read: f("read"),
  write: f("write"),
  exec: f("exec"),
  net: f("net")
})
