/**
 * The words of the preset `io-harness` for what it leaves out, to the byte.
 *
 * These texts break law 4 (no stub says where the entry is) and law 6 (a refused stub names the current step and a collapse
 * counts, so both change near the front every turn); IO-W6, IO-W7 and IO-W9 are the seed's and kept. The decisions that
 * put them carry the address.
 *
 * Source: IO-22, IO-28, IO-31, IO-32; a re-read's heading, IO-24.
 *
 * @since 0.1.0
 */
import type { Kind } from "@palimpsest/ledger/Observation"
import { commas } from "./SectionBound.ts"
import { subjectOf } from "./SectionFrame.ts"

/**
 * A later observation of the same kind and target, at `step`, replaced it.
 *
 * @since 0.1.0
 * @category words
 */
export const superseded = (kind: Kind, target: string | undefined, step: number): string =>
  stub(kind, target, `superseded by the ${subjectOf(kind, undefined)} at step ${step}`)

/**
 * It did not fit. `scalars` is how many scalar values the whole entry has.
 *
 * @since 0.1.0
 * @category words
 */
export const aged = (kind: Kind, target: string | undefined, scalars: number): string =>
  stub(kind, target, `${commas(scalars)} chars, older than the current context window — re-run if you need it`)

/**
 * It is stale since the write at step `written`, and reading it again at `step` was refused: `why`.
 *
 * @since 0.1.0
 * @category words
 */
export const refused = (
  kind: Kind,
  target: string | undefined,
  stale: { readonly written: number; readonly step: number; readonly why: string }
): string =>
  stub(
    kind,
    target,
    `invalidated by the write at step ${stale.written}; the re-read at step ${stale.step} could not be done ` +
      `(${stale.why}) — read it yourself`
  )

/**
 * The one line that stands for all stubs where they would take too much.
 *
 * @since 0.1.0
 * @category words
 */
export const collapse = (stubbed: number): string =>
  `\n[${stubbed} earlier observation(s) elided: superseded, or older than this turn's context window — ` +
  "re-read or re-run what you need]\n"

/**
 * The heading of a stale read that was read again at `step`: first read at step `first`, written at step `written`.
 *
 * @since 0.1.0
 * @category words
 */
export const reread = (
  target: string,
  steps: { readonly step: number; readonly first: number; readonly written: number }
): string =>
  `\n[read ${target}] (re-read at step ${steps.step}; the read at step ${steps.first} was invalidated by the write ` +
  `at step ${steps.written})\n`

const stub = (kind: Kind, target: string | undefined, why: string): string =>
  `\n[${subjectOf(kind, target)}] (elided: ${why})\n`
