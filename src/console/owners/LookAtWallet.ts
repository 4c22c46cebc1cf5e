/** What the connected wallet's own node tells of a wallet of several owners: the service is not asked. */
import { getAddress } from "viem"
import { keccak256Utf8 } from "../../values/Keccak.ts"
import { chainIdOf, type Provider } from "../Wallet.ts"

/** `getOwners()` and `getThreshold()`. */
const OWNERS = "0xa0e67e2b"
const THRESHOLD = "0xe75235b8"
const HANDLER_SLOT = keccak256Utf8("fallback_manager.handler.address")

export interface WalletPlace {
  readonly chainId: number
  readonly address: `0x${string}`
}

export interface WalletLook {
  readonly owners: ReadonlyArray<string>
  readonly threshold: number
  /** The contract that its operations are checked by. */
  readonly adapter: string
}

/** Words of 32 bytes, of which there are some. */
const wordsIn = (answer: unknown): ReadonlyArray<string> => {
  const words = /^0x((?:[0-9a-f]{64})+)$/i.exec(String(answer))?.[1]?.match(/.{64}/g)
  if (words == null) throw new TypeError("no answer of a contract")
  return words
}

const numberIn = (word = "0"): number => Number(BigInt(`0x${word}`))

const addressIn = (word = ""): string => getAddress(`0x${word.slice(24)}`)

const ownersIn = ([, length, ...owners]: ReadonlyArray<string>): ReadonlyArray<string> =>
  owners.slice(0, numberIn(length)).map(addressIn)

/** Undefined where the node tells nothing, is of another chain, or no such wallet is there. */
export const lookAtWallet = async (
  provider: Provider,
  { chainId, address }: WalletPlace
): Promise<WalletLook | undefined> => {
  const asked = async (method: string, ...params: ReadonlyArray<unknown>) =>
    wordsIn(await provider.request({ method, params: [...params, "latest"] }))
  try {
    if ((await chainIdOf(provider)) !== chainId) return undefined
    const owners = await asked("eth_call", { to: address, data: OWNERS })
    const [threshold] = await asked("eth_call", { to: address, data: THRESHOLD })
    const [handler] = await asked("eth_getStorageAt", address, HANDLER_SLOT)
    return { owners: ownersIn(owners), threshold: numberIn(threshold), adapter: addressIn(handler) }
  } catch {
    return undefined
  }
}
