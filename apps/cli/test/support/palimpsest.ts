/** The built program, run as a person runs it: a process of its own for each command. */
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** `PALIMPSEST_PROGRAM` names another build than the one in `dist`. */
export const PROGRAM: string =
  process.env["PALIMPSEST_PROGRAM"] ?? fileURLToPath(new URL("../../dist/palimpsest.js", import.meta.url))

export interface Outcome {
  readonly code: number | null
  readonly stdout: Buffer
  readonly stderr: string
}

export interface Where {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** Runs a command. Whatever it is given, it never answers with a stack trace. */
export const palimpsest = async (args: ReadonlyArray<string>, { cwd, env }: Where = {}): Promise<Outcome> => {
  const outcome = await spawned(args, cwd, { ...process.env, PALIMPSEST_DB: undefined, ...env })
  const shown = outcome.code === 0 ? outcome.stderr : outcome.stderr + outcome.stdout.toString("utf8")
  if (/^\s+at .*[:(]\d+|fault of the program/m.test(shown)) {
    throw new Error(`palimpsest ${args.join(" ")} gave a stack trace:\n${shown}`)
  }
  return outcome
}

/** The JSON that a command prints; it must end well. */
export const json = async <A>(args: ReadonlyArray<string>, where?: Where): Promise<A> => {
  const { code, stderr, stdout } = await palimpsest([...args, "--json"], where)
  if (code !== 0) throw new Error(`palimpsest ${args.join(" ")} exited ${code}: ${stderr}`)
  return JSON.parse(stdout.toString("utf8"))
}

/** What a command prints, as text; it must end well. */
export const printed = async (args: ReadonlyArray<string>, where?: Where): Promise<string> => {
  const { code, stderr, stdout } = await palimpsest(args, where)
  if (code !== 0) throw new Error(`palimpsest ${args.join(" ")} exited ${code}: ${stderr}`)
  return stdout.toString("utf8")
}

const spawned = (args: ReadonlyArray<string>, cwd: string | undefined, env: NodeJS.ProcessEnv): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] })
    const out: Array<Buffer> = []
    const err: Array<Buffer> = []
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk))
    child.stderr.on("data", (chunk: Buffer) => err.push(chunk))
    child.on("error", reject)
    child.on("close", (code) =>
      resolve({ code, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString("utf8") })
    )
  })
