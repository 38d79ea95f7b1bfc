/**
 * The name that an entry of a folder really has. On a file system that folds case, or the forms of Unicode, or has short
 * names, one file answers to several; a rule is written for one of them.
 *
 * Listing a folder for every read would be dear, so it is listed only where the name could have variants: where it answers
 * with the case of its letters turned around, or has something in it that is folded elsewhere.
 */

/** A folder, as it is asked here: the identity of what a name is of, and all its names. */
export interface Folder {
  readonly identityOf: (name: string) => string | undefined
  readonly list: () => ReadonlyArray<string>
}

/** `folds` says whether the folder answers to more than the real name. */
export interface Named {
  readonly name: string
  readonly folds: boolean
}

/** Undefined where the folder has nothing of that identity any more. */
export const entryName = (folder: Folder, name: string, identity: string): Named | undefined => {
  const turned = turnedCase(name)
  const folds = turned !== name && folder.identityOf(turned) === identity
  if (!folds && isPlain(name)) return { name, folds }
  const all = folder.list()
  if (all.includes(name)) return { name, folds }
  const same = (entry: string) => folder.identityOf(entry) === identity
  const key = folded(name)
  const real = all.find((entry) => folded(entry) === key && same(entry)) ?? all.find(same)
  return real === undefined ? undefined : { name: real, folds: true }
}

/** One form for all the spellings that file systems take for one. */
export const folded = (name: string): string => name.normalize("NFKC").toLowerCase().toUpperCase()

const turnedCase = (name: string): string =>
  name.replace(/[A-Za-z]/g, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase()))

/** Letters, digits and the like of ASCII alone; no `~` of a short name; no end that Windows leaves off. */
const isPlain = (name: string): boolean => /^[\x21-\x7d]+(?: +[\x21-\x7d]+)*$/.test(name) && !name.endsWith(".")
