/**
 * The port to an index of the words in what runs were told. A store that keeps one offers it; a server without it says so.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StoreError } from "@palimpsest/ledger/EventStore"
import type { TreeId } from "@palimpsest/ledger/Ids"

/**
 * @since 0.1.0
 * @category tags
 */
export class Search extends Context.Tag("@palimpsest/server/Search")<
  Search,
  {
    /** A page of places where the words stand, each as an address with some of the text around them. */
    readonly find: (query: {
      readonly words: string
      readonly tree?: TreeId
      readonly after?: string
      readonly limit: number
    }) => Effect.Effect<
      {
        readonly items: ReadonlyArray<{ readonly address: string; readonly snippet: string }>
        readonly next?: string
      },
      StoreError
    >
  }
>() {}
