import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as Redacted from "effect/Redacted"
import * as fs from "node:fs"
import * as path from "node:path"
import { describe as group } from "vitest"
import { LogId } from "@palimpsest/ledger/Ids"
import * as Guard from "../src/Guard.ts"
import { isLoopback } from "../src/Settings.ts"
import * as Tokens from "../src/Tokens.ts"
import { ask, json, send } from "./support/Raw.ts"
import { balanced, RUN, user } from "./support/Runs.ts"
import * as Server from "../src/Server.ts"
import { clientOf, fresh, logged, optionsOf, quiet, serve, sqlOn, stalled, temporaryFile } from "./support/Serving.ts"

const RUNS = "/api/v1/runs"

const made = { read: Tokens.make("r", "read"), write: Tokens.make("w", "write"), admin: Tokens.make("a", "admin") }
const tokens = [made.read.token, made.write.token, made.admin.token]
const secretOf = (scope: keyof typeof made) => Redacted.value(made[scope].secret)

group("loopback by default; on any other address a token is required", () => {
  it.scopedLive("on an address that others can reach, a server without tokens does not start", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      for (const host of ["0.0.0.0", "::", "192.0.2.1"]) {
        const refused = yield* Effect.flip(serve(filename, { host }))
        expect(refused._tag).toBe("NotStarted")
        expect((yield* Effect.flip(serve(filename, { host, tokens: [] })))._tag).toBe("NotStarted")
      }
      expect(fs.existsSync(filename)).toBe(false)
    }).pipe(Effect.provide(quiet))
  )

  it("loopback is 127.0.0.0/8, ::1 and localhost, and nothing that looks like it", () => {
    expect(["127.0.0.1", "127.9.9.9", "::1", "localhost"].every(isLoopback)).toBe(true)
    expect(["127.0.0.1.example", "0.0.0.0", "::", "localhost.example", "127.1", ""].some(isLoopback)).toBe(false)
  })

  it.scopedLive("on another address every path but the probes takes one", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh({ host: "0.0.0.0", tokens })
      const at = { ...server, host: "127.0.0.1" }
      for (const open of ["/health", "/ready"]) expect((yield* ask(at, open)).status).toBe(200)
      for (const closed of [RUNS, "/docs", "/openapi.json", `${RUNS}/x/live`, "/api/v1/notes?workspace=w"]) {
        expect([closed, (yield* ask(at, closed)).status]).toEqual([closed, 401])
        const headers = { authorization: `Bearer ${secretOf("read")}` }
        expect([closed, (yield* ask(at, closed, { headers })).status]).not.toEqual([closed, 401])
      }
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("a port that is taken is said so", () =>
    Effect.gen(function* () {
      const { filename, server } = yield* fresh()
      expect((yield* Effect.flip(serve(filename, { port: server.port }))).message).toContain("EADDRINUSE")
    }).pipe(Effect.provide(quiet))
  )
})

