/**
 * The wildcard matcher: two indices that only ever return to the newest `*`, because an earlier `*` that took more
 * could not make a match which the newest one cannot. At most (longest part between two `*`) x (target) steps, so it is
 * linear in the target; nothing here can blow up.
 *
 * `?` and `*` move by Unicode scalar values. Literal parts may be compared by code unit since patterns are well-formed.
 */
export const matchesWildcard = (pattern: string, target: string): boolean => {
  let p = 0
  let t = 0
  let afterStar = -1
  let resume = 0
  while (t < target.length) {
    const code = p < pattern.length ? pattern.charCodeAt(p) : END
    if (code === STAR) {
      p++
      if (p === pattern.length) return true
      afterStar = p
      resume = t
    } else if (code === QUESTION) {
      p++
      t += widthAt(target, t)
    } else if (code === target.charCodeAt(t)) {
      p++
      t++
    } else if (afterStar === -1) {
      return false
    } else {
      resume += widthAt(target, resume)
      t = resume
      p = afterStar
    }
  }
  while (p < pattern.length && pattern.charCodeAt(p) === STAR) p++
  return p === pattern.length
}

const widthAt = (text: string, index: number): 1 | 2 => {
  const high = text.charCodeAt(index)
  if (high < 0xd800 || high > 0xdbff) return 1
  const low = text.charCodeAt(index + 1)
  return low >= 0xdc00 && low <= 0xdfff ? 2 : 1
}

const STAR = 0x2a
const QUESTION = 0x3f
const END = -1
