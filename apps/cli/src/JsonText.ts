/**
 * JSON with its places: the value of a text, and the line and column at which each part of it begins. What `JSON.parse`
 * lets pass in silence is refused here: a key that stands twice, of which it would keep the last.
 */
import * as Either from "effect/Either"

/** A place in a text, both from 1; columns are UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

export interface Malformed extends Place {
  readonly why: string
}

export interface Parsed {
  readonly value: unknown
  /** Where the part begins that these keys lead to, or, where there is none, the nearest one around it. */
  readonly placeOf: (keys: ReadonlyArray<PropertyKey>) => Place
}

export const parse = (text: string): Either.Either<Parsed, Malformed> => {
  const scanner = new Scanner(text)
  const wrong = scanner.document()
  if (wrong !== undefined) return Either.left({ ...placeAt(text, wrong.at), why: wrong.why })
  return Either.right({
    value: JSON.parse(text),
    placeOf: (keys) => {
      for (let length = keys.length; length >= 0; length--) {
        const at = scanner.starts.get(nameOf(keys.slice(0, length)))
        if (at !== undefined) return placeAt(text, at)
      }
      return { line: 1, column: 1 }
    }
  })
}

interface Wrong {
  readonly at: number
  readonly why: string
}

class Scanner {
  readonly starts = new Map<string, number>()
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  document(): Wrong | undefined {
    const wrong = this.value([])
    if (wrong !== undefined) return wrong
    this.blank()
    return this.at < this.text.length ? this.wrong("nothing more") : undefined
  }

  private value(keys: ReadonlyArray<PropertyKey>): Wrong | undefined {
    this.blank()
    this.starts.set(nameOf(keys), this.at)
    if (keys.length > DEEPEST) return { at: this.at, why: `nested deeper than ${DEEPEST}` }
    if (this.take("{")) return this.list("}", () => this.member(keys))
    if (this.take("[")) return this.list("]", (i) => this.value([...keys, i]))
    return this.match(SCALAR) === undefined ? this.wrong("a value") : undefined
  }

  private member(keys: ReadonlyArray<PropertyKey>): Wrong | undefined {
    this.blank()
    const start = this.at
    const written = this.match(STRING)
    if (written === undefined) return this.wrong("a key in double quotes")
    const key: string = JSON.parse(written)
    const path = [...keys, key]
    if (this.starts.has(nameOf(path))) return { at: start, why: `the key ${written} stands here twice` }
    this.blank()
    if (!this.take(":")) return this.wrong('":"')
    const wrong = this.value(path)
    // A fault of a member is shown where its line of the file begins to speak of it.
    this.starts.set(nameOf(path), start)
    return wrong
  }

  private list(end: string, item: (i: number) => Wrong | undefined): Wrong | undefined {
    this.blank()
    if (this.take(end)) return undefined
    for (let i = 0; ; i++) {
      const wrong = item(i)
      if (wrong !== undefined) return wrong
      this.blank()
      if (this.take(end)) return undefined
      if (!this.take(",")) return this.wrong(`"," or "${end}"`)
    }
  }

  private take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    this.at += found?.length ?? 0
    return found
  }

  private blank(): void {
    this.match(BLANK)
  }

  private wrong(expected: string): Wrong {
    const point = this.text.codePointAt(this.at)
    return {
      at: this.at,
      why: `expected ${expected}, got ${point === undefined ? "the end" : JSON.stringify(String.fromCodePoint(point))}`
    }
  }
}

const nameOf = (keys: ReadonlyArray<PropertyKey>): string =>
  JSON.stringify(keys.map((key) => [typeof key, String(key)]))

const placeAt = (text: string, at: number): Place => {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/)
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 }
}

const BLANK = /[\t\n\r ]*/y
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = new RegExp(`${STRING.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`, "y")
const DEEPEST = 100
