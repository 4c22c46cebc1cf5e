/** Rows of an entity, page after page, with what the source left out of them. */
import type { Client } from "../../../client/Client.ts"
import type { EntityQuery } from "../../../client/Indexer.ts"
import type { EntityName, EntityRow } from "../../../indexer/Entities.ts"
import type { Degraded, Network } from "../../../indexer/IndexerSchemas.ts"

export interface Listed<Name extends EntityName> {
  readonly items: ReadonlyArray<EntityRow<Name>>
  readonly degraded: ReadonlyArray<Degraded>
  /** Null once all are there. */
  readonly cursor: string | null
}

/** Its client is taken anew for each request. */
export interface Reader {
  readonly client: Client
  /** There while the tab signs by itself. */
  readonly grant?: unknown
}

const ROWS = 50

/** The first page, or the one behind what is there. */
export const listMore = async <Name extends EntityName>(
  reader: Reader,
  entity: Name,
  query: EntityQuery,
  before?: Listed<Name>
): Promise<Listed<Name>> => {
  const cursor = before?.cursor ?? undefined
  const page = await reader.client.indexer.list(entity, {
    limit: ROWS,
    ...query,
    ...(cursor === undefined ? {} : { cursor })
  })
  return {
    items: [...(before?.items ?? []), ...page.items],
    degraded: [...(before?.degraded ?? []), ...(page.degraded ?? [])],
    cursor: page.nextCursor
  }
}

/** Rows that are left out as a whole. */
export const leftOut = ({ degraded }: Pick<Listed<EntityName>, "degraded">): ReadonlyArray<Degraded> =>
  degraded.filter(({ field }) => field === undefined)

interface Chained {
  readonly chains: ReadonlyArray<{ readonly id: number; readonly testnet: boolean; readonly name: string }>
}

export const networkWith = ({ chains }: Chained, chainId: number): Network =>
  chains.find(({ id }) => id === chainId)?.testnet === true ? "testnet" : "mainnet"

export const chainName = ({ chains }: Chained, chainId: number | undefined): string => {
  const name = chains.find(({ id }) => id === chainId)?.name
  return name === undefined ? `chain ${chainId}` : `${name} (${chainId})`
}
