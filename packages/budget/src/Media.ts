/**
 * Media tokens: what an image costs, by its dimensions. Never by its encoded bytes, which are up to a thousand times as
 * many, and never nothing.
 *
 * | rule      | tokens                                                                         |
 * | --------- | ------------------------------------------------------------------------------ |
 * | anthropic | w x h / 750, after the long edge is fitted to 1,568 and the whole to 1,600 tokens |
 * | tiles     | base + each 512 px tile, after fitting to 2,048 square and the short edge to 768  |
 * | patches   | 32 px patches, at most 1,536, times a factor of the model                       |
 *
 * The rules are providers' documentation put in a table; a provider that is not known gets the dearest. An image whose
 * size is not known gets the most that its rule can come to.
 *
 * Laws kept here: 5, 7, 11. Source: field reports B70, B72, B73.
 *
 * @since 0.1.0
 */

/**
 * How a provider counts an image. Factors are in hundredths.
 *
 * @since 0.1.0
 * @category models
 */
export type MediaRule =
  | { readonly _tag: "Area"; readonly pixelsPerToken: number; readonly longEdge: number; readonly most: number }
  | { readonly _tag: "Tiles"; readonly base: number; readonly tile: number }
  | { readonly _tag: "Patches"; readonly most: number; readonly factor: number }

/**
 * Pixels. `detail: "low"` is a request for the flat price that tile rules have.
 *
 * @since 0.1.0
 * @category models
 */
export interface Image {
  readonly width: number
  readonly height: number
  readonly detail?: "low" | "high"
}

/**
 * Rules by family of model.
 *
 * @since 0.1.0
 * @category constants
 */
export const RULES = {
  anthropic: { _tag: "Area", pixelsPerToken: 750, longEdge: 1_568, most: 1_600 },
  "openai-tiles": { _tag: "Tiles", base: 85, tile: 170 },
  "openai-patches": { _tag: "Patches", most: 1_536, factor: 100 },
  "openai-patches-mini": { _tag: "Patches", most: 1_536, factor: 162 },
  "openai-patches-nano": { _tag: "Patches", most: 1_536, factor: 246 }
} as const satisfies { readonly [family: string]: MediaRule }

/**
 * The tokens of an image. A size that is none (not whole pixels, or not positive) gets the most that the rule can give.
 *
 * @since 0.1.0
 * @category tokens
 */
export const tokensOf = (rule: MediaRule, image: Image | undefined): number => {
  if (image === undefined || !isSize(image.width) || !isSize(image.height)) return mostOf(rule)
  const { detail, height, width } = image
  switch (rule._tag) {
    case "Area": {
      const fit = Math.min(1, rule.longEdge / Math.max(width, height))
      return Math.max(1, Math.min(rule.most, Math.ceil((width * fit * height * fit) / rule.pixelsPerToken)))
    }
    case "Tiles": {
      if (detail === "low") return rule.base
      const square = Math.min(1, 2_048 / Math.max(width, height))
      const short = Math.min(1, 768 / (Math.min(width, height) * square))
      const across = (edge: number) => Math.ceil(Math.max(1, edge * square * short) / 512)
      return rule.base + rule.tile * across(width) * across(height)
    }
    case "Patches":
      return Math.ceil((Math.min(rule.most, Math.ceil(width / 32) * Math.ceil(height / 32)) * rule.factor) / 100)
  }
}

/**
 * The tokens of an image of which the provider is not known: the dearest of all rules.
 *
 * @since 0.1.0
 * @category tokens
 */
export const dearest = (image: Image | undefined): number =>
  Math.max(...Object.values(RULES).map((rule) => tokensOf(rule, image)))

/** The most that a rule can come to, whatever the image. */
const mostOf = (rule: MediaRule): number => {
  switch (rule._tag) {
    case "Area":
      return rule.most
    case "Tiles":
      return rule.base + rule.tile * 8
    case "Patches":
      return Math.ceil((rule.most * rule.factor) / 100)
  }
}

const isSize = (pixels: number): boolean => Number.isSafeInteger(pixels) && pixels > 0
