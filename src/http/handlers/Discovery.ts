import { Effect } from "effect"
import { Catalog } from "../../catalog/Catalog.ts"
import * as Discovery from "../api/Discovery.ts"
import { describeCapabilities } from "../DescribeCapabilities.ts"
import { openApiDocument } from "../OpenApiDocument.ts"
import { onPublic, reply } from "../Route.ts"

const places = {
  version: "1",
  protocolVersion: 6,
  documentation: "/docs",
  openapi: "/api/v1/openapi.json",
  accounts: "/console",
  capabilities: "/api/v1/capabilities"
} as const

export const discoveryRoutes = [
  onPublic(Discovery.index, () => Effect.succeed(reply(places))),
  onPublic(Discovery.openapi, () => Effect.map(openApiDocument, reply)),
  onPublic(Discovery.capabilities, () => Effect.map(describeCapabilities, reply)),
  onPublic(Discovery.contracts, ({ query }) =>
    Effect.flatMap(Catalog, catalog => Effect.map(catalog.contracts(query), reply))
  ),
  onPublic(Discovery.contract, ({ query }) =>
    Effect.flatMap(Catalog, catalog => Effect.map(catalog.contract(query.id), reply))
  ),
  onPublic(Discovery.method, ({ query }) =>
    Effect.flatMap(Catalog, catalog => Effect.map(catalog.method(query), reply))
  )
]
