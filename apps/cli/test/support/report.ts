/** The JSON of `govern`, as its readers take it. */
export interface Figures {
  readonly requests: number
  readonly refused: number
  readonly tokens: { readonly raw: number; readonly governed: number }
  readonly cost: { readonly raw: number; readonly governed: number; readonly ratio: number }
  readonly cachedShare: number
  readonly peakTokens: number
  readonly rewrites: number
  readonly elided: Readonly<Record<string, number>>
  readonly recorded?: { readonly requests: number; readonly tokens: number }
}

export interface RunFigures extends Figures {
  readonly run: string
  readonly parent?: string
  readonly head: string
}

export interface Report {
  readonly runs: ReadonlyArray<RunFigures>
  readonly total: Figures
  readonly new: number
  readonly partial?: { readonly line: number; readonly why: string }
  readonly audit: {
    readonly events: number
    readonly bodies: number
    readonly requests: number
    readonly differ: number
    readonly head: string
  }
}
