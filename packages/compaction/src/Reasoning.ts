/**
 * When reasoning has to come back, and what a rewrite does to it: a table per provider and model (law 8). Reasoning is sent
 * back byte for byte, or goes whole; an unknown model gets the strictest rule.
 *
 *     free          kept or dropped, as one likes
 *     loop-bound    since the user's last words nothing of it is dropped; a closed loop may lose its own whole
 *     prefix-bound  valid only behind exactly what it was made behind: a rewrite at p ends all of it after p
 *     item-bound    it stays or leaves with everything of its response
 *
 * Facts of the providers' documentation up to autumn 2026; each row names what it is about.
 *
 * @since 0.1.0
 */

/**
 * What binds reasoning.
 *
 * @since 0.1.0
 * @category models
 */
export type Rule = "free" | "loop-bound" | "prefix-bound" | "item-bound"

/**
 * The rule of a model, by its name as a request names it. What no row knows is `prefix-bound`.
 *
 * @since 0.1.0
 * @category rules
 */
export const ruleOf = (model: string | undefined): Rule => {
  const name = model?.toLowerCase() ?? ""
  return ROWS.find(({ models }) => models.test(name))?.rule ?? "prefix-bound"
}

interface Row {
  readonly rule: Rule
  readonly models: RegExp
}

/** The first row that matches holds. */
const ROWS: ReadonlyArray<Row> = [
  // Preserved thinking: Claude Fable and Mythos from 5.1, Opus, Sonnet and Haiku from 5.5; all of later major versions.
  { rule: "prefix-bound", models: /claude-(?:fable|mythos)-(?:5[-.][1-9]|[6-9]|\d\d)/ },
  { rule: "prefix-bound", models: /claude-(?:opus|sonnet|haiku)-(?:5[-.][5-9]|[6-9](?:\D|$)|[1-9]\d(?:\D|$))/ },
  // Manual extended thinking of the Claude models before those.
  { rule: "loop-bound", models: /claude-(?:3|opus-[345]|sonnet-[345]|haiku-[345]|fable-[1-5]|mythos-[1-5])/ },
  // Reasoning items of the Responses API.
  { rule: "item-bound", models: /^(?:openai\/)?(?:o[1-9]|gpt-5|gpt-6|codex)/ },
  // Chat completions and open models send no reasoning back, or ignore it.
  { rule: "free", models: /gpt-[34]|qwen|llama|mistral|deepseek|glm|kimi|minimax|gemini|grok|gemma|phi-/ }
]
