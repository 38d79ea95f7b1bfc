/**
 * Upper bounds of tokens that hold, without a tokenizer.
 *
 * A byte-level tokenizer starts from the bytes of a text in UTF-8 and only ever merges them: a text has no more tokens
 * than bytes. A request on the wire is such a text: each role and separator that the provider puts in as a token has a
 * key or a bracket of its own there, each character of a content is there in at least as many bytes, escaped or not. So
 * the bytes of the body bound all text in it. What is not in the body is added by name: media, which are counted by their
 * dimensions and not by their base64, and what the provider adds itself (a system prompt for tools).
 *
 * Laws kept here: 5 (a bound that is proven), 10. Source: DESIGN section 6, mending IO-W15 and IO-W16; field reports B70,
 * B78.
 *
 * @since 0.1.0
 */

/**
 * A request. `bodyBytes`: its body in UTF-8, tools and system included, less the encoded data of media. `mediaTokens`: those,
 * by `Media`. `added`: tokens that the provider puts in itself.
 *
 * @since 0.1.0
 * @category models
 */
export interface RequestSize {
  readonly bodyBytes: number
  readonly mediaTokens: number
  readonly added: number
}

/**
 * More tokens than this no request of the size has.
 *
 * @since 0.1.0
 * @category bounds
 */
export const ofRequest = ({ added, bodyBytes, mediaTokens }: RequestSize): number => bodyBytes + mediaTokens + added
