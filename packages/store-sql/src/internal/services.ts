/** The services that one open database gives. */
import { BodyStore } from "@palimpsest/ledger/BodyStore"
import { EventStore } from "@palimpsest/ledger/EventStore"
import { Removal } from "@palimpsest/ledger/Removal"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import * as Context from "effect/Context"
import type { Database } from "../Database.ts"
import * as SqlBodyStore from "../SqlBodyStore.ts"
import * as SqlEventStore from "../SqlEventStore.ts"
import * as SqlRemoval from "../SqlRemoval.ts"
import * as Tails from "../Tails.ts"

export const services = (
  hash: Hasher,
  database: Database
): Context.Context<EventStore | BodyStore | Removal | Tails.Tails> => {
  const events = SqlEventStore.make(hash, database)
  return Context.make(EventStore, events).pipe(
    Context.add(BodyStore, SqlBodyStore.make(hash, database)),
    Context.add(Removal, SqlRemoval.make(hash, database)),
    Context.add(Tails.Tails, Tails.make(events, database))
  )
}
