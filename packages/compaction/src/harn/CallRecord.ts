/**
 * One call of the summariser as it is recorded: an event for the request, and the manifest that its hash resolves to. The
 * record of a call is there whether the call succeeded or not, one for each.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { Digest } from "@palimpsest/ledger/Ids"
import type { Hasher } from "@palimpsest/ledger/Sha256"
import { transformed } from "./Compose.ts"
import { contentHash, Manifest, ManifestMismatch, reconcile, sizeOf } from "./Manifest.ts"
import type { Request } from "./Summarizer.ts"

const Bytes = Schema.NonNegativeInt

/**
 * @since 0.1.0
 * @category models
 */
export const CallRecord = Schema.Struct({
  request: Schema.Struct({
    type: Schema.Literal("provider_call_request"),
    call_role: Schema.Literal("compaction"),
    served_context: Schema.Struct({
      system_prompt_bytes: Bytes,
      message_count: Bytes,
      messages: Schema.Array(Schema.Struct({ role: Schema.String, bytes: Bytes, digest: Digest })),
      manifest_content_hash: Digest
    })
  }),
  manifest: Schema.Struct({ type: Schema.Literal("context_manifest"), content_hash: Digest, manifest: Manifest })
})
/** @since 0.1.0 */
export interface CallRecord extends Schema.Schema.Type<typeof CallRecord> {}

/**
 * The system prompt of the conversation, for the record that the call went without it.
 *
 * @since 0.1.0
 * @category models
 */
export type SystemPrompt = { readonly text: string; readonly segments: Manifest["segments"] }

/**
 * The record of a request.
 *
 * @since 0.1.0
 * @category constructors
 */
export const recordOf = (
  hash: Hasher,
  request: Request,
  actorChain: ReadonlyArray<string> = [],
  system: SystemPrompt = { text: "", segments: [] }
): CallRecord => {
  const place = {
    boundary: "llm_request_payload_egress",
    callRole: request.callRole,
    actorChain,
    tools: []
  } as const
  const manifest = transformed(hash, place, system, SENT)
  const content_hash = contentHash(hash, manifest)
  return {
    request: {
      type: "provider_call_request",
      call_role: request.callRole,
      served_context: {
        system_prompt_bytes: manifest.system_prompt_bytes,
        message_count: request.messages.length,
        messages: request.messages.map(({ role, content }) => ({ role, ...sizeOf(hash, content) })),
        manifest_content_hash: content_hash
      }
    },
    manifest: { type: "context_manifest", content_hash, manifest }
  }
}

/**
 * Nothing, where a record says exactly what was sent.
 *
 * @since 0.1.0
 * @category validation
 */
export const reconcileCall = (
  hash: Hasher,
  record: CallRecord,
  sent: Request
): Either.Either<void, ManifestMismatch> => {
  const { served_context: served, call_role } = record.request
  const { manifest, content_hash } = record.manifest
  const messages = sent.messages.map(({ role, content }) => ({ role, ...sizeOf(hash, content) }))
  const same =
    served.message_count === messages.length &&
    served.messages.length === messages.length &&
    served.messages.every(
      ({ role, bytes, digest }, i) =>
        role === messages[i]?.role && bytes === messages[i]?.bytes && digest === messages[i]?.digest
    )
  if (!same) return mismatch("other messages were sent")
  if (call_role !== sent.callRole || manifest.call_role !== sent.callRole) return mismatch("another call was sent")
  if (content_hash !== contentHash(hash, manifest) || served.manifest_content_hash !== content_hash)
    return mismatch("the hash resolves to another manifest")
  if (served.system_prompt_bytes !== manifest.system_prompt_bytes) return mismatch("two sizes of the system prompt")
  return reconcile(hash, manifest, SENT)
}

/** A request of the port has no system prompt. */
const SENT = ""

const mismatch = (why: string): Either.Either<never, ManifestMismatch> => Either.left(new ManifestMismatch({ why }))
