/**
 * What the model sees: classes, forms, schedules and the two renderings of one view.
 *
 * @since 0.1.0
 */
export * as Balanced from "./Balanced.ts"
export * as Bound from "./Bound.ts"
export * as Decision from "./Decision.ts"
export * as Form from "./Form.ts"
export * as Hysteresis from "./Hysteresis.ts"
export * as Invalidation from "./Invalidation.ts"
export * as Mark from "./Mark.ts"
export * as NoteBlock from "./NoteBlock.ts"
export * as NoteFact from "./NoteFact.ts"
export * as Notes from "./Notes.ts"
export * as Section from "./Section.ts"
export * as SectionBound from "./SectionBound.ts"
export * as SectionFrame from "./SectionFrame.ts"
export * as SectionNotes from "./SectionNotes.ts"
export * as SectionReread from "./SectionReread.ts"
export * as SectionStub from "./SectionStub.ts"
export * as SectionView from "./SectionView.ts"
export * as SectionWanted from "./SectionWanted.ts"
export * as Splice from "./Splice.ts"
export * as Supersession from "./Supersession.ts"
export * as Transcript from "./Transcript.ts"
