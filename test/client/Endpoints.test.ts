import { HttpApi } from "@effect/platform"
import { Context } from "effect"
import { assert, describe, it } from "vitest"
import { endpoints } from "../../src/client/Endpoints.ts"
import { Api } from "../../src/http/api/Api.ts"
import { AccessOf } from "../../src/http/api/Declare.ts"
import { entityRoutes } from "../../src/http/api/Indexer.ts"
import { ownDeclarations } from "../../src/operations/framework/Declarations.ts"

const ofOne = new Set([
  ...ownDeclarations.map(({ id }) => `operation_${id}`),
  ...entityRoutes.flatMap(({ list, record }) => [list.name, record.name])
])

/** An operation's or entity's own path, which the client reaches by the one of all of them. */
const isPathOfOne = (name: string) => ofOne.has(name)

const declared = () => {
  const found: Record<string, object> = {}
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint }) => {
      if (isPathOfOne(endpoint.name)) return
      const access = Context.unsafeGet(endpoint.annotations, AccessOf)
      const keyed = access.kind === "signed" && access.idempotency === "required"
      found[endpoint.name] = {
        method: endpoint.method,
        at: endpoint.path,
        access: keyed ? "keyed" : access.kind
      }
    }
  })
  return found
}

describe("the client's table of endpoints", () => {
  it("has every declared endpoint, as it is declared", () => {
    assert.deepStrictEqual({ ...endpoints }, declared())
  })
})
