/** A store as lines of JSON: what each run is called and where it ends, its events and its bodies. */
import { readFileSync } from "node:fs"
import type { Digest, LogId, Seq, TreeId } from "@palimpsest/ledger/Ids"
import { objectOf, stringOf } from "../support/Json.ts"
import { decode, encode } from "../support/Sessions.ts"
import type { Kept, KeptLog } from "../support/Store.ts"

export const FILES = ["live.jsonl", "sessions.jsonl"] as const

export interface Golden {
  readonly kept: Kept
  readonly requests: Readonly<Record<string, number>>
}

export const pathOf = (name: string): URL => new URL(name, import.meta.url)

export const text = ({ bodies, logs }: Kept, requests: Golden["requests"]): string =>
  [
    ...logs.flatMap(({ events, head, log, tree }) => [
      { _: "log", tree, log, seq: head.seq, head: head.digest, requests: requests[log] ?? 0 },
      ...events.map(({ bytes, digest }) => ({ _: "event", digest, event: decode(bytes) }))
    ]),
    ...bodies.map(({ bytes, digest, media, tree }) => {
      const said = decode(bytes)
      const isText = Buffer.compare(encode(said), bytes) === 0
      return {
        _: "body",
        tree,
        digest,
        media,
        ...(isText ? { text: said } : { base64: Buffer.from(bytes).toString("base64") })
      }
    })
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("")

export const read = (name: string): Golden => {
  const logs: Array<KeptLog & { readonly requests: number }> = []
  const bodies: Array<Kept["bodies"][number]> = []
  for (const line of readFileSync(pathOf(name), "utf8").trimEnd().split("\n")) {
    const given = objectOf(JSON.parse(line))
    const tree = given["tree"] as TreeId
    const digest = given["digest"] as Digest
    if (given["_"] === "log") {
      const head = { seq: Number(given["seq"]), digest: given["head"] as Digest }
      logs.push({ tree, log: given["log"] as LogId, head, events: [], requests: Number(given["requests"]) })
    } else if (given["_"] === "event") {
      const event = stringOf(given["event"])
      const { id, seq } = objectOf(JSON.parse(event))
      const last = logs.at(-1)!
      const sealed = { seq: Number(seq) as Seq, id: stringOf(id), digest, bytes: encode(event) }
      logs[logs.length - 1] = { ...last, events: [...last.events, sealed] }
    } else {
      const bytes =
        given["text"] === undefined
          ? new Uint8Array(Buffer.from(stringOf(given["base64"]), "base64"))
          : encode(stringOf(given["text"]))
      bodies.push({ tree, digest, media: stringOf(given["media"]), bytes })
    }
  }
  return { kept: { logs, bodies }, requests: Object.fromEntries(logs.map(({ log, requests }) => [log, requests])) }
}
