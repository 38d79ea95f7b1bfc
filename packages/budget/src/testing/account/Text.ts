/**
 * Values as text that does not depend on the order of their keys.
 *
 * @since 0.1.0
 */

/**
 * @since 0.1.0
 * @category comparing
 */
export const text = (value: unknown): string => JSON.stringify(sorted(value))

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part)])
  )
}
