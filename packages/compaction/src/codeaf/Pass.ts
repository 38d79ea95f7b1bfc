/**
 * A pass over the transcript: what it shortened, and the state after it. The messages of before stay as they were.
 *
 * A pass that rewrites nothing gives the very messages that it was given (CA-04), though it may have kept bodies while it
 * asked whether rewriting would pay (CA-W17).
 *
 * @since 0.1.0
 */
import { retire, type Decayer } from "./Decayer.ts"
import { withText, type Message } from "./Message.ts"
import type { Sized } from "./Sized.ts"

/**
 * One message that was shortened: for a decision, whose address is that of the entry at `index`. `bytes` is what it took
 * before, `path` what its words name, if they name one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rewrite {
  readonly _tag: "Stubbed" | "Folded"
  readonly index: number
  readonly key: string
  readonly bytes: number
  readonly path: string | undefined
  readonly put: Sized
}

/**
 * `live` is the measure that the pass goes by, in bytes. `cause` is why it rewrote: what is spent made enough room
 * (`schedule`), or the safety limit was passed (`ceiling`); undefined where it did not.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pass<M extends Message> {
  readonly decayer: Decayer
  readonly messages: ReadonlyArray<M>
  readonly rewrites: ReadonlyArray<Rewrite>
  readonly live: number
  readonly cause: "schedule" | "ceiling" | undefined
}

/**
 * @since 0.1.0
 * @category constructors
 */
export const quiet = <M extends Message>(decayer: Decayer, messages: ReadonlyArray<M>, live: number): Pass<M> => ({
  decayer,
  messages,
  rewrites: [],
  live,
  cause: undefined
})

/**
 * The pass with more rewrites in it, each of a message that stood whole so far.
 *
 * @since 0.1.0
 * @category folding
 */
export const rewriting = <M extends Message>(
  pass: Pass<M>,
  rewrites: ReadonlyArray<Rewrite>,
  cause: "schedule" | "ceiling"
): Pass<M> => {
  if (rewrites.length === 0) return pass
  const messages = [...pass.messages]
  let { decayer, live } = pass
  for (const { bytes, index, key, path, put } of rewrites) {
    messages[index] = withText(messages[index]!, put)
    decayer = retire(decayer, key, path)
    live -= bytes - put.bytes
  }
  return { decayer, messages, rewrites: [...pass.rewrites, ...rewrites], live, cause }
}
