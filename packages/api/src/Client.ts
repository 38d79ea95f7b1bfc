/**
 * The client, derived from the contract: one function per endpoint, its errors typed.
 *
 * @since 0.1.0
 */
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import { Api } from "./Api.ts"

/**
 * Where the server is (`http://127.0.0.1:7373`), and the token that it asks for, where it asks for one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  readonly baseUrl: string | URL
  readonly token?: Redacted.Redacted
}

/**
 * The client of a server. It needs an `HttpClient` of the host.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = ({ baseUrl, token }: Options) =>
  HttpApiClient.make(Api, {
    baseUrl,
    transformClient: (client) =>
      token === undefined ? client : HttpClient.mapRequest(client, HttpClientRequest.bearerToken(token))
  })

/**
 * @since 0.1.0
 * @category models
 */
export type Client = Effect.Effect.Success<ReturnType<typeof make>>
