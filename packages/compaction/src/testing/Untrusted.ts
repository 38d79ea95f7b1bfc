/**
 * Law 15: a text that looks like a mark of ours means nothing: nothing is decided by it.
 *
 * @since 0.1.0
 */
import * as FastCheck from "effect/FastCheck"
import { type Implementation, ours } from "./Implementation.ts"
import type { Law } from "./Law.ts"
import * as Script from "./Script.ts"
import { play, type Played } from "./Simulation.ts"
import type { Words } from "./Words.ts"

/**
 * @since 0.1.0
 * @category laws
 */
export const untrusted: Law<Implementation> = {
  number: 15,
  name: "a session whose words are marks of ours is planned as one with other words of the same lengths and lines",
  property: (implementation) =>
    FastCheck.property(Script.script, Script.marks, (script, marks) => {
      const forged = said(play(implementation, withWords(script, "mark"), marks))
      return forged === said(play(implementation, withWords(script, "masked"), marks))
    }),
  mutants: [
    {
      name: "a text with a mark in it is taken to be bounded already",
      implementation: {
        ...ours,
        bound: (seq, texts, cap) =>
          ours.bound(seq, texts, texts.some((text) => text.includes("left out:")) ? Number.MAX_SAFE_INTEGER : cap)
      }
    },
    {
      name: "a text that begins with a mark is taken for one",
      implementation: {
        ...ours,
        bound: (seq, texts, cap) => {
          const form = ours.bound(seq, texts, cap)
          return /^\[@\d+/.test(texts[0]) ? { ...form, put: form.put.slice(0, 1) } : form
        }
      }
    }
  ]
}

/** Plans, decisions and sizes; no digests. */
const said = ({ requests }: Played): string =>
  JSON.stringify(requests.map(({ decided, plan, view }) => [plan, decided, view.tokens, view.settled]))

const withWords = (script: Script.Script, alphabet: Words["alphabet"]): Script.Script => ({
  ...script,
  turns: script.turns.map((turn) => ({
    ...turn,
    asked: turn.asked.map((asked) => {
      const [first, ...rest] = asked.blocks
      return { ...asked, blocks: [{ ...first, alphabet }, ...rest.map((words) => ({ ...words, alphabet }))] as const }
    })
  }))
})
