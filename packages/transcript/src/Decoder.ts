/**
 * From records to moves, one record at a time. A decoder remembers what it has read and nothing else: no clock, no file,
 * no other source. Feeding the same records again to a new decoder gives the same moves (law 7), and what it does not
 * know it lays aside under the record's own type (law 14). No text that it reads has any effect but as text (law 15).
 *
 * @since 0.1.0
 */
import { ownText, type Stored } from "@palimpsest/ledger/Body"
import type { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import type { Format } from "./Format.ts"
import * as AnthropicList from "./internal/AnthropicList.ts"
import * as ChatList from "./internal/ChatList.ts"
import * as ClaudeCode from "./internal/ClaudeCode.ts"
import type { Move } from "./Move.ts"

/**
 * A record and the digest under which its bytes are stored. Entries refer to bytes inside it by that digest.
 *
 * @since 0.1.0
 * @category models
 */
export interface Input {
  readonly line: number
  readonly bytes: Uint8Array
  readonly digest: Digest
}

/**
 * Reads the next record. Records must come in order, from the first; a decoder that is taken up again later is fed the
 * records read before it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Decoder {
  readonly next: (record: Input) => ReadonlyArray<Move>
}

/**
 * A decoder at the beginning of a source. `hash` makes the digests of the bodies inside the records.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (format: Format, hash: Hasher): Decoder => {
  switch (format) {
    case "claude-code":
      return ClaudeCode.make(hash)
    case "anthropic-messages":
      return AnthropicList.make(hash)
    case "openai-chat":
      return ChatList.makeList(hash)
    case "openai-chat-rows":
      return ChatList.makeRows(hash)
  }
}

/**
 * The bodies that moves refer to and that lie in no record: the empty text of a result without content. A host stores
 * them once, beside the records.
 *
 * @since 0.1.0
 * @category accessors
 */
export const owned = (hash: Hasher): ReadonlyArray<Stored> => [ownText(hash, "").stored]
