/** The public routes: nothing is signed. */
import type { ContractItem, ContractsQuery, MethodQuery } from "../catalog/CatalogSchemas.ts"
import type { Caller } from "./Caller.ts"
import { endpoints } from "./Endpoints.ts"

type Listing = Partial<ContractsQuery>

export const discoveryMethods = (caller: Caller) => {
  const contracts = (query: Listing = {}) => caller.call(endpoints.listContracts, { query: { ...query } })
  return {
    /** Where documentation, description and capabilities are. */
    index: () => caller.call(endpoints.getServiceIndex),
    /** The OpenAPI 3.1 description. */
    openapi: () => caller.call(endpoints.getOpenApi),
    /** Audience, chains, limits and what is unavailable; also sets the client's clock. */
    capabilities: () => caller.conversation.capabilities(),
    catalog: {
      /** One page of the pinned contracts, 25 by default and 100 at most. */
      contracts,
      /** Every matching contract, page after page. */
      iterate: async function* (query: Omit<Listing, "offset"> = {}): AsyncGenerator<ContractItem> {
        let offset: number | null = 0
        while (offset !== null) {
          const page: Awaited<ReturnType<typeof contracts>> = await contracts({ ...query, offset })
          yield* page.items
          offset = page.nextOffset
        }
      },
      /** One contract by `package:source-path:contract-name`, with every ABI variant and deployment. */
      contract: (id: string) => caller.call(endpoints.getContract, { query: { id } }),
      /** One method by its full canonical signature, tuples expanded. */
      method: (query: MethodQuery) => caller.call(endpoints.getMethod, { query: { ...query } }),
      /** Every indexed entity with its key, fields and filters. */
      indexer: () => caller.call(endpoints.getIndexerCatalog),
      /** Every semantic operation with its kind, sources and the JSON Schema of its input. */
      operations: async () => (await caller.call(endpoints.listOperations)).operations,
      /** One operation by its id. */
      operation: (id: string) => caller.call(endpoints.getOperation, { path: { id } })
    }
  }
}
