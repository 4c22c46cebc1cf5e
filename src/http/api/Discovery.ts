import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import {
  ContractDetail,
  ContractQuery,
  ContractsPage,
  ContractsQuery,
  MethodQuery,
  MethodRecord
} from "../../catalog/CatalogSchemas.ts"
import type { Declaration } from "../../operations/framework/Declarations.ts"
import { strict } from "../../values/Strict.ts"
import { open, pinned } from "./Access.ts"
import { Capabilities } from "./Capabilities.ts"
import { declare } from "./Declare.ts"
import { indexerCatalog } from "./Indexer.ts"
import { operationCatalog } from "./Operations.ts"

const ServiceIndex = strict({
  version: Schema.Literal("1"),
  protocolVersion: Schema.Literal(6),
  documentation: Schema.String,
  openapi: Schema.String,
  accounts: Schema.String,
  capabilities: Schema.String
}).annotations({ identifier: "ServiceIndex" })

export const getServiceIndex = declare({
  name: "getServiceIndex",
  method: "GET",
  at: "/api/v1",
  access: open,
  summary: "Where everything is",
  description:
    "The service's version and the places of its documentation, description, accounts and capabilities.",
  success: ServiceIndex
})

export const openapi = declare({
  name: "getOpenApi",
  method: "GET",
  at: "/api/v1/openapi.json",
  access: pinned,
  summary: "The OpenAPI description",
  description: "OpenAPI 3.1.2 with JSON Schema 2020-12.",
  success: Schema.Struct(
    { openapi: Schema.String, info: Schema.Unknown, paths: Schema.Unknown },
    Schema.Record({ key: Schema.String, value: Schema.Unknown })
  ).annotations({ identifier: "OpenApiDocument" })
})

export const capabilities = declare({
  name: "getCapabilities",
  method: "GET",
  at: "/api/v1/capabilities",
  access: open,
  summary: "What this deployment can do",
  description:
    "Audience, chains, limits, transports and what is unavailable; answered without database or chain work.",
  success: Capabilities
})

export const listContracts = declare({
  name: "listContracts",
  method: "GET",
  at: "/api/v1/catalog/contracts",
  access: pinned,
  summary: "List the pinned contracts",
  description: "One page of the pinned inventory; follow nextOffset until it is null.",
  query: ContractsQuery,
  success: ContractsPage,
  problems: ["INVALID_PARAMETER"]
})

export const contract = declare({
  name: "getContract",
  method: "GET",
  at: "/api/v1/catalog/contract",
  access: pinned,
  summary: "One pinned contract",
  description: "Its default ABI, variants, methods, deployments on every chain and clone families.",
  query: ContractQuery,
  success: ContractDetail,
  problems: ["CONTRACT_NOT_FOUND"]
})

export const method = declare({
  name: "getMethod",
  method: "GET",
  at: "/api/v1/catalog/method",
  access: pinned,
  summary: "One method of a pinned contract",
  description:
    "By full canonical signature with tuples expanded, from the default ABI or the one that abiHash names.",
  query: MethodQuery,
  success: MethodRecord,
  problems: ["CONTRACT_NOT_FOUND", "ABI_NOT_FOUND", "METHOD_NOT_FOUND"]
})

export const discoveryGroup = (declared: ReadonlyArray<Declaration>) => {
  const { operations, operation } = operationCatalog(declared)
  return HttpApiGroup.make("Discovery")
    .add(getServiceIndex)
    .add(openapi)
    .add(capabilities)
    .add(listContracts)
    .add(contract)
    .add(method)
    .add(indexerCatalog)
    .add(operations)
    .add(operation)
}
