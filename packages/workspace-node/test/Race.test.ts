/** B98, IO-W21: what stands at a path is swapped between the check and the read, by another thread, all the time. */
import { describe, expect, it } from "vitest"
import * as path from "node:path"
import * as Disk from "./support/Disk.ts"
import { CHECK_THEN_READ, OURS, type Reader } from "./support/Readers.ts"
import * as Swapper from "./support/Swapper.ts"

interface Raced {
  readonly reads: number
  readonly allowed: number
  readonly leaked: ReadonlyArray<string>
  readonly swaps: number
}

/** Reads while the swapper swaps, until something leaks or the reads and milliseconds are through. */
const race = async (
  reader: Reader,
  target: string,
  swap: (disk: Disk.Disk) => Swapper.Swap,
  most: { readonly reads: number; readonly milliseconds: number }
): Promise<Raced> => {
  const disk = Disk.make()
  Disk.write(disk.root, { "open/f": "OPEN", "private/f": "DENIED", "private/key": "DENIED" })
  Disk.write(disk.outside, { f: "OUTSIDE" })
  const swapping = await Swapper.start([swap(disk)])
  try {
    return reader.within(disk.root, (read) => {
      const end = performance.now() + most.milliseconds
      const leaked: Array<string> = []
      let [reads, allowed] = [0, 0]
      while (leaked.length === 0 && reads < most.reads && performance.now() < end) {
        const text = read(Disk.HOUSE, target)
        reads++
        if (text === "OPEN") allowed++
        else if (text !== undefined) leaked.push(text)
      }
      return { reads, allowed, leaked, swaps: swapping.count() }
    })
  } finally {
    await swapping.stop()
    Disk.remove(disk)
  }
}

const SWAPS: Readonly<Record<string, (disk: Disk.Disk) => Swapper.Swap>> = {
  "a file, for a link to a file outside": ({ outside, root }) => ({
    path: path.join(root, "open/f"),
    links: [path.join(outside, "f"), "../../outside/f"]
  }),
  "a file, for a link to a denied file inside": ({ root }) => ({
    path: path.join(root, "open/f"),
    links: ["../private/key"]
  }),
  "its folder, for a link to a denied folder": ({ root }) => ({ path: path.join(root, "open"), links: ["private"] }),
  "its folder, for a link to a folder outside": ({ outside, root }) => ({
    path: path.join(root, "open"),
    links: [outside]
  }),
  "a file, for a hard link to a denied one and to one outside": ({ outside, root }) => ({
    path: path.join(root, "open/f"),
    links: [],
    hard: [path.join(root, "private/key"), path.join(outside, "f")]
  })
}

for (const [name, swap] of Object.entries(SWAPS)) {
  describe(`law 12: swapped between check and read: ${name}`, () => {
    for (const reader of OURS) {
      it(reader.name, async () => {
        const raced = await race(reader, "open/f", swap, { reads: 20_000, milliseconds: 1_200 })
        expect(raced.leaked).toEqual([])
        // It was a race, and it was not won by refusing everything.
        expect(raced.swaps).toBeGreaterThan(20)
        expect(raced.allowed).toBeGreaterThan(0)
      })
    }

    it(`mutant: it ${CHECK_THEN_READ?.name} dies`, async () => {
      const raced = await race(CHECK_THEN_READ!, "open/f", swap, { reads: 10_000_000, milliseconds: 40_000 })
      expect(raced.leaked).toHaveLength(1)
    })
  })
}
