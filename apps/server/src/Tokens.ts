/**
 * Tokens: made of 32 random bytes, shown once, and kept as their digest alone. A token has one scope; `write` may also
 * read, and `admin` may do all.
 *
 *     plt_…43 characters… ── SHA-256 ──> {name, scope, sha256}      what a file of tokens holds
 *
 * A token is compared by its digest, in constant time, with every one that is known. As its bytes are random, its digest
 * needs no salt and no slow hash.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { Scope } from "@palimpsest/api/Failures"
import { Digest } from "@palimpsest/ledger/Ids"

/**
 * A token as it is kept.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Token = Schema.Struct({
  name: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)),
  scope: Scope,
  sha256: Digest
}).annotations({ parseOptions: { onExcessProperty: "error" } })
/** @since 0.1.0 */
export type Token = typeof Token.Type

/**
 * What a file of tokens holds, as JSON: `{"tokens": [...]}`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Document = Schema.Struct({ tokens: Schema.Array(Token) }).annotations({
  parseOptions: { onExcessProperty: "error" }
})

/**
 * Reads a file of tokens, or says what is wrong with it, without any of its content.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode = (text: string): Either.Either<ReadonlyArray<Token>, string> => {
  const json = Either.try({ try: (): unknown => JSON.parse(text), catch: () => "not JSON" })
  return Either.flatMap(json, (value) =>
    Either.mapBoth(decodeDocument(value), {
      onLeft: (error) =>
        ParseResult.ArrayFormatter.formatErrorSync(error)
          .map(({ path }) => `${path.length === 0 ? "the document" : path.join(".")} is not as expected`)
          .join("; "),
      onRight: ({ tokens }) => tokens
    })
  )
}

/**
 * The text of a file of tokens.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode = (tokens: ReadonlyArray<Token>): string => `${JSON.stringify({ tokens }, undefined, 2)}\n`

/**
 * Makes a token: the secret, to be shown once, and what is kept of it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (name: string, scope: Scope): { readonly secret: Redacted.Redacted; readonly token: Token } => {
  const secret = `plt_${randomBytes(32).toString("base64url")}`
  return {
    secret: Redacted.make(secret),
    token: { name, scope, sha256: Digest.make(digestOf(secret).toString("hex")) }
  }
}

/**
 * The token that a secret is of; undefined where it is of none. Every known one is compared, whichever fits.
 *
 * @since 0.1.0
 * @category comparing
 */
export const find = (tokens: ReadonlyArray<Token>, secret: Redacted.Redacted): Token | undefined => {
  const digest = digestOf(Redacted.value(secret))
  let found: Token | undefined
  for (const token of tokens) {
    if (timingSafeEqual(digest, Buffer.from(token.sha256, "hex"))) found = token
  }
  return found
}

/**
 * Whether a scope reaches as far as another.
 *
 * @since 0.1.0
 * @category predicates
 */
export const reaches = (has: Scope, needs: Scope): boolean => RANK[has] >= RANK[needs]

const digestOf = (secret: string): Buffer => createHash("sha256").update(secret).digest()

const RANK: Readonly<Record<Scope, number>> = { read: 0, write: 1, admin: 2 }

const decodeDocument = Schema.decodeUnknownEither(Document)
