/** By which columns a row finds the row it refers to; the schema does not say, so the source's own joins are told here. */

/** Pairs of the referring entity's column and the target's. */
export type Join = ReadonlyArray<readonly [local: string, remote: string]>

const same = (...names: ReadonlyArray<string>): Join => names.map(name => [name, name])

const ownerOf = (entity: string): string => (entity === "participant" ? "address" : "owner")

/** Without the hook, so that one of several hooks' rows is found. */
const ANY_HOOK: Readonly<Record<string, Join>> = {
  "mintNftEvent.tier": same("tierId", "chainId", "version"),
  "mintNftEvent.nft": same("tokenId", "chainId", "version"),
  "decorateBannyEvent.bannyNft": [["bannyBodyId", "tokenId"], ...same("chainId", "version")]
}

const byTarget: Readonly<Record<string, (entity: string) => Join>> = {
  project: () => same("projectId", "chainId", "version"),
  suckerGroup: () => [["suckerGroupId", "id"]],
  wallet: entity => [[ownerOf(entity), "address"]],
  participant: () => [["owner", "address"], ...same("chainId", "version")],
  nftTier: () => same("tierId", "chainId", "hook", "version"),
  nftHook: () => [["hook", "address"], ...same("chainId", "version")],
  buybackPool: () => same("chainId", "poolId")
}

export const joinOf = (entity: string, field: string, target: string): Join => {
  const join = ANY_HOOK[`${entity}.${field}`] ?? byTarget[target]?.(entity)
  if (join !== undefined) return join
  if (entity === "activityEvent" && field === target) return [[field, "id"]]
  throw new Error(`Nobody said how ${entity}.${field} finds its ${target}.`)
}
