/** The trace rows of a turn (IO-33). */
import type { Assembled, TraceRow } from "../Section.ts"
import type { NotesBlock } from "../SectionNotes.ts"
import type { Fit } from "./SectionFit.ts"
import type { SectionIndex } from "./SectionIndex.ts"

export const rowsOf = (
  index: SectionIndex,
  read: Fit["read"],
  notes: NotesBlock,
  assembled: Assembled
): ReadonlyArray<TraceRow> => {
  const rows: Array<TraceRow> = []
  for (const at of [...read.keys()].sort((a, b) => a - b)) rows.push(rereadRow(index, read, at))
  if (notes.of > 0) rows.push({ kind: "memory_recall", detail: `${notes.recalled} of ${notes.of} note(s) carried` })
  rows.push({ kind: "assembled", detail: detailOf(assembled), estTokens: assembled.estTokens })
  return rows
}

const rereadRow = (index: SectionIndex, read: Fit["read"], at: number): TraceRow => {
  const shape = read.get(at)
  const target = index.target(at) ?? ""
  return shape?._tag === "Refused"
    ? { kind: "reread_refused", detail: `${target}: ${shape.why}` }
    : { kind: "reread", detail: `${target} (written at step ${index.step(index.invalidatedBy[at]!)})` }
}

const detailOf = ({ carried, collapsed, recalled, reread, stubbed }: Assembled): string =>
  `carried=${carried} stubbed=${stubbed} reread=${reread} recalled=${recalled} collapsed=${collapsed}`
