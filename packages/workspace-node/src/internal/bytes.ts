/** The bytes of an open file, no more than it says it has, and whether they are text. */
import * as fs from "node:fs"

/** All bytes of a file of this size; undefined where it turns out to have more, or fewer. */
export const readWhole = (descriptor: number, size: number): Uint8Array | undefined => {
  const bytes = new Uint8Array(size + 1)
  let at = 0
  for (;;) {
    const read = fs.readSync(descriptor, bytes, at, bytes.length - at, at)
    if (read === 0) break
    at += read
    if (at > size) return undefined
  }
  return at === size ? bytes.subarray(0, size) : undefined
}

/** The text that the bytes are, a byte order mark included; undefined where they are no UTF-8, or have a NUL. */
export const textOf = (bytes: Uint8Array): string | undefined => {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
