import { Effect } from "effect"
import { Catalog } from "../../catalog/Catalog.ts"
import { Indexer } from "../../indexer/Indexer.ts"
import { Settings } from "../../settings/Settings.ts"
import { discoveryGroup } from "../api/Discovery.ts"
import { describeCapabilities } from "../DescribeCapabilities.ts"
import type { OperationDescriptors } from "../DescribeOperations.ts"
import { handling, reply } from "../Handlers.ts"
import type { Document } from "../openapi/Document.ts"

const places = {
  version: "1",
  protocolVersion: 6,
  documentation: "/docs",
  openapi: "/api/v1/openapi.json",
  accounts: "/console",
  capabilities: "/api/v1/capabilities"
} as const

export const discoveryHandlers = (
  descriptors: OperationDescriptors,
  description: (audience: string) => Document
) =>
  handling(discoveryGroup, {
    getServiceIndex: () => Effect.succeed(reply(places)),
    getOpenApi: () => Effect.map(Settings, ({ audience }) => reply(description(audience))),
    getCapabilities: () => Effect.map(describeCapabilities, reply),
    listContracts: ({ query }) =>
      Effect.flatMap(Catalog, catalog => Effect.map(catalog.contracts(query), reply)),
    getContract: ({ query }) =>
      Effect.flatMap(Catalog, catalog => Effect.map(catalog.contract(query.id), reply)),
    getMethod: ({ query }) => Effect.flatMap(Catalog, catalog => Effect.map(catalog.method(query), reply)),
    getIndexerCatalog: () => Effect.flatMap(Indexer, indexer => Effect.map(indexer.catalog, reply)),
    listOperations: () => Effect.sync(() => reply({ operations: descriptors.all() })),
    getOperation: ({ path }) => Effect.map(descriptors.of(path.id), reply)
  })
