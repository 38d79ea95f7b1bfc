/**
 * Sentences in the project's own words, for comments, thoughts and remarks of the example sessions. They mean little,
 * which is the point: nothing in an example may depend on what the repository says today.
 */

const NOUNS = [
  "entry",
  "view",
  "epoch",
  "decision",
  "address",
  "body",
  "digest",
  "reservation",
  "verdict",
  "ledger",
  "event",
  "run",
  "step",
  "subject",
  "coverage",
  "splice",
  "stub",
  "pointer",
  "recap",
  "request",
  "account",
  "limit",
  "ceiling",
  "line",
  "head",
  "chain",
  "record",
  "layer",
  "rule",
  "form"
]
const STATES = [
  "whole",
  "bounded",
  "superseded",
  "pinned",
  "pending",
  "fresh",
  "spent",
  "stale",
  "canonical",
  "persistent",
  "elided",
  "recorded",
  "measured",
  "narrowed",
  "settled",
  "duplicated"
]
const DEEDS = [
  "carries",
  "names",
  "covers",
  "replaces",
  "refuses",
  "invalidates",
  "resolves",
  "extends",
  "settles",
  "bounds",
  "renders",
  "appends",
  "recalls",
  "shares",
  "verifies",
  "orders"
]
const WHENS = [
  "before the request is rendered",
  "once per batch",
  "after the last write",
  "while the call is in flight",
  "only at the boundary",
  "in the order of the log",
  "without copying the text",
  "as long as its address resolves",
  "when the prefix changes anyway",
  "under the policy of now",
  "whatever the preset says",
  "and never in between",
  "so that two machines agree",
  "before anything refers to it",
  "and says where it failed",
  "unless a pin holds it"
]

/** @typedef {import("./random.mjs").Random} Random */

/** A word of the project, as a name in code. @param {Random} random */
export const noun = (random) => random.pick(NOUNS)

/** @param {Random} random */
export const state = (random) => random.pick(STATES)

/** @param {Random} random */
export const deed = (random) => random.pick(DEEDS)

/** One sentence. @param {Random} random */
export const sentence = (random) => {
  const subject = `${random.pick(["A", "Each", "The", "No", "Every"])} ${state(random)} ${noun(random)}`
  return `${subject} ${deed(random)} the ${noun(random)} ${random.pick(WHENS)}.`
}

/** A paragraph of `count` sentences. @param {Random} random @param {number} count */
export const paragraph = (random, count) => Array.from({ length: count }, () => sentence(random)).join(" ")

/** @param {string} word */
export const capital = (word) => word[0].toUpperCase() + word.slice(1)
