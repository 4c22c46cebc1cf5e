/** What a chain's forwarder really executed, read from the chain alone. */
import { type Address, createPublicClient, type Hex, http, parseAbi } from "viem"

const EXECUTED = parseAbi([
  "event ExecutedForwardRequest(address indexed signer, uint256 nonce, bool success)"
])

export interface Executed {
  readonly hash: Hex
  readonly success: boolean
  /** Of the transaction that carried it. */
  readonly input: Hex
}

/** A signer's nonce of the forwarder. */
export const slotOf = (signer: string, nonce: bigint | string): string => `${signer.toLowerCase()}/${nonce}`

/** By the signer's nonce. */
export type Executions = ReadonlyMap<string, ReadonlyArray<Executed>>

/** Of every signer, or of one. */
export const executionsOn = async (
  url: string,
  forwarder: Address,
  signer?: Address
): Promise<Executions> => {
  const client = createPublicClient({ transport: http(url), cacheTime: 0 })
  const logs = await client.getContractEvents({
    address: forwarder,
    abi: EXECUTED,
    eventName: "ExecutedForwardRequest",
    strict: true,
    ...(signer === undefined ? {} : { args: { signer } }),
    fromBlock: 0n
  })
  const found = new Map<string, Array<Executed>>()
  for (const { args, transactionHash } of logs) {
    const { input } = await client.getTransaction({ hash: transactionHash })
    const slot = slotOf(args.signer, args.nonce)
    const others = found.get(slot) ?? []
    others.push({ hash: transactionHash, success: args.success, input })
    found.set(slot, others)
  }
  return found
}
