/** What must hold of the requests of a run, as readers of their messages see them. Each gives the requests that break it. */
import * as Validate from "@palimpsest/transcript/Validate"
import type { Config } from "../../src/Config.ts"
import { estimateOf } from "./Account.ts"
import type { Line } from "./Governed.ts"
import type { Json } from "./Json.ts"

type Requests = ReadonlyArray<number>

/** Law 5: neither within the ceiling nor refused for it, or told a wrong estimate. */
export const over = (lines: ReadonlyArray<Line>, ceiling: number): Requests =>
  lines
    .filter(({ estimate, messages, refused }) => {
      if (refused !== undefined) return refused.need <= ceiling || refused.have !== ceiling
      const recomputed = estimateOf(messages)
      return recomputed > ceiling || recomputed !== estimate
    })
    .map(({ request }) => request)

/** Law 6: no continuation of the request before it, although no epoch began. */
export const unstable = (lines: ReadonlyArray<Line>): Requests => {
  const sent = lines.filter(({ refused }) => refused === undefined)
  const keys = sent.map(({ messages }) => messages.map((message) => JSON.stringify(message)))
  return sent.slice(1).flatMap((line, i) => {
    const isContinued = keys[i]!.every((key, k) => key === keys[i + 1]![k])
    return line.epoch === sent[i]!.epoch && !isContinued ? [line.request] : []
  })
}

/** Law 8: what a provider would refuse. A lone surrogate is the source's own: only our own presets mend it. */
export const unpaired = (lines: ReadonlyArray<Line>, shape: Config["shape"]): Requests =>
  lines
    .filter(({ messages }) => {
      const faults = shape === "anthropic" ? Validate.anthropic(messages) : Validate.openAiChat(messages)
      return faults.some(({ rule }) => rule !== "unicode")
    })
    .map(({ request }) => request)

export const isResult = (message: Json): boolean =>
  message["role"] === "tool" || JSON.stringify(message["content"]).includes('"tool_result"')
