import { Effect } from "effect"
import { Catalog } from "../../catalog/Catalog.ts"
import { Indexer } from "../../indexer/Indexer.ts"
import * as Discovery from "../api/Discovery.ts"
import { indexerCatalog } from "../api/Indexer.ts"
import * as Operations from "../api/Operations.ts"
import { describeCapabilities } from "../DescribeCapabilities.ts"
import { operationDescriptors, operationOf } from "../DescribeOperations.ts"
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
  ),
  onPublic(indexerCatalog, () => Effect.flatMap(Indexer, indexer => Effect.map(indexer.catalog, reply))),
  onPublic(Operations.operations, () => Effect.sync(() => reply({ operations: operationDescriptors() }))),
  onPublic(Operations.operation, ({ path }) => Effect.map(operationOf(path.id), reply))
]
