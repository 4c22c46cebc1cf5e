/** The addresses that are trusted to be a contract: those of the pinned inventory, and of the rollout after it. */
import { laterDeployment } from "../../../catalog/LaterRollout.ts"
import type { ContractName } from "../../../protocol/ContractFunction.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import type { Address } from "../../../values/Scalars.ts"

/** A newer one of its kind is published on this chain. */
export const isRetired = (
  { deploymentsOf }: PinnedSnapshot,
  contract: ContractName,
  deployed: Address
): boolean => deploymentsOf(contract).some(({ address, retired }) => retired && address === deployed)

export const recordedAddresses = (
  { chainId, deploymentsOf }: PinnedSnapshot,
  contract: ContractName
): ReadonlyArray<Address> => {
  const later = laterDeployment(chainId, contract)
  return [...deploymentsOf(contract).map(({ address }) => address), ...(later ? [later.address] : [])]
}
