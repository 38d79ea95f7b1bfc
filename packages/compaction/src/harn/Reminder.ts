/**
 * Reminders: words that a harness repeats to the model for a number of turns. Pure lists; the oldest come first.
 *
 * @since 0.1.0
 */

/**
 * `ttlTurns` is how many more turns it stands; absent, until a compaction ends it. Of those with one `dedupeKey` the
 * newest stands.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reminder {
  readonly text: string
  readonly ttlTurns?: number
  readonly dedupeKey?: string
  readonly preserveOnCompact?: boolean
}

/**
 * The list with one more: it takes the newest place, and the place of one with its key.
 *
 * @since 0.1.0
 * @category changes
 */
export const add = (reminders: ReadonlyArray<Reminder>, reminder: Reminder): ReadonlyArray<Reminder> =>
  dedupe([...reminders, reminder])

/**
 * One reminder for each key, the newest.
 *
 * @since 0.1.0
 * @category changes
 */
export const dedupe = (reminders: ReadonlyArray<Reminder>): ReadonlyArray<Reminder> =>
  reminders.filter(
    ({ dedupeKey }, at) =>
      dedupeKey === undefined || reminders.findLastIndex((other) => other.dedupeKey === dedupeKey) === at
  )

/**
 * The list after a turn: those whose turns are over are gone.
 *
 * @since 0.1.0
 * @category changes
 */
export const afterTurn = (reminders: ReadonlyArray<Reminder>): ReadonlyArray<Reminder> =>
  reminders.flatMap((reminder) => {
    if (reminder.ttlTurns === undefined) return [reminder]
    return reminder.ttlTurns > 1 ? [{ ...reminder, ttlTurns: reminder.ttlTurns - 1 }] : []
  })

/**
 * The list after a compaction: only what is to outlive one.
 *
 * @since 0.1.0
 * @category changes
 */
export const afterCompaction = (reminders: ReadonlyArray<Reminder>): ReadonlyArray<Reminder> =>
  dedupe(reminders).filter(({ preserveOnCompact }) => preserveOnCompact === true)
