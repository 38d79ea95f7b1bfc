/** The files of the repository: those that git tracks, and those that it would. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The root of the repository. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url))

/** The paths of all files, relative to the root, sorted. */
export const paths = (): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: ROOT, encoding: "utf8" })
    .split("\0")
    .filter((path) => path !== "" && existsSync(join(ROOT, path)))
    .sort()

/** The text of a file; none where it holds a NUL, as a database or a picture does. */
export const textOf = (path: string): string | undefined => {
  const bytes = readFileSync(join(ROOT, path))
  return bytes.includes(0) ? undefined : bytes.toString("utf8")
}