group("tokens are scoped, compared in constant time, and kept as digests alone", () => {
  it.scopedLive("read reads, write also writes, admin also answers for others", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh({ tokens })
      const [read, write, admin] = yield* Effect.forEach(["read", "write", "admin"] as const, (scope) =>
        clientOf(server, secretOf(scope))
      )
      if (read === undefined || write === undefined || admin === undefined) throw new Error("three clients")
      const payload = { run: RUN, config: balanced() }
      expect((yield* Effect.flip(read.runs.begin({ payload })))._tag).toBe("Forbidden")
      yield* write.runs.begin({ payload })
      expect((yield* read.runs.list({ urlParams: {} })).items.length).toBe(1)
      const answer = { path: { run: RUN, asked: 9 }, payload: { answer: { _tag: "Approve" } } } as const
      expect((yield* Effect.flip(write.approvals.answer(answer)))._tag).toBe("Forbidden")
      expect((yield* Effect.flip(admin.approvals.answer(answer)))._tag).toBe("NotFound")
      const stranger = yield* clientOf(server, Redacted.value(Tokens.make("x", "admin").secret))
      expect((yield* Effect.flip(stranger.runs.list({ urlParams: {} })))._tag).toBe("Unauthorized")
    }).pipe(Effect.provide(quiet))
  )

  it("no part of a token, longer or shorter, other case, nor its digest, is the token", () => {
    const secret = secretOf("write")
    const wrong = ["", secret.slice(0, -1), `${secret}x`, secret.toUpperCase(), made.write.token.sha256, ` ${secret}`]
    for (const other of wrong) expect(Tokens.find(tokens, Redacted.make(other))).toBeUndefined()
    expect(Tokens.find(tokens, Redacted.make(secret))).toEqual(made.write.token)
  })

  it("digests are compared by timingSafeEqual, all of them, wherever the right one stands", () => {
    const source = fs.readFileSync(path.join(import.meta.dirname, "../src/Tokens.ts"), "utf8")
    const body = source.slice(source.indexOf("export const find"), source.indexOf("export const reaches"))
    expect(body).toContain("timingSafeEqual")
    expect(body).not.toMatch(/\bbreak\b|===|\.find\(|\.some\(/)
    for (const scope of ["read", "write", "admin"] as const) {
      expect(Tokens.find(tokens, made[scope].secret)?.scope).toBe(scope)
    }
  })

  it("what is kept of a token is its digest: the secret is not in it, and not to be got from it", () => {
    const text = Tokens.encode(tokens)
    for (const scope of ["read", "write", "admin"] as const) {
      expect(text).not.toContain(secretOf(scope))
      expect(text).not.toContain(secretOf(scope).slice(4))
    }
    expect(Tokens.decode(text)).toMatchObject({ _tag: "Right", right: tokens })
  })

  it("a file of tokens is read strictly, and a complaint about it says nothing of its content", () => {
    const bad = [
      "{",
      "[]",
      '{"tokens":[{"name":"a","scope":"root","sha256":"secret-text"}]}',
      '{"tokens":[],"more":"secret-text"}'
    ]
    for (const text of bad) {
      const decoded = Tokens.decode(text)
      expect(decoded._tag).toBe("Left")
      expect(JSON.stringify(decoded)).not.toContain("secret-text")
    }
  })
})

