/** Which calls change what acts for a wallet besides its owners. */

/** What a call of each of these does rests on the catalog's word for where the guard is. */
export const SESSION_GUARD_ID = "signed-request-service:sandbox/contracts/SessionGuard.sol:SessionGuard"
const WALLET_ADAPTER_ID = "@rhinestone/modulekit:src/deployment/precompiles/Safe7579Precompiles.sol:Safe7579"

interface Called {
  readonly contract: { readonly id: string } | undefined
  readonly method: { readonly signature: string } | undefined
}

/** A function that the wallet itself has, by its adapter. */
export const isOwnFunction = (contract: { readonly id: string } | undefined): boolean =>
  contract?.id === WALLET_ADAPTER_ID

export const isEnable = ({ contract, method }: Called): boolean =>
  contract?.id === SESSION_GUARD_ID && method?.signature === "enable(uint64,bytes)"

export const isInstallation = ({ contract, method }: Called): boolean =>
  isOwnFunction(contract) && method?.signature === "installModule(uint256,address,bytes)"
