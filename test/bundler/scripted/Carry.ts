/** How the scripted bundler carries an operation out, or does not, on a local chain. */
import { encodeFunctionData, type Hex } from "viem"
import { entryPoint07Abi } from "viem/account-abstraction"
import { ENTRY_POINT } from "../../../sandbox/bundler/Chain.ts"
import { developmentAccount } from "../../../sandbox/DevelopmentAccounts.ts"
import { operationHash, packedOperation } from "../../../src/values/PackedOperation.ts"
import type { UserOperation } from "../../../src/values/UserOperation.ts"
import { rpc } from "../../support/Rpc.ts"
import type { Conduct } from "./Lies.ts"

const executor = developmentAccount(2).address
const GAS = "0x1c9c380"
const PLACE = { chainId: 31_337, entryPoint: ENTRY_POINT }
const TOPIC = "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f"

export const hashOf = (operation: UserOperation): Hex => operationHash(operation, PLACE)

const bundleOf = (operations: ReadonlyArray<UserOperation>): Hex =>
  encodeFunctionData({
    abi: entryPoint07Abi,
    functionName: "handleOps",
    args: [operations.map(packedOperation), executor]
  })

interface Transaction {
  readonly from: string
  readonly gas: Hex
  readonly to?: string
  readonly data: Hex
}

/** A contract's creation that makes this call: CODECOPY of what follows the 45 bytes of it, and a call with that. */
export const nestedCall = (to: string, data: Hex): Hex => {
  const size = ((data.length - 2) / 2).toString(16).padStart(8, "0")
  const copy = `63${size}63${"2d".padStart(8, "0")}5f39`
  return `0x${copy}5f5f63${size}5f5f73${to.slice(2).toLowerCase()}5af100${data.slice(2)}`
}

const altered = ({ signature, ...operation }: UserOperation): UserOperation => {
  const digit = signature.at(-10) === "0" ? "1" : "0"
  return { ...operation, signature: `0x${signature.slice(2, -10)}${digit}${signature.slice(-9)}` }
}

export interface Carrying {
  readonly chainUrl: string
  /** Operations of other wallets that may share a bundle. */
  readonly companions: () => Promise<ReadonlyArray<UserOperation>>
}

const callsFor: Readonly<
  Record<
    Conduct,
    (
      operation: UserOperation,
      companions: Carrying["companions"]
    ) => Promise<ReadonlyArray<Pick<Transaction, "to" | "data">>>
  >
> = {
  alone: async operation => [{ to: ENTRY_POINT, data: bundleOf([operation]) }],
  twice: async operation => [
    { to: ENTRY_POINT, data: bundleOf([operation]) },
    { to: ENTRY_POINT, data: bundleOf([operation]) }
  ],
  nested: async operation => [{ data: nestedCall(ENTRY_POINT, bundleOf([operation])) }],
  "altered-signature": async operation => [{ to: ENTRY_POINT, data: bundleOf([altered(operation)]) }],
  "among-others": async (operation, companions) => {
    const others = await companions()
    const half = Math.floor(others.length / 2)
    const all = [...others.slice(0, half), operation, ...others.slice(half)]
    return [{ to: ENTRY_POINT, data: bundleOf(all) }]
  },
  dropped: async () => [],
  drained: async () => []
}

/** What has it carried out so, in their order. */
export const transactionsOf = async (
  { companions }: Pick<Carrying, "companions">,
  conduct: Conduct,
  operation: UserOperation
): Promise<ReadonlyArray<Transaction>> => {
  const calls = await callsFor[conduct](operation, companions)
  return calls.map(call => ({ from: executor, gas: GAS, ...call }))
}

export const carryOut = async (
  carrying: Carrying,
  conduct: Conduct,
  operation: UserOperation
): Promise<void> => {
  for (const transaction of await transactionsOf(carrying, conduct, operation))
    await rpc(carrying.chainUrl, "eth_sendTransaction", [transaction])
}

interface Log {
  readonly address: Hex
  readonly topics: ReadonlyArray<Hex>
  readonly data: Hex
}

const partsOf = ({ address, topics, data }: Log): Log => ({ address, topics, data })

/** The event of an operation with all that bundlers tell of its execution; null while there is none. */
export const receiptOf = async (chainUrl: string, hash: string) => {
  const [log] = await rpc(chainUrl, "eth_getLogs", [
    { address: ENTRY_POINT, topics: [TOPIC, hash], fromBlock: "0x0", toBlock: "latest" }
  ])
  if (log === undefined) return null
  const receipt = await rpc(chainUrl, "eth_getTransactionReceipt", [log.transactionHash])
  const word = (index: number): Hex => `0x${log.data.slice(2 + 64 * index, 66 + 64 * index)}`
  const addressIn = (topic: string): Hex => `0x${topic.slice(-40)}`
  return {
    userOpHash: hash,
    entryPoint: ENTRY_POINT,
    sender: addressIn(log.topics[2]),
    paymaster: addressIn(log.topics[3]),
    nonce: `0x${BigInt(word(0)).toString(16)}`,
    success: BigInt(word(1)) === 1n,
    actualGasCost: `0x${BigInt(word(2)).toString(16)}`,
    actualGasUsed: `0x${BigInt(word(3)).toString(16)}`,
    logs: receipt.logs.map(partsOf),
    receipt: {
      transactionHash: receipt.transactionHash,
      blockHash: receipt.blockHash,
      status: receipt.status
    }
  }
}
