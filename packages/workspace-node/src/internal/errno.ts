/** The code of an error that the system gave, such as `ENOENT`; undefined for any other error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined

/** Nothing stands at a path. A name too long for the file system is of nothing as well. */
export const isMissing = (code: string): boolean => code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG"

/** What stood there a moment ago is another thing now: the portable way of a swap between two looks. */
export const isSwapped = (code: string): boolean => code === "ELOOP" || code === "EINVAL" || code === "ESTALE"
