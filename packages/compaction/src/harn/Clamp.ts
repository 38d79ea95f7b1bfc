/**
 * Oversized results in the part that stays: each is compressed by the host, or microcompacted; calls, ids and all that is
 * not text stay, so pairs stay whole. The three newest pinned messages are left alone.
 *
 * Mended: HA-W1 (the messages given are never changed, so a refusal later has nothing to restore) and HA-W2 (the text of a
 * result in blocks is clamped as one text, however many blocks it came in).
 *
 * @since 0.1.0
 */
import { bytesOf } from "./Bytes.ts"
import { pinnedAt } from "./Mask.ts"
import { type Block, isList, isObject, isResult, type Json, type Message, textIn } from "./Message.ts"
import { microcompact } from "./Microcompact.ts"

/**
 * A host's own way to shorten an output; undefined, or a text that is no shorter, leaves it to microcompaction.
 *
 * @since 0.1.0
 * @category models
 */
export type CompressCallback = (text: string, max: number) => string | undefined

/**
 * The messages after the clamp, and which of them it changed. `droppedBytes` counts what is no longer shown; where a host
 * compressed, how much shorter it became.
 *
 * @since 0.1.0
 * @category models
 */
export interface Clamped {
  readonly messages: ReadonlyArray<Message>
  readonly changes: ReadonlyArray<{ readonly at: number; readonly droppedBytes: number }>
}

/**
 * Kept messages with every result in about `max` bytes; 0 leaves all as they are.
 *
 * @since 0.1.0
 * @category forms
 */
export const clamp = (messages: ReadonlyArray<Message>, max: number, compress?: CompressCallback): Clamped => {
  if (max === 0) return { messages, changes: [] }
  const pinned = pinnedAt(messages)
  const changes: Array<{ at: number; droppedBytes: number }> = []
  const clamped = messages.map((message, at) => {
    if (pinned.has(at) || !isResult(message)) return message
    const next = clampMessage(message, max, compress)
    if (next.droppedBytes > 0) changes.push({ at, droppedBytes: next.droppedBytes })
    return next.message
  })
  return { messages: clamped, changes }
}

const clampMessage = (
  message: Message,
  max: number,
  compress: CompressCallback | undefined
): { readonly message: Message; readonly droppedBytes: number } => {
  const { content } = message
  if (content === null) return { message, droppedBytes: 0 }
  const inBlocks = typeof content !== "string" && content.some(({ type }) => type === "tool_result")
  if (!inBlocks) {
    const next = clampContent(content, max, compress)
    return next === undefined
      ? { message, droppedBytes: 0 }
      : { message: { ...message, content: next.content }, ...next.dropped }
  }
  let droppedBytes = 0
  const blocks = content.map((block): Block => {
    if (block.type !== "tool_result" || !isContent(block.content)) return block
    const next = clampContent(block.content, max, compress)
    if (next === undefined) return block
    droppedBytes += next.dropped.droppedBytes
    return { ...block, content: next.content }
  })
  return droppedBytes === 0 ? { message, droppedBytes } : { message: { ...message, content: blocks }, droppedBytes }
}

type Content = string | ReadonlyArray<Block>

const isContent = (value: Json | undefined): value is Content =>
  typeof value === "string" || (isList(value) && value.every((item) => isObject(item) && typeof item.type === "string"))

const clampContent = (
  content: Content,
  max: number,
  compress: CompressCallback | undefined
): { readonly content: Content; readonly dropped: { readonly droppedBytes: number } } | undefined => {
  const whole = typeof content === "string" ? content : textIn(content.filter(isText))
  const size = bytesOf(whole)
  if (size <= max) return undefined
  const own = compress?.(whole, max)
  const taken = own !== undefined && bytesOf(own) < size
  const { text, droppedBytes } = taken ? { text: own, droppedBytes: size - bytesOf(own) } : microcompact(whole, max)
  if (droppedBytes === 0) return undefined
  return { content: typeof content === "string" ? text : oneText(content, text), dropped: { droppedBytes } }
}

const isText = (block: Block): boolean => block.type === "text"

/** The blocks with one text where their first text stood. */
const oneText = (blocks: ReadonlyArray<Block>, text: string): ReadonlyArray<Block> => {
  const first = blocks.findIndex(isText)
  return blocks.flatMap((block, at) => (at === first ? [{ ...block, text }] : isText(block) ? [] : [block]))
}