group("Host and Origin are checked", () => {
  it.scopedLive("DNS rebinding: a page that reached loopback under its own name is refused", () =>
    Effect.gen(function* () {
      const { client, server } = yield* fresh()
      const rebound = [
        "evil.example",
        `evil.example:${server.port}`,
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "192.0.2.1"
      ]
      for (const host of rebound) {
        expect([host, (yield* ask(server, RUNS, { headers: { host } })).status]).toEqual([host, 403])
        const begin = json({ run: "r", config: balanced() })
        expect((yield* ask(server, RUNS, { ...begin, headers: { ...begin.headers, host } })).status).toBe(403)
        expect((yield* ask(server, "/docs", { headers: { host } })).status).toBe(403)
      }
      expect((yield* client.runs.list({ urlParams: {} })).items).toEqual([])
      for (const host of [
        `localhost:${server.port}`,
        `127.0.0.1:${server.port}`,
        `[::1]:${server.port}`,
        "LOCALHOST"
      ]) {
        expect([host, (yield* ask(server, RUNS, { headers: { host } })).status]).toEqual([host, 200])
      }
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("a name that was let in is let in; a request without a name is not", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh({ hosts: ["agents.example"] })
      expect((yield* ask(server, RUNS, { headers: { host: "agents.example" } })).status).toBe(200)
      expect(yield* send(server, "GET /api/v1/runs HTTP/1.1\r\nConnection: close\r\n\r\n")).toContain(" 400 ")
      expect(yield* send(server, "GET /api/v1/runs HTTP/1.0\r\n\r\n")).toContain(" 403 ")
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("a page of another origin is refused, and gets no leave to read the answer", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh()
      for (const origin of ["http://evil.example", "null", "http://localhost:1", `https://127.0.0.1.evil.example`]) {
        const answer = yield* ask(server, RUNS, { headers: { origin } })
        expect([origin, answer.status]).toEqual([origin, 403])
        expect(answer.headers["access-control-allow-origin"]).toBeUndefined()
        const before = yield* ask(server, RUNS, {
          method: "OPTIONS",
          headers: { origin, "access-control-request-method": "POST" }
        })
        expect(before.status).toBe(403)
      }
      expect((yield* ask(server, RUNS, { headers: { "sec-fetch-site": "cross-site" } })).status).toBe(403)
      const origin = `http://127.0.0.1:${server.port}`
      expect((yield* ask(server, RUNS, { headers: { origin } })).status).toBe(200)
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("an origin that was let in by name is, and only that one", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh({ origins: ["https://inspect.example"] })
      const answer = yield* ask(server, RUNS, { headers: { origin: "https://inspect.example" } })
      expect(answer.status).toBe(200)
      expect(answer.headers["access-control-allow-origin"]).toBe("https://inspect.example")
      expect((yield* ask(server, RUNS, { headers: { origin: "http://inspect.example" } })).status).toBe(403)
    }).pipe(Effect.provide(quiet))
  )

  it("on another address a plain address is no name that could be rebound", () => {
    const settings = { host: "0.0.0.0", hosts: ["agents.example"], origins: [] }
    for (const host of ["192.0.2.7:7373", "[2001:db8::1]:7373", "agents.example:7373"]) {
      expect(Guard.complaint(settings, { host })).toBeUndefined()
    }
    expect(Guard.complaint(settings, { host: "evil.example" })?.by).toBe("host")
  })

  it.scopedLive("a form of a page cannot write: only application/json is taken", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh()
      const types = [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonx",
        ""
      ]
      for (const type of types) {
        const asked = { method: "POST", headers: { "content-type": type }, body: JSON.stringify({ run: "r" }) }
        expect([type, (yield* ask(server, RUNS, asked)).status]).toEqual([type, 415])
      }
    }).pipe(Effect.provide(quiet))
  )
})

group("body, header and time limits", () => {
  it.scopedLive(
    "a body that is too large is refused, and so is one that does not say how large it is; nothing of them is kept",
    () =>
      Effect.gen(function* () {
        const { client, server } = yield* fresh({ limits: { body: 100_000 } })
        yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
        const large = json({ id: "b1", entries: [user("x".repeat(150_000))] })
        const answer = yield* ask(server, `${RUNS}/${RUN}/entries`, large)
        expect(answer.status).toBe(413)
        expect(JSON.parse(answer.body)).toMatchObject({ _tag: "TooLarge", most: 100_000 })
        const silent = "Host: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
        expect(yield* send(server, `POST ${RUNS} HTTP/1.1\r\n${silent}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`)).toContain(" 411 ")
        const lying = yield* send(
          server,
          `POST ${RUNS}/${RUN}/entries HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{`
        )
        expect(lying).toContain(" 413 ")
        expect((yield* client.reading.events({ path: { run: RUN }, urlParams: {} })).items.length).toBe(1)
        const fits = json({ id: "b1", entries: [user("x".repeat(50_000))] })
        expect((yield* ask(server, `${RUNS}/${RUN}/entries`, fits)).status).toBe(201)
      }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("headers that are too large are refused", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh({ limits: { headers: 4_096 } })
      expect((yield* ask(server, RUNS, { headers: { "x-large": "x".repeat(8_192) } })).status).toBe(431)
      expect((yield* ask(server, `${RUNS}?after=${"x".repeat(8_192)}`)).status).toBe(431)
      expect((yield* ask(server, RUNS)).status).toBe(200)
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("headers or a body that never end are given up", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh({ limits: { headersWithin: 300, bodyWithin: 300 } })
      expect(yield* send(server, "GET /api/v1/runs HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")).toContain(" 408 ")
      const open = "Host: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{"
      expect(yield* send(server, `POST ${RUNS} HTTP/1.1\r\n${open}`)).not.toContain(" 201 ")
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("an answer that takes too long is given up with a 503", () =>
    Effect.gen(function* () {
      const filename = yield* temporaryFile
      const server = yield* Server.start(optionsOf({ limits: { answerWithin: 100 } }), stalled(filename))
      const answer = yield* ask(server, RUNS)
      expect(answer.status).toBe(503)
      expect(JSON.parse(answer.body)._tag).toBe("Unavailable")
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("what is no JSON, and what does not fit its schema, is a 400 that says where", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh()
      const broken = { ...json({}), body: '{"run":' }
      expect((yield* ask(server, RUNS, broken)).status).toBe(400)
      const answer = yield* ask(server, RUNS, json({ run: "r", config: balanced(), extra: 1 }))
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.body)).toMatchObject({ _tag: "HttpApiDecodeError", issues: [{ path: ["extra"] }] })
      for (const query of ["limit=0", "limit=501", "limit=x", "more=1"]) {
        expect([query, (yield* ask(server, `${RUNS}?${query}`)).status]).toEqual([query, 400])
      }
    }).pipe(Effect.provide(quiet))
  )
})

group("no secret in a log, an error or the database; the database file is 0600", () => {
  it.scopedLive("a token that comes in any way is in no answer, no line of the log and no file", () =>
    Effect.gen(function* () {
      const { layer, lines } = logged()
      const filename = yield* temporaryFile
      const secret = secretOf("write")
      const wrong = Redacted.value(Tokens.make("x", "read").secret)
      const answers: Array<string> = []
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* serve(filename, { tokens })
          const authorization = `Bearer ${secret}`
          const begin = json({ run: "r", config: balanced() })
          const all = [
            yield* ask(server, RUNS, { ...begin, headers: { ...begin.headers, authorization } }),
            yield* ask(server, RUNS, { headers: { authorization: `Bearer ${wrong}` } }),
            yield* ask(server, RUNS, { headers: { authorization: `Basic ${secret}` } }),
            yield* ask(server, `${RUNS}?token=${secret}`, { headers: { authorization } }),
            yield* ask(server, `/${secret}`, { headers: { authorization } }),
            yield* ask(server, RUNS, {
              headers: { authorization, cookie: `t=${secret}`, origin: "http://evil.example" }
            }),
            yield* ask(server, "/docs", { headers: { authorization } })
          ]
          expect(all.map(({ status }) => status)).toEqual([201, 401, 401, 400, 404, 403, 200])
          answers.push(...all.map(({ body, headers }) => JSON.stringify([body, headers])))
        })
      ).pipe(Effect.provide(layer), Logger.withMinimumLogLevel(LogLevel.All))
      expect(lines.length).toBeGreaterThan(5)
      const files = fs
        .readdirSync(path.dirname(filename))
        .map((name) => fs.readFileSync(path.join(path.dirname(filename), name)).toString("latin1"))
      for (const text of [...answers, ...lines, ...files]) {
        for (const one of [secret, wrong]) expect(text.includes(one.slice(4))).toBe(false)
      }
    })
  )

  it.scopedLive("a store that fails is said to fail, without its path or its driver's words", () =>
    Effect.gen(function* () {
      const { layer, lines } = logged()
      const filename = yield* temporaryFile
      fs.writeFileSync(filename, "no database at all, and long enough to be read as one ".repeat(40))
      const refused = yield* Effect.flip(serve(filename))
      expect(refused._tag).toBe("StoreError")
      const answers = yield* Effect.scoped(
        Effect.gen(function* () {
          const { client, filename, server } = yield* fresh()
          yield* client.runs.begin({ payload: { run: LogId.make("r"), config: balanced() } })
          yield* sqlOn(filename, "ALTER TABLE events RENAME TO elsewhere")
          return yield* Effect.all([ask(server, `${RUNS}/r`), ask(server, `${RUNS}/r/audit`)])
        })
      ).pipe(Effect.provide(layer))
      for (const { body, status } of answers) {
        expect(status).toBe(503)
        expect(body).not.toMatch(/sqlite|store\.db|events|at .*\.ts/i)
      }
      expect(lines.some((line) => line.includes("the store failed"))).toBe(true)
    })
  )

  it.scopedLive("no answer holds a stack, not even that of a fault", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh()
      for (const path of [
        `${RUNS}/%`,
        `${RUNS}/%00`,
        "/api/v1/recall?address=%ff",
        "//",
        "/api/v1/runs/..%2f..%2fetc"
      ]) {
        const { body, status } = yield* ask(server, path)
        expect([path, status < 500, /at .+:\d+:\d+/.test(body)]).toEqual([path, true, false])
      }
    }).pipe(Effect.provide(quiet))
  )

  it.scopedLive("the database and what stands beside it can be read by its owner alone", () =>
    Effect.gen(function* () {
      const { client, filename } = yield* fresh()
      yield* client.runs.begin({ payload: { run: RUN, config: balanced() } })
      const folder = path.dirname(filename)
      const modes = fs.readdirSync(folder).map((name) => [name, fs.statSync(path.join(folder, name)).mode & 0o777])
      expect(modes.length).toBeGreaterThan(1)
      for (const [name, mode] of modes) expect([name, mode]).toEqual([name, 0o600])
    }).pipe(Effect.provide(quiet))
  )

  it("a cause that is printed holds no token", () => {
    expect(Cause.pretty(Cause.die(made.read.secret))).not.toContain(secretOf("read"))
  })
})

describe("every answer", () => {
  it.scopedLive("says that it is what it says, is not to be kept, and may not run anything", () =>
    Effect.gen(function* () {
      const { server } = yield* fresh()
      for (const path of [RUNS, "/docs", "/openapi.json", "/health", "/nowhere", `${RUNS}/none`]) {
        const { headers } = yield* ask(server, path)
        expect([path, headers["x-content-type-options"], headers["cache-control"]]).toEqual([
          path,
          "nosniff",
          "no-store"
        ])
        expect(headers["content-security-policy"]).toContain("default-src 'none'")
      }
    }).pipe(Effect.provide(quiet))
  )
})
