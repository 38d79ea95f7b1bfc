/**
 * The durable address of a body. The seed writes a file into the agent's own workspace; here a function is passed in that
 * says where the body is, and the ledger holds it whatever that function says (laws 2 and 4: the address of a decision
 * is the entry's, the path is words).
 *
 * Keeps CA-W7 in its names: two ids that share their last forty safe characters get one path. A path names the leaf, so
 * the text of this preset also breaks the last sentence of law 7.
 *
 * @since 0.1.0
 */

/**
 * Where the body of an observation can be read from then on, or undefined where it cannot be kept. Never an empty path.
 *
 * @since 0.1.0
 * @category models
 */
export type Spill = (key: string, body: string) => string | undefined

/**
 * No workspace: nothing can be kept.
 *
 * @since 0.1.0
 * @category constructors
 */
export const nowhere: Spill = () => undefined

/**
 * The path of a body that decay keeps.
 *
 * @since 0.1.0
 * @category names
 */
export const decayPath = (leaf: string, key: string): string => `${DIRECTORY}/${leaf}-decay-${safeName(key)}.txt`

/**
 * The path of a result that was too large at entry, by its number in the run, from 1.
 *
 * @since 0.1.0
 * @category names
 */
export const resultPath = (leaf: string, count: number): string => `${DIRECTORY}/${leaf}-${count}.txt`

/**
 * What of a key can stand in a file name: ASCII letters, digits, `_` and `-`, the last forty of them; `x` if none.
 *
 * @since 0.1.0
 * @category names
 */
export const safeName = (key: string): string => {
  const safe = key.replace(/[^A-Za-z0-9_-]+/g, "")
  return safe === "" ? "x" : safe.slice(-40)
}

const DIRECTORY = ".obs"
