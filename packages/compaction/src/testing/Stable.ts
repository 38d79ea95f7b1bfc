/**
 * Law 6: between epochs the messages of a request are a prefix of the next one's; an epoch has a cause, and it comes when
 * the schedule allows it and no earlier.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import type { Step } from "@palimpsest/ledger/Ids"
import * as Balanced from "../Balanced.ts"
import { armed, goal, type Marks } from "../Hysteresis.ts"
import { weigh, type Message } from "../Transcript.ts"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import { isTextResult, LONGEST_STUB, seenIn } from "./Leavable.ts"
import * as Mutate from "./Mutate.ts"
import { textOfMessage } from "./Rendered.ts"
import * as Script from "./Script.ts"
import { isSent, play, type Played, type Turned } from "./Simulation.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const prefix: Law<Implementation> = {
  number: 6,
  name: "between epochs the messages of a request are a prefix of the next one's, by identity and by text",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, (script, marks) => {
      const played = play(implementation, script, marks)
      return played.requests.filter(isSent).every((turned) => {
        const cause = turned.decided?.epoch
        if (cause === "client") return turned.touched
        if (cause !== undefined || turned.touched) return true
        return turned.shown.every((message, i) => isSame(played, message, turned.view.messages[i]))
      })
    }),
  mutants: [
    {
      name: "what is superseded leaves at once, outside an epoch",
      implementation: {
        ...ours,
        evolve: (view, happenings) => {
          const next = ours.evolve(view, happenings)
          const eager = Balanced.plan(next, { line: 1, lowWater: 0, ceiling: undefined })
          if (eager._tag !== "Batch") return next
          return ours.evolve(next, [
            { _tag: "Decided", decided: { _tag: "Decided", step: STEP, changes: eager.changes } }
          ])
        }
      }
    },
    {
      name: "messages are made anew for every request",
      implementation: Mutate.shown((messages) => messages.map((message) => ({ ...message })))
    },
    {
      name: "what the user says comes first",
      implementation: Mutate.shown((messages) => {
        const at = messages.findLastIndex(({ role }) => role === "user")
        return at < 0 ? messages : [...messages.slice(at, at + 1), ...messages.filter((_, i) => i !== at)]
      })
    }
  ]
}

/**
 * @since 0.1.0
 * @category laws
 */
export const schedule: Law<Implementation> = {
  number: 6,
  name: "a rewrite waits for the armed mark, clears down to the low water or all that may leave, and is not repeated at once",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, (script, marks) => {
      const sent = play(implementation, script, marks).requests.filter(isSent)
      return sent.every((turned, n) => {
        if (!isOurs(turned)) return true
        const { admitted, view } = turned
        if (admitted.tokens <= armed(marks, admitted.settled)) return false
        if (view.tokens > goal(marks) && mayMoreLeave(view.messages)) return false
        const last = sent[n - 1]
        return last === undefined || !isOurs(last) || turned.touched || hasPassedHeadroom(marks, last, turned)
      })
    }),
  mutants: [
    {
      name: "rewrites on every turn",
      implementation: {
        ...ours,
        plan: (view, marks, asked) => ours.plan(view, { ...marks, line: 1, lowWater: 0 }, asked)
      }
    },
    {
      name: "clears only down to the line",
      implementation: {
        ...ours,
        plan: (view, marks, asked) => ours.plan(view, { ...marks, lowWater: marks.line - 1 }, asked)
      }
    },
    {
      name: "the line is armed again at once, whatever the last batch left",
      implementation: { ...ours, plan: (view, marks, asked) => ours.plan({ ...view, settled: 0 }, marks, asked) }
    },
    {
      name: "clears down to the ceiling, so that the next turn is at it again",
      implementation: {
        ...ours,
        plan: (view, marks, asked) =>
          ours.plan(
            view,
            { ...marks, lowWater: Math.max(marks.lowWater, Math.min(marks.line - 1, marks.ceiling ?? 0)) },
            asked
          )
      }
    }
  ]
}

const isSame = ({ texts }: Played, before: Message, now: Message | undefined): boolean =>
  now === before && textOfMessage(texts, now) === textOfMessage(texts, before)

const isOurs = ({ decided }: Turned): boolean => decided?.epoch !== undefined && decided.epoch !== "client"

/** Two epochs follow each other only where so much came in between that the first could not have made room for it. */
const hasPassedHeadroom = (marks: Marks, last: Turned, { admitted, decided }: Turned): boolean => {
  const entered = admitted.tokens - last.view.tokens
  const room = decided?.epoch === "ceiling" ? (marks.ceiling ?? 0) - last.view.tokens : marks.line - marks.lowWater
  return entered > room
}

/** Whether an old result stands with clearly more than a stub would take. */
const mayMoreLeave = (messages: ReadonlyArray<Message>): boolean => {
  const isSeen = seenIn(messages)
  return messages.some(({ items }, at) =>
    items.some((item) => isSeen(at, item) && isTextResult(item) && weigh(item).scalars > LONGEST_STUB)
  )
}

const STEP = 1 as Step
