import * as Effect from "effect/Effect"
import * as Http from "node:http"
import * as Net from "node:net"
import type * as Server from "../../src/Server.ts"

export interface Answer {
  readonly status: number
  readonly headers: Http.IncomingHttpHeaders
  readonly body: string
}

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A request as no browser and no client would send it: any header, any body. */
export const ask = (server: Server.Started, path: string, asked: Asked = {}): Effect.Effect<Answer, unknown> =>
  Effect.async<Answer, unknown>((resume) => {
    const { body, headers = {}, method = "GET" } = asked
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const request = Http.request(
      { host: server.host, port: server.port, path, method, headers: { ...length, ...headers }, agent: false },
      (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        const end = () =>
          resume(
            Effect.succeed({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: Buffer.concat(chunks).toString()
            })
          )
        response.on("end", end)
        response.on("error", end)
      }
    )
    request.on("error", (error) => resume(Effect.fail(error)))
    request.end(body)
  })

/** Sends bytes as they are, and gives what comes back until the other side closes. */
export const send = (server: Server.Started, text: string): Effect.Effect<string> =>
  Effect.async<string>((resume) => {
    const socket = Net.connect(server.port, server.host, () => socket.write(text))
    let said = ""
    socket.on("data", (chunk: Buffer) => (said += chunk.toString()))
    socket.on("error", () => undefined)
    socket.on("close", () => resume(Effect.succeed(said)))
  })

export const json = (value: unknown): Asked => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify(value)
})
