/** What a person writes to find projects, as a question to the index. */
import { isRefusedBy } from "../../../client/Errors.ts"
import type { EntityQuery } from "../../../client/Indexer.ts"
import type { Json, Network } from "../../../indexer/IndexerSchemas.ts"
import { type Listed, listMore, type Reader } from "./Listed.ts"

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

type Containing = "_contains" | "_contains_nocase"

const matching = (text: string, suffix: Containing): Json => {
  if (ADDRESS.test(text)) return { owner: text.toLowerCase() }
  const isNumber = NUMBER.test(text) && BigInt(text) <= MOST_INDEXED
  return {
    OR: [
      { [`name${suffix}`]: text },
      { [`handle${suffix}`]: text },
      ...(isNumber ? [{ projectId: Number(text) }] : [])
    ]
  }
}

const FIELDS = ["name", "owner", "balance", "token", "tokenSymbol", "decimals", "tokens", "createdAt"]

export const searchQuery = (
  text: string,
  { network, chainId }: SearchPlace,
  suffix: Containing = "_contains_nocase"
): EntityQuery => ({
  network,
  ...(chainId === undefined ? {} : { chainId }),
  ...(text === "" ? {} : { filters: { AND: [matching(text, suffix)] } }),
  fields: FIELDS,
  orderBy: { field: "createdAt", direction: "desc" },
  limit: 20
})

export interface FoundProjects extends Listed<"project"> {
  /** Whether upper and lower case are told apart, as older indexes do. */
  readonly isCased: boolean
}

/** Newest first; all of them where nothing is asked. The first page, or the one behind what is there. */
export const findProjects = async (
  reader: Reader,
  text: string,
  place: SearchPlace,
  before?: FoundProjects
): Promise<FoundProjects> => {
  const found = (suffix: Containing) => listMore(reader, "project", searchQuery(text, place, suffix), before)
  try {
    return { ...(await found("_contains_nocase")), isCased: false }
  } catch (failure) {
    if (!isRefusedBy(failure, "INDEXER_INVALID_FIELDS")) throw failure
    return { ...(await found("_contains")), isCased: true }
  }
}
