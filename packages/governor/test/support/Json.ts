/** Reading JSON that nobody has promised anything about, with nothing of the project. */

export type Json = { readonly [key: string]: unknown }

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {})

export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const stringOf = (value: unknown): string => (typeof value === "string" ? value : "")

export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A copy in which one leaf (the n-th, counted from 0 and around) is what `change` makes of it. */
export const withLeaf = (value: unknown, n: number, change: (leaf: string | number) => unknown): unknown => {
  const count = leaves(value)
  let at = 0
  const wanted = count === 0 ? 0 : n % count
  const go = (part: unknown): unknown => {
    if (typeof part === "string" || typeof part === "number") return at++ === wanted ? change(part) : part
    if (Array.isArray(part)) return part.map(go)
    return isObject(part) ? Object.fromEntries(Object.entries(part).map(([key, held]) => [key, go(held)])) : part
  }
  return go(value)
}

/** A copy in which one object (the n-th, counted from 0 and around) has a key more. */
export const withKey = (value: unknown, n: number, key: string): unknown => {
  const count = objects(value)
  let at = 0
  const go = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(go)
    if (!isObject(part)) return part
    const mine = at++ === n % count ? { [key]: true } : {}
    return { ...Object.fromEntries(Object.entries(part).map(([name, held]) => [name, go(held)])), ...mine }
  }
  return go(value)
}

const leaves = (value: unknown): number => {
  if (typeof value === "string" || typeof value === "number") return 1
  return parts(value).reduce<number>((sum, part) => sum + leaves(part), 0)
}

const objects = (value: unknown): number =>
  (isObject(value) ? 1 : 0) + parts(value).reduce<number>((sum, part) => sum + objects(part), 0)

const parts = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : isObject(value) ? Object.values(value) : []
