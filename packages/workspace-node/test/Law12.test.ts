import * as FastCheck from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import * as path from "node:path"
import * as Disk from "./support/Disk.ts"
import { MUTANTS, OURS, type Reader } from "./support/Readers.ts"
import * as Swapper from "./support/Swapper.ts"
import * as Trees from "./support/Trees.ts"

const NAME = "no read returns bytes of a denied target under generated file systems with links and concurrent swaps"

const isLeak = (text: string | undefined) => text !== undefined && !text.startsWith("OPEN ")

/** Swaps in the middle of a read, each right after policy was asked: every interleaving of check and read comes up. */
const swapped = (reader: Reader, given = { allowed: 0 }) =>
  FastCheck.property(Trees.tree, FastCheck.constantFrom(...Trees.TARGETS), (tree, first) => {
    const disk = Disk.make()
    try {
      Trees.build(disk, tree)
      const policy = Trees.swapping(disk, tree)
      return reader.within(disk.root, (read) =>
        [first, ...Trees.TARGETS].every((target) => {
          const text = read(policy, target)
          if (text !== undefined) given.allowed++
          return !isLeak(text)
        })
      )
    } finally {
      Disk.remove(disk)
    }
  })

/** Swaps by another thread, whenever it likes. */
const concurrent = (reader: Reader, rounds: number) =>
  FastCheck.asyncProperty(Trees.tree, async (tree) => {
    const disk = Disk.make()
    Trees.build(disk, tree)
    const at = (name: string) => path.join(disk.root, name)
    const swapping = await Swapper.start([
      { path: at("open/a"), links: ["../private/a", path.join(disk.outside, "a")], hard: [at("private/b")] },
      { path: at("open/deep"), links: ["../private", "../../outside/deep"] },
      { path: at("l1"), links: ["open", "private", disk.outside, "open/key.pem"] }
    ])
    try {
      return reader.within(disk.root, (read) => {
        for (let i = 0; i < rounds; i++) {
          for (const target of Trees.TARGETS) if (isLeak(read(Disk.HOUSE, target))) return false
        }
        return true
      })
    } finally {
      await swapping.stop()
      Disk.remove(disk)
    }
  })

describe(`law 12: ${NAME}`, () => {
  for (const reader of OURS) {
    it(`${reader.name}: swapped after each time that policy was asked`, () => {
      const given = { allowed: 0 }
      FastCheck.assert(swapped(reader, given), { numRuns: 150 })
      expect(given.allowed).toBeGreaterThan(300)
    })

    it(`${reader.name}: swapped by another thread`, async () => {
      await FastCheck.assert(concurrent(reader, 12), { numRuns: 8 })
    })
  }

  for (const mutant of MUTANTS) {
    it(`mutant: it ${mutant.name}: dies`, () => {
      expect(FastCheck.check(swapped(mutant), { numRuns: 500, seed: 12, endOnFailure: true }).failed).toBe(true)
    })
  }
})
