import * as OpenApi from "@effect/platform/OpenApi"
import { describe, expect, it } from "vitest"
import { Api } from "@palimpsest/api/Api"

const spec = OpenApi.fromApi(Api)

describe("the contract", () => {
  it("stands under /api/v1, with probes beside it, and leaves /v1 alone", () => {
    const paths = Object.keys(spec.paths)
    expect(paths).toContain("/health")
    expect(paths).toContain("/ready")
    expect(paths.filter((path) => !path.startsWith("/api/v1/")).sort()).toEqual(["/health", "/ready"])
  })

  it("demands a token of every endpoint but the probes", () => {
    for (const [path, methods] of Object.entries(spec.paths)) {
      for (const operation of Object.values(methods)) {
        expect([path, operation.security.length]).toEqual([path, path.startsWith("/api/v1/") ? 1 : 0])
      }
    }
  })

  it("describes every endpoint, and every error by its status", () => {
    for (const methods of Object.values(spec.paths)) {
      for (const operation of Object.values(methods)) {
        expect(operation.description).toBeTruthy()
        expect(Object.keys(operation.responses)).toContain("400")
      }
    }
  })

  it("gives pages: what lists takes a limit, and says where the next page begins", () => {
    for (const path of ["/runs", "/trees/{tree}/runs", "/runs/{run}/events", "/runs/{run}/entries", "/search"]) {
      const names = spec.paths[`/api/v1${path}`]?.get?.parameters.map(({ name }) => name)
      expect(names).toContain("limit")
      expect(names).toContain("after")
    }
  })
})
