/** What a person writes to find projects, as a question to the index. */
import type { EntityQuery } from "../../../client/Indexer.ts"
import type { Json, Network } from "../../../indexer/IndexerSchemas.ts"

/** Where to look: a network, or one chain of it. */
export interface SearchPlace {
  readonly network: Network
  readonly chainId: number | undefined
}

interface Chained {
  readonly chains: ReadonlyArray<{ readonly id: number; readonly testnet: boolean }>
}

const ADDRESS = /^0x[0-9a-f]{40}$/i
const NUMBER = /^[1-9][0-9]{0,77}$/
/** The index holds no larger one. */
export const MOST_INDEXED = 2_147_483_647n

export const isProjectNumber = (text: string): boolean => NUMBER.test(text)

/** `testnet`, `mainnet` or a chain's id. */
export const placeOn = (text: string | null, { chains }: Chained): SearchPlace => {
  const chain = chains.find(({ id }) => String(id) === text)
  if (chain !== undefined) return { network: chain.testnet ? "testnet" : "mainnet", chainId: chain.id }
  const isMain = chains.some(({ testnet }) => !testnet)
  return {
    network: text === "testnet" || (text !== "mainnet" && !isMain) ? "testnet" : "mainnet",
    chainId: undefined
  }
}

const matching = (text: string): Json => {
  if (ADDRESS.test(text)) return { owner: text.toLowerCase() }
  const isNumber = NUMBER.test(text) && BigInt(text) <= MOST_INDEXED
  return {
    OR: [
      { name_contains_nocase: text },
      { handle_contains_nocase: text },
      ...(isNumber ? [{ projectId: Number(text) }] : [])
    ]
  }
}

const FIELDS = ["name", "owner", "balance", "token", "tokenSymbol", "decimals", "tokens", "createdAt"]

/** Newest first; all of them where nothing is asked. */
export const searchQuery = (text: string, { network, chainId }: SearchPlace): EntityQuery => ({
  network,
  ...(chainId === undefined ? {} : { chainId }),
  ...(text === "" ? {} : { filters: { AND: [matching(text)] } }),
  fields: FIELDS,
  orderBy: { field: "createdAt", direction: "desc" },
  limit: 20
})
