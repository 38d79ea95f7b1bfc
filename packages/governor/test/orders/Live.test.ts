/** A live run under commands, and the same run taken up again from its log. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as SynchronizedRef from "effect/SynchronizedRef"
import { describe, expect, it } from "vitest"
import type { Seq } from "@palimpsest/ledger/Ids"
import { compile } from "@palimpsest/policy/Check"
import * as Policy from "@palimpsest/policy/Policy"
import * as Audit from "../../src/Audit.ts"
import * as Command from "../../src/Command.ts"
import * as Governor from "../../src/Governor.ts"
import * as Runs from "../../src/Runs.ts"
import { memory } from "../support/Governed.ts"
import { hash } from "../support/Hash.ts"
import { begin, read, RUN, sent, twin, user } from "../support/Turns.ts"
import { content, governed } from "./Growing.ts"

const turns = (live: Governor.Live, from: number, to: number) =>
  Effect.gen(function* () {
    for (let n = from; n <= to; n++) {
      yield* sent(live)
      yield* Governor.observe(live, read(`call-${n}`, `file-${n}.txt`, content(n)))
    }
    return yield* sent(live)
  })

const orders = (live: Governor.Live) => Effect.map(SynchronizedRef.get(live.state), ({ session }) => session.orders)

describe("a live run under commands", () => {
  it("goes by them from the next request on, and taken up again stands under the same (law 7)", () =>
    Effect.gen(function* () {
      const live = yield* begin(governed())
      yield* Governor.observe(live, [user("Read them all.")])
      yield* turns(live, 1, 4)
      const { session } = yield* SynchronizedRef.get(live.state)
      const pinned = session.view._tag === "Transcript" ? session.view.transcript.messages[2]?.items[0].seq : undefined
      if (pinned === undefined) return expect.fail("no result")
      yield* Command.giveLive(live, { _tag: "Pin", entries: [pinned, pinned] })
      yield* Command.giveLive(live, { _tag: "Ask", above: 1_000_000 })
      const turn = yield* turns(live, 5, 26)
      const shows = (n: number) => turn.messages.join("").includes(JSON.stringify(content(n)).slice(1, -1))
      expect([shows(1), shows(2)]).toEqual([true, false])
      const policy = Either.getOrThrow(compile(Policy.permissive))
      const again = yield* Governor.resume({ log: RUN, hash, policy })
      expect(yield* orders(again)).toEqual(yield* orders(live))
      yield* Governor.observe(again, read("call-27", "file-27.txt", content(27)))
      expect((yield* sent(again)).messages.join("")).toContain(JSON.stringify(content(1)).slice(1, -1))
      const audit = yield* Audit.audit(hash, yield* Runs.find(hash, RUN), undefined)
      expect([audit.differ, audit.findings]).toEqual([0, []])
      return yield* Effect.void
    }).pipe(Effect.provide(memory), Effect.runPromise))

  it("law 3: of two that command at once, one gets a conflict; what is so already is no event", () =>
    Effect.gen(function* () {
      const live = yield* begin(governed())
      const other = yield* twin(live)
      const given = yield* Command.giveLive(live, { _tag: "Hold" })
      expect(given.seq).toBe(2)
      const error = yield* Effect.flip(Command.giveLive(other, { _tag: "Off" }))
      expect(error._tag).toBe("Conflict")
      expect((yield* Command.giveLive(live, { _tag: "Hold" })).seq).toBeUndefined()
      const one = 1 as Seq
      const refused = yield* Effect.flip(Command.giveLive(live, { _tag: "Pin", entries: [one, one] }))
      expect(refused._tag).toBe("CommandRefused")
    }).pipe(Effect.provide(memory), Effect.runPromise))
})
