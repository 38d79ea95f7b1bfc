/**
 * The identity of a source: what makes two files the same conversation. It comes from the content alone, so two machines
 * that read one file, at any time and from any path, agree (law 7), and a file that grew is still the same source.
 *
 * @since 0.1.0
 */
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Format } from "./Format.ts"
import * as Identity from "./internal/Identity.ts"

/**
 * The name of a source, fit for a `LogId`: a session's own id (with the agent's, for an agent's own file), or `chat-`,
 * `msgs-`, `rows-` and 16 hexadecimal digits of a digest over the opening, up to and including the first message of the
 * user. Two conversations with the same opening have the same name.
 *
 * @since 0.1.0
 * @category identity
 */
export const sourceId = (
  format: Format,
  records: ReadonlyArray<{ readonly bytes: Uint8Array }>,
  hash: Hasher
): string => Identity.sourceId(format, records, hash)
