/**
 * Where logs, spans and metrics go: logs as one JSON object a line to standard error, and all three by OTLP over HTTP to a
 * collector, where one is named by an option or by the variables that OpenTelemetry has for it.
 *
 * @since 0.1.0
 */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Otlp from "@effect/opentelemetry/Otlp"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as LogLevel from "effect/LogLevel"
import type * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { VERSION } from "@palimpsest/api/Api"

/**
 * A collector: its base URL (`/v1/traces` and the like are put behind it), and headers, which may hold a secret.
 *
 * @since 0.1.0
 * @category models
 */
export interface Collector {
  readonly url: string
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly service: string
  readonly every: Duration.DurationInput
}

/**
 * The collector that the environment names: `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_EXPORTER_OTLP_HEADERS` and
 * `OTEL_SERVICE_NAME`. `url` goes before the first of them. Undefined where there is none.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromEnvironment = (
  environment: { readonly [name: string]: string | undefined },
  url?: string
): Collector | undefined => {
  const endpoint = url ?? environment["OTEL_EXPORTER_OTLP_ENDPOINT"]
  if (endpoint === undefined || endpoint === "") return undefined
  return {
    url: endpoint.replace(/\/+$/, ""),
    headers: Redacted.make(headersOf(environment["OTEL_EXPORTER_OTLP_HEADERS"] ?? "")),
    service: environment["OTEL_SERVICE_NAME"] ?? "palimpsest",
    every: "5 seconds"
  }
}

/**
 * Exports to a collector, where there is one. A collector that does not answer costs what it was to be told, and nothing
 * else.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (collector: Collector | undefined): Layer.Layer<never> =>
  collector === undefined
    ? Layer.empty
    : Layer.provide(
        Otlp.layerJson({
          baseUrl: collector.url,
          headers: Redacted.value(collector.headers),
          resource: { serviceName: collector.service, serviceVersion: VERSION },
          tracerExportInterval: collector.every,
          metricsExportInterval: collector.every,
          loggerExportInterval: collector.every,
          shutdownTimeout: "3 seconds"
        }),
        FetchHttpClient.layer
      )

/**
 * Logs as JSON, from a level on.
 *
 * @since 0.1.0
 * @category layers
 */
export const logs = (level: LogLevel.LogLevel): Layer.Layer<never> =>
  Layer.merge(
    Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.jsonLogger)),
    Logger.minimumLogLevel(level)
  )

/** `key=value,key=value`, the values percent-encoded, as OpenTelemetry writes them. */
const headersOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text
      .split(",")
      .map((pair) => pair.trim())
      .filter((pair) => pair.includes("="))
      .map((pair) => {
        const at = pair.indexOf("=")
        return [pair.slice(0, at).trim(), unescaped(pair.slice(at + 1).trim())]
      })
  )

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
