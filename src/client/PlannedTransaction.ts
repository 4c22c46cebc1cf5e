/** A planned call as the EIP-1559 transaction that will be signed. */
import type { Call } from "../plans/Plan.ts"
import { gasWithPart } from "../values/TransactionGas.ts"
import { baseFee, nextNonce, requireChain, suggestedTip } from "./Node.ts"
import type { Eip1193Provider } from "./Signer.ts"

export interface UnsignedTransaction {
  readonly chainId: number
  readonly to: `0x${string}`
  readonly data: `0x${string}`
  readonly value: bigint
  readonly nonce: number
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** What the caller decides; the rest is the simulation's estimate and a quarter, and the node's suggestions. */
export interface TransactionTerms {
  readonly gas?: bigint | undefined
  readonly maxFeePerGas?: bigint | undefined
  readonly maxPriorityFeePerGas?: bigint | undefined
}

/** A suggested tip gives way to the cap that was given. */
const tipBelow = async (node: Eip1193Provider, cap: bigint | undefined): Promise<bigint> => {
  const suggested = await suggestedTip(node)
  return cap !== undefined && suggested > cap ? cap : suggested
}

const feesOf = async (node: Eip1193Provider, terms: TransactionTerms) => {
  const maxPriorityFeePerGas = terms.maxPriorityFeePerGas ?? (await tipBelow(node, terms.maxFeePerGas))
  const maxFeePerGas = terms.maxFeePerGas ?? 2n * (await baseFee(node)) + maxPriorityFeePerGas
  return { maxFeePerGas, maxPriorityFeePerGas }
}

/** With the wallet's next nonce and current fees; `estimatedGas` is asked for only where no limit is given. */
export const plannedTransaction = async (
  node: Eip1193Provider,
  wallet: string,
  call: Pick<Call, "chainId" | "to" | "data" | "value">,
  terms: TransactionTerms,
  estimatedGas: () => Promise<bigint>,
  nonceOf = nextNonce
): Promise<UnsignedTransaction> => {
  await requireChain(node, call.chainId)
  const nonce = await nonceOf(node, wallet)
  return {
    chainId: call.chainId,
    to: call.to,
    data: call.data,
    value: BigInt(call.value),
    nonce,
    gas: terms.gas ?? gasWithPart(await estimatedGas(), 4n),
    ...(await feesOf(node, terms))
  }
}
