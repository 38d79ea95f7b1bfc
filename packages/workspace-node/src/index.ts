/**
 * The files that a run works on, confined to one folder and read through the policy of now: a `Workspace` on Node.
 *
 * @since 0.1.0
 */
export * as Answer from "./Answer.ts"
export * as Confined from "./Confined.ts"
export * as Layer from "./Layer.ts"
export * as Root from "./Root.ts"
