/** SHA-256 as a host passes it in: the digests of the pure one, sooner. */
import { createHash } from "node:crypto"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"

export const hash: Hasher = (...parts) => {
  const sha = createHash("sha256")
  for (const part of parts) sha.update(part)
  return sha.digest("hex") as Digest
}
