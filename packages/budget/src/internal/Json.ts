/**
 * Reading counts out of other people's JSON. Null is how some write a missing field.
 */
import * as Measure from "../Measure.ts"

export const fieldAt = (json: unknown, key: string): unknown =>
  isRecord(json) && Object.hasOwn(json, key) ? (json[key] ?? undefined) : undefined

export const countAt = (json: unknown, key: string): Measure.Measure => {
  const value = fieldAt(json, key)
  if (value === undefined) return Measure.unmeasured(`no ${key}`)
  return typeof value === "number" ? Measure.measured(value) : Measure.unmeasured(`${key} is no number`)
}

const isRecord = (json: unknown): json is { readonly [key: string]: unknown } =>
  typeof json === "object" && json !== null
