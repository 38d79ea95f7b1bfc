/** Names on file systems that fold them: modelled, as few machines have one at hand. */
import { describe, expect, it } from "vitest"
import { entryName } from "../src/internal/entryName.ts"

/** A folder whose look-up ignores what `fold` ignores, and which counts how often it was listed. */
const folder = (names: ReadonlyArray<string>, fold: (name: string) => string) => {
  const listed = { times: 0 }
  const find = (name: string) => names.findIndex((entry) => fold(entry) === fold(name))
  const identityOf = (name: string) => (find(name) === -1 ? undefined : String(find(name)))
  const list = () => {
    listed.times++
    return names
  }
  const named = (name: string) => entryName({ identityOf, list }, name, identityOf(name) ?? "")
  return { named, listed }
}

const exact = (name: string) => name
const lower = (name: string) => name.toLowerCase()

describe("entryName", () => {
  it("where nothing folds, a plain name is itself and the folder is never listed", () => {
    const { listed, named } = folder(["a.ts", "A.TS", "b c"], exact)
    expect(["a.ts", "A.TS", "b c"].map(named)).toEqual(["a.ts", "A.TS", "b c"].map((name) => ({ name, folds: false })))
    expect(listed.times).toBe(0)
  })

  it("where case folds, a variant has the name that its folder spells", () => {
    const { named } = folder([".env", "Private"], lower)
    expect(named(".ENV")).toEqual({ name: ".env", folds: true })
    expect(named("private")).toEqual({ name: "Private", folds: true })
    expect(named(".env")).toEqual({ name: ".env", folds: true })
  })

  it("where forms of Unicode fold, and where short names or ends do", () => {
    const nfc = folder(["caf\u00e9"], (name) => name.normalize("NFC"))
    expect(nfc.named("cafe\u0301")).toEqual({ name: "caf\u00e9", folds: true })
    const kelvin = folder(["key.pem"], lower)
    expect(kelvin.named("\u212aey.pem")?.name).toBe("key.pem")
    const short = folder(["longname.pem"], (name) => (name === "LONGNA~1" ? "longname.pem" : name))
    expect(short.named("LONGNA~1")?.name).toBe("longname.pem")
    const ends = folder(["k.pem"], (name) => name.replace(/[. ]+$/, ""))
    expect(["k.pem.", "k.pem ", "k.pem. ."].map((name) => ends.named(name)?.name)).toEqual(["k.pem", "k.pem", "k.pem"])
  })

  it("what is gone by now has no name", () => {
    expect(entryName({ identityOf: () => undefined, list: () => [] }, "\u00e9", "1")).toBeUndefined()
  })
})
