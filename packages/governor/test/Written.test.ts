import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type { Digest } from "@palimpsest/ledger/Ids"
import * as Written from "../src/Written.ts"
import { hash } from "./support/Hash.ts"
import { encode } from "./support/Sessions.ts"

/** A message: an object of a view, and the bytes that it renders to. Two objects may render alike. */
interface Part {
  readonly text: string
}

/** What a request does to the list before it: keeps some of it (in the same objects, or as copies), and adds. */
const request = FastCheck.record({
  keep: FastCheck.nat({ max: 8 }),
  copies: FastCheck.boolean(),
  add: FastCheck.array(FastCheck.constantFrom("a", "b", "é", ""), { maxLength: 4 })
})

const histories = FastCheck.array(request, { minLength: 1, maxLength: 8 }).map((requests) => {
  let list: ReadonlyArray<Part> = []
  return requests.map(({ add, copies, keep }) => {
    const kept = list.slice(0, keep).map((part) => (copies ? { ...part } : part))
    return (list = [...kept, ...add.map((text) => ({ text }))])
  })
})

type Next = (before: Written.Written<Part>, parts: ReadonlyArray<Part>) => ReturnType<typeof ours>

const ours = (before: Written.Written<Part>, parts: ReadonlyArray<Part>) =>
  Effect.runSync(Written.next(hash, before, parts, ({ text }) => Effect.succeed(text)))

/** From scratch: every message digested, the chain folded, and `from` where the two lists of digests part. */
const plain = (before: ReadonlyArray<Part>, parts: ReadonlyArray<Part>) => {
  const digests = parts.map(({ text }) => hash(encode(text)))
  const chain: Array<Digest> = []
  for (const digest of digests) chain.push(hash(encode(`${chain.at(-1) ?? ""}${digest}`)))
  const parted = parts.findIndex((part, i) => part.text !== before[i]?.text)
  return { digests, chain, from: parted < 0 ? parts.length : parted }
}

const law = (next: Next) =>
  FastCheck.property(histories, (history) => {
    let written: Written.Written<Part> = Written.nothing
    let replayed: Written.Written<Part> = Written.nothing
    let before: ReadonlyArray<Part> = []
    for (const parts of history) {
      const found = next(written, parts)
      const expected = plain(before, parts)
      replayed = Written.extend(hash, replayed, parts, found.from, found.written.digests.slice(found.from))
      expect(found.from).toBe(expected.from)
      expect(found.written.digests).toEqual(expected.digests)
      expect(found.written.chain).toEqual(expected.chain)
      expect(replayed).toEqual(found.written)
      expect(Written.chainOf(found.written)).toBe(expected.chain.at(-1) ?? "0".repeat(64))
      written = found.written
      before = parts
    }
  })

const MUTANTS: Readonly<Record<string, Next>> = {
  "what stands at the same place is the same": (before, parts) => {
    const found = ours(before, parts)
    const digests = found.written.digests.map((digest, i) => before.digests[i] ?? digest)
    return { ...found, written: { ...found.written, digests } }
  },
  "only the same object is the same message": (before, parts) => {
    const same = parts.findIndex((part, i) => part !== before.parts[i])
    return { ...ours(before, parts), from: same < 0 ? parts.length : same }
  },
  "an old chain is kept beyond what is shared": (before, parts) => {
    const found = ours(before, parts)
    return { ...found, written: { ...found.written, chain: found.written.chain.map((d, i) => before.chain[i] ?? d) } }
  },
  "a shorter list shares all of the longer one": (before, parts) => ({
    ...ours(before, parts),
    from: Math.max(before.parts.length, ours(before, parts).from)
  })
}

describe("law 7: what a request wrote", () => {
  it("digests, chain and `from` are those of a computation from scratch, in whatever objects the messages come", () => {
    FastCheck.assert(law(ours), { numRuns: 150 })
  })

  it("tells every mutant apart", () => {
    for (const [name, mutant] of Object.entries(MUTANTS)) {
      expect(FastCheck.check(law(mutant), { numRuns: 500, seed: 7 }).failed, name).toBe(true)
    }
  })

  it("renders only what is not the same object at the same place", () => {
    const rendered: Array<string> = []
    const next = (before: Written.Written<Part>, parts: ReadonlyArray<Part>) =>
      Effect.runSync(Written.next(hash, before, parts, ({ text }) => Effect.sync(() => (rendered.push(text), text))))
        .written
    const [a, b, c] = ["a", "b", "c"].map((text): Part => ({ text }))
    const first = next(Written.nothing, [a!, b!])
    next(first, [a!, b!, c!])
    next(first, [c!, b!])
    expect(rendered).toEqual(["a", "b", "c", "c"])
  })
})
