/** Which call enables a session, and what keeps it from being one. */
import { type Enabling, enablingIn } from "../sessions/Enabling.ts"
import { NATIVE_ASSET } from "../sessions/KnownRights.ts"
import { decodePolicy } from "../sessions/Policy.ts"
import { policyAssets } from "../sessions/PolicyWords.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { Contracts, ExplainedCall } from "./ExplainCall.ts"

/** What a call of each of these does rests on the catalog's word for where the guard is. */
export const SESSION_GUARD_ID = "signed-request-service:sandbox/contracts/SessionGuard.sol:SessionGuard"
const WALLET_ADAPTER_ID = "@rhinestone/modulekit:src/deployment/precompiles/Safe7579Precompiles.sol:Safe7579"

type Read = Pick<ExplainedCall, "contract" | "method" | "values">

const isHex = (value: unknown): value is Hex => typeof value === "string" && value.startsWith("0x")

/** A function that the wallet itself has, by its adapter. */
export const isOwnFunction = (contract: { readonly id: string } | undefined): boolean =>
  contract?.id === WALLET_ADAPTER_ID

const isEnable = ({ contract, method }: Read): boolean =>
  contract?.id === SESSION_GUARD_ID && method?.signature === "enable(uint64,bytes)"

const isInstallation = ({ contract, method }: Read): boolean =>
  isOwnFunction(contract) && method?.signature === "installModule(uint256,address,bytes)"

/** Undefined where the call enables none. */
export const enablingOf = (read: Read): Enabling | undefined => {
  const [first, second, third] = read.values
  if (isEnable(read) && typeof first === "bigint" && isHex(second))
    return { expectedEnableNonce: first, encoded: second }
  return isInstallation(read) && isHex(third) ? enablingIn(third) : undefined
}

/** The tokens whose decimals would make its amounts readable. */
export const enabledAssets = (read: Read): ReadonlyArray<Address> => {
  const encoded = enablingOf(read)?.encoded
  const assets = encoded === undefined ? undefined : policyAssets(encoded)
  return (assets ?? []).filter(asset => asset !== NATIVE_ASSET)
}

const isGuard = ({ get }: Contracts, chainId: number, module: unknown): boolean =>
  get(SESSION_GUARD_ID)
    ?.deployments.find(deployment => deployment.chainId === chainId)
    ?.instances.some(({ address }) => address.toLowerCase() === String(module).toLowerCase()) === true

const VALIDATOR = 1n

/** Why the call is not one by which a session is enabled. */
export const policyDangers = (contracts: Contracts, chainId: number, read: Read): ReadonlyArray<string> => {
  const [kind, module] = read.values
  if (isInstallation(read) && (kind !== VALIDATOR || !isGuard(contracts, chainId, module)))
    return ["the wallet would get a module that is no guard which is known here"]
  if (!isEnable(read) && !isInstallation(read)) return []
  const enabling = enablingOf(read)
  return enabling === undefined || decodePolicy(enabling.encoded) === undefined
    ? ["the bytes that it enables are no policy of a session"]
    : []
}
