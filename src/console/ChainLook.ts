/** What the wallet's own node tells of a transaction: nothing is signed for it, and the service is not asked. */
import type { ChainLook } from "./ProgressWords.ts"
import { askQuantity, type Provider } from "./Wallet.ts"

const quantityIn = (value: unknown): bigint | undefined =>
  typeof value === "string" && /^0x[0-9a-f]+$/i.test(value) ? BigInt(value) : undefined

export const lookAtChain = async (provider: Provider, hash: string): Promise<ChainLook> => {
  const receipt = Object(await provider.request({ method: "eth_getTransactionReceipt", params: [hash] }))
  const blockNumber = quantityIn(receipt.blockNumber)
  if (blockNumber === undefined) return { status: "pending", confirmations: 0 }
  const newest = await askQuantity(provider, "eth_blockNumber")
  const status = quantityIn(receipt.status) === 0n ? "reverted" : "success"
  return { status, blockNumber, confirmations: Math.max(Number(newest - blockNumber) + 1, 0) }
}
