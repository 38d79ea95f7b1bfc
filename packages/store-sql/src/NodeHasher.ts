/**
 * SHA-256 over `node:crypto`: the digest that a host in Node passes to everything that takes a `Hasher`. It agrees with
 * `Sha256.pure` of `@palimpsest/ledger` on every input (law 7).
 *
 * @since 0.1.0
 */
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { createHash, hash as hashOnce } from "node:crypto"

/**
 * SHA-256 over the concatenation of the parts.
 *
 * @since 0.1.0
 * @category constructors
 */
export const hash: Hasher = (...parts) => {
  const [only] = parts
  // One part is the common case (an event), and the one-shot function spares the object.
  if (only !== undefined && parts.length === 1) return hashOnce("sha256", only, "hex") as Digest
  const state = createHash("sha256")
  for (const part of parts) state.update(part)
  return state.digest("hex") as Digest
}
