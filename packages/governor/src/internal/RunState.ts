/** One run while its source is imported. */
import { EMPTY, type Draft, type Head } from "@palimpsest/ledger/Event"
import type { LogId, Seq } from "@palimpsest/ledger/Ids"
import type { Fact } from "../Fact.ts"
import * as Session from "../Session.ts"
import { recordOf } from "./resume.ts"

/** A call of another run, that began a run. */
export interface Parent {
  readonly log: LogId
  readonly call: Seq
}

/**
 * One run: its session, the head that is stored, the last line that it has facts of, what waits to be appended, and where
 * its messages and calls stand.
 */
export class RunState {
  session: Session.Session
  stored: Head = EMPTY
  line = 0
  drafts: Array<Draft> = []
  readonly messages = new Map<string, Array<Seq>>()
  readonly calls = new Map<string, Seq>()
  readonly results = new Map<string, Seq>()

  constructor(session: Session.Session) {
    this.session = session
  }

  /** Takes a fact in: the session moves on, and the places of messages, calls and results are remembered. */
  record(fact: Fact): void {
    this.session = Session.record(this.session, fact)
    this.line = recordOf(fact)?.line ?? this.line
    if (fact._tag !== "Entered") return
    const seq = this.session.seq as Seq
    const { message, part } = fact
    const parts = this.messages.get(message)
    if (parts === undefined) this.messages.set(message, [seq])
    else parts.push(seq)
    if (part._tag === "Call") this.calls.set(part.call, seq)
    if (part._tag === "Result") this.results.set(part.call, seq)
  }
}
