/**
 * What an answer that is no success says: what, where, what was expected, and by its status who has to do something about
 * it. 4xx is the caller's, 5xx the server's or its database's. None carries a secret, a path of the server's or a stack.
 *
 * A request that does not fit its schema answers 400 `HttpApiDecodeError` with the place of each fault.
 *
 * @since 0.1.0
 */
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"
import { Digest, LogId } from "@palimpsest/ledger/Ids"
import { optional, struct } from "./internal/strict.ts"

const status = <A>(code: number, description: string) => HttpApiSchema.annotations<A>({ status: code, description })

/**
 * What a token may do: `write` may also read, `admin` may do all.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Scope = Schema.Literal("read", "write", "admin").annotations({ identifier: "Scope" })
/** @since 0.1.0 */
export type Scope = typeof Scope.Type

/**
 * No token came, or none that is known here.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()(
  "Unauthorized",
  {},
  status(401, "No token came, or none that is known here: send `Authorization: Bearer TOKEN`")
) {
  override get message(): string {
    return "no token that is known here: send `Authorization: Bearer TOKEN`"
  }
}

/**
 * The token is known, and does not reach so far; or the request came by a name or from a page that is not let in.
 *
 * @since 0.1.0
 * @category errors
 */
export class Forbidden extends Schema.TaggedError<Forbidden>()(
  "Forbidden",
  { why: Schema.String },
  status(403, "The token does not reach so far, or the Host or Origin is not let in")
) {
  override get message(): string {
    return this.why
  }
}

/**
 * The policy of now does not allow it. `ask` is a refusal where nobody is there to ask (laws 12 and 13).
 *
 * @since 0.1.0
 * @category errors
 */
export class PolicyRefused extends Schema.TaggedError<PolicyRefused>()(
  "PolicyRefused",
  {
    address: Schema.String,
    target: Schema.String,
    ruling: Schema.Literal("ask", "deny"),
    rule: optional(Schema.String),
    layer: optional(Schema.String)
  },
  status(403, "The policy of now does not allow it; the rule and layer that say so are named")
) {
  override get message(): string {
    return `${this.address}: reading ${this.target} is ${this.ruling === "ask" ? "for a person to allow" : "denied"}`
  }
}

/**
 * It is well formed and cannot be done: `field` says which part of the request, `why` what was expected.
 *
 * @since 0.1.0
 * @category errors
 */
export class Invalid extends Schema.TaggedError<Invalid>()(
  "Invalid",
  { field: Schema.String, why: Schema.String },
  status(400, "A part of the request cannot be used")
) {
  override get message(): string {
    return `${this.field}: ${this.why}`
  }
}

/**
 * Nothing has this name.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotFound extends Schema.TaggedError<NotFound>()(
  "NotFound",
  {
    what: Schema.Literal("run", "tree", "request", "entry", "note", "approval"),
    name: Schema.String,
    why: Schema.String
  },
  status(404, "Nothing has this name")
) {
  override get message(): string {
    return `${this.name}: ${this.why}`
  }
}

/**
 * Somebody else was first, and kept being first: the log has moved on. Nothing of the request was kept; try again.
 *
 * @since 0.1.0
 * @category errors
 */
export class Conflict extends Schema.TaggedError<Conflict>()(
  "Conflict",
  { log: LogId, head: struct({ seq: Schema.NonNegativeInt, digest: Digest }) },
  status(409, "The log has moved on; nothing of the request was kept")
) {
  override get message(): string {
    return `${this.log} has moved on: its head is event ${this.head.seq}`
  }
}

/**
 * This id, or this name, was used before for something else.
 *
 * @since 0.1.0
 * @category errors
 */
export class Reused extends Schema.TaggedError<Reused>()(
  "Reused",
  { id: Schema.String, why: Schema.String },
  status(409, "The id or name was used before for something else")
) {
  override get message(): string {
    return `${this.id}: ${this.why}`
  }
}

/**
 * The run cannot go on in this way: a request out of turn (`expected` is the next one), or a run that nobody leads.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutOfTurn extends Schema.TaggedError<OutOfTurn>()(
  "OutOfTurn",
  { run: LogId, expected: optional(Schema.NonNegativeInt), why: Schema.String },
  status(409, "The run cannot go on in this way; `expected` is the number of its next request")
) {
  override get message(): string {
    return `${this.run}: ${this.why}`
  }
}

/**
 * The request, or what it asks for, is larger than `most` bytes.
 *
 * @since 0.1.0
 * @category errors
 */
export class TooLarge extends Schema.TaggedError<TooLarge>()(
  "TooLarge",
  { most: Schema.NonNegativeInt, why: Schema.String },
  status(413, "The request, or what it asks for, is too large")
) {
  override get message(): string {
    return this.why
  }
}

/**
 * The run is not what its head says it is: `seq` is the event that it concerns. `GET /runs/{run}/audit` says more.
 *
 * @since 0.1.0
 * @category errors
 */
export class Damaged extends Schema.TaggedError<Damaged>()(
  "Damaged",
  { log: Schema.String, seq: Schema.NonNegativeInt, why: Schema.String },
  status(500, "A log or a body is not what its digest says it is")
) {
  override get message(): string {
    return `event ${this.seq} of ${this.log}: ${this.why}`
  }
}

/**
 * The server cannot do it now: its database does not answer, it is full, or the server is closing. Try again.
 *
 * @since 0.1.0
 * @category errors
 */
export class Unavailable extends Schema.TaggedError<Unavailable>()(
  "Unavailable",
  { why: Schema.String },
  status(503, "The server cannot do it now; try again")
) {
  override get message(): string {
    return this.why
  }
}

/**
 * This server has no such thing.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotOffered extends Schema.TaggedError<NotOffered>()(
  "NotOffered",
  { what: Schema.String },
  status(501, "This server does not offer it")
) {
  override get message(): string {
    return `this server does not offer ${this.what}`
  }
}

/**
 * What reading anything of a run can come to.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Reading = Schema.Union(NotFound, Damaged, Unavailable)

/**
 * What writing to a run can come to.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Writing = Schema.Union(NotFound, Invalid, Conflict, Reused, OutOfTurn, Damaged, Unavailable)
