/**
 * Platforms: what the file system under a policy takes for one name. A value that is passed in, as a policy says the same
 * on every machine; nothing here looks at the machine that it runs on.
 *
 * Laws kept here: 12 (aliases).
 *
 * @since 0.1.0
 */

/**
 * `separators` are the characters that part the segments of a path. `/\` stands for the whole Windows reading: a `\\?\`
 * prefix goes, and so do dots and spaces at the end of a segment.
 *
 * `caseFolding` says that names which differ in case alone are one file, and names that are canonically equivalent
 * Unicode as well: file systems that fold the one mostly fold the other, and a deny should cover both.
 *
 * @since 0.1.0
 * @category models
 */
export interface Platform {
  readonly separators: "/" | "/\\"
  readonly caseFolding: boolean
}

/**
 * Every name is its own file. What holds where nobody says otherwise.
 *
 * @since 0.1.0
 * @category platforms
 */
export const posix: Platform = { separators: "/", caseFolding: false }

/**
 * @since 0.1.0
 * @category platforms
 */
export const darwin: Platform = { separators: "/", caseFolding: true }

/**
 * @since 0.1.0
 * @category platforms
 */
export const windows: Platform = { separators: "/\\", caseFolding: true }
