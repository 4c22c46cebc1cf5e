/** Which rows of the index tell what a wallet holds. */
import type { EntityQuery } from "../../../client/Indexer.ts"
import type { Network } from "../../../indexer/IndexerSchemas.ts"

const FIELDS = [
  ...["balance", "creditBalance", "erc20Balance", "createdAt"],
  ...["project.name", "project.tokenSupply"]
]

/** Newest first, without those that are used up. */
export const positionsQuery = (wallet: string, network: Network): EntityQuery => ({
  network,
  filters: { AND: [{ address: wallet.toLowerCase() }, { balance_gt: "0" }] },
  fields: FIELDS,
  orderBy: { field: "createdAt", direction: "desc" },
  limit: 20
})
