/** Which user operations a chain's entry point really carried out, read from the chain alone. */
import { createPublicClient, http, parseAbi } from "viem"
import { ENTRY_POINT } from "../../smartaccounts/support/Wallets.ts"

const CARRIED = parseAbi([
  "event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)"
])

/** Whether their calls succeeded, by the operations' hashes; the entry point carries out each once. */
export type CarriedOut = ReadonlyMap<string, ReadonlyArray<boolean>>

export const carriedOutOn = async (url: string): Promise<CarriedOut> => {
  const client = createPublicClient({ transport: http(url), cacheTime: 0 })
  const logs = await client.getContractEvents({
    address: ENTRY_POINT,
    abi: CARRIED,
    eventName: "UserOperationEvent",
    strict: true,
    fromBlock: 0n
  })
  const found = new Map<string, Array<boolean>>()
  for (const { args } of logs) {
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
