/**
 * The documentation, made of the contract: `/openapi.json` for machines and `/docs` for people. The page is one text that
 * needs nothing from anywhere else, no script, no font and no other host, so it works offline and under the strictest
 * content policy.
 *
 * @since 0.1.0
 */
import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { createHash } from "node:crypto"
import { Api } from "@palimpsest/api/Api"

/**
 * @since 0.1.0
 * @category constants
 */
export const DOCS = "/docs"

/**
 * @since 0.1.0
 * @category constants
 */
export const OPENAPI = "/openapi.json"

/**
 * Serves both.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<never> = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const spec = OpenApi.fromApi(Api)
    const json = HttpServerResponse.unsafeJson(spec)
    const html = HttpServerResponse.text(page(spec), {
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": POLICY }
    })
    yield* router.get(OPENAPI, Effect.succeed(json))
    yield* router.get(DOCS, Effect.succeed(html))
  })
)

/**
 * The page.
 *
 * @since 0.1.0
 * @category rendering
 */
export const page = (spec: OpenApi.OpenAPISpec): string => {
  const operations = Object.entries(spec.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )
  const groups = (spec.tags ?? []).map(({ description, name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name))
    return `<section id="${escaped(name)}"><h2>${escaped(name)}</h2><p>${escaped(description ?? "")}</p>${own
      .map(described)
      .join("")}</section>`
  })
  const schemas = Object.entries(spec.components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escaped(name)}"><summary>${escaped(name)}</summary><pre>${linked(schema)}</pre></details>`
  )
  const links = [...(spec.tags ?? []).map(({ name }) => name), "schemas"]
    .map((name) => `<a href="#${escaped(name)}">${escaped(name)}</a>`)
    .join(" ")
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta name="viewport" content="width=device-width, initial-scale=1">` +
    `<title>${escaped(spec.info.title)} ${escaped(spec.info.version)}</title><style>${STYLE}</style></head><body>` +
    `<header><h1>${escaped(spec.info.title)} <small>${escaped(spec.info.version)}</small></h1>` +
    `<p>${escaped(spec.info.description ?? "")}</p><nav>${links} <a href="${OPENAPI}">openapi.json</a></nav></header>` +
    `<main>${groups.join("")}<section id="schemas"><h2>schemas</h2>${schemas.join("")}</section></main></body></html>`
  )
}

interface Described {
  readonly path: string
  readonly method: string
  readonly operation: OpenApi.OpenAPISpecOperation
}

const described = ({ method, operation, path }: Described): string => {
  const parameters = operation.parameters.map(
    ({ description, in: place, name, required, schema }) =>
      `<tr><td><code>${escaped(name)}</code></td><td>${place}${required ? "" : ", may be left out"}</td>` +
      `<td>${escaped(description ?? "")}</td><td><code>${linked(schema, 0)}</code></td></tr>`
  )
  const body = operation.requestBody?.content
  const answers = Object.entries(operation.responses).map(
    ([status, { content, description }]) =>
      `<tr><td><code>${escaped(status)}</code></td><td>${escaped(description)}</td>` +
      `<td><pre>${content === undefined ? "" : schemasOf(content)}</pre></td></tr>`
  )
  return (
    `<details><summary><b class="${escaped(method)}">${escaped(method.toUpperCase())}</b> ` +
    `<code>${escaped(path)}</code> ${escaped(operation.description ?? "")}</summary>` +
    (parameters.length === 0 ? "" : `<h4>parameters</h4><table>${parameters.join("")}</table>`) +
    (body === undefined ? "" : `<h4>body</h4><pre>${schemasOf(body)}</pre>`) +
    `<h4>answers</h4><table>${answers.join("")}</table></details>`
  )
}

const schemasOf = (content: { readonly [media: string]: unknown }): string =>
  Object.entries(content)
    .map(([media, value]) => {
      const schema: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "schema") : undefined
      return `${escaped(media)}\n${linked(schema)}`
    })
    .join("\n")

/** A schema as JSON, in which references lead to their schemas. */
const linked = (schema: unknown, indent = 2): string =>
  escaped(JSON.stringify(schema, undefined, indent) ?? "").replace(
    /#\/components\/schemas\/([A-Za-z0-9_.-]+)/g,
    (_, name: string) => `<a href="#schema-${name}">${name}</a>`
  )

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const STYLE =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{margin:0 auto;max-width:70rem;padding:1rem}" +
  "header{border-bottom:1px solid #8888;margin-bottom:1rem}h2{margin:2rem 0 0}small{font-weight:400;opacity:.7}" +
  "details{border:1px solid #8886;border-radius:.4rem;margin:.4rem 0;padding:.4rem .8rem}summary{cursor:pointer}" +
  "details[open]>summary{margin-bottom:.6rem}b{display:inline-block;min-width:4.5rem}.get{color:#0a7}.post{color:#07c}" +
  ".put{color:#a60}.delete{color:#c33}pre,code{font:13px/1.45 ui-monospace,monospace}pre{overflow:auto;margin:.3rem 0}" +
  "table{border-collapse:collapse;width:100%}td{border-top:1px solid #8884;padding:.3rem .6rem;vertical-align:top}" +
  "nav a{margin-right:.8rem}"

/** No script at all; the one style is known by its digest. */
const POLICY =
  `default-src 'none'; style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'; ` +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
