/** Which user operations a chain's entry point really carried out, read from the chain alone. */
import { createPublicClient, type Hex, http, parseAbi } from "viem"
import { ENTRY_POINT } from "../../smartaccounts/support/Wallets.ts"

const CARRIED = parseAbi([
  "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)"
])

export interface Carried {
  readonly success: boolean
  /** Of the transaction around it. */
  readonly hash: Hex
  readonly block: bigint
}

/** The events of a chain's entry point, of one operation where it is named. */
const eventsOn = async (url: string, operationHash?: Hex) => {
  const client = createPublicClient({ transport: http(url), cacheTime: 0 })
  return client.getContractEvents({
    address: ENTRY_POINT,
    abi: CARRIED,
    eventName: "UserOperationEvent",
    strict: true,
    ...(operationHash === undefined ? {} : { args: { userOpHash: operationHash } }),
    fromBlock: 0n
  })
}

/** Where the chain has an operation now; undefined where it has not. */
export const carriedAt = async (url: string, operationHash: Hex): Promise<Carried | undefined> => {
  const last = (await eventsOn(url, operationHash)).at(-1)
  if (last === undefined) return undefined
  return { success: last.args.success, hash: last.transactionHash, block: last.blockNumber }
}

/** Whether their calls succeeded, by the operations' hashes; the entry point carries out each once. */
export type CarriedOut = ReadonlyMap<string, ReadonlyArray<boolean>>

export const carriedOutOn = async (url: string): Promise<CarriedOut> => {
  const found = new Map<string, Array<boolean>>()
  for (const { args } of await eventsOn(url)) {
    const others = found.get(args.userOpHash) ?? []
    others.push(args.success)
    found.set(args.userOpHash, others)
  }
  return found
}

type Hashed = { readonly operationHash: string }

export const isCarriedOut = (carriedOut: CarriedOut, { operationHash }: Hashed): boolean =>
  carriedOut.has(operationHash)

/** How a sent operation may end, once what is open can be carried out no more. */
export const endOf = (carriedOut: CarriedOut, { operationHash }: Hashed): string => {
  const [success] = carriedOut.get(operationHash) ?? []
  if (success === undefined) return "expired"
  return success ? "confirmed" : "reverted"
}
