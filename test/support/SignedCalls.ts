/** A planned call as the transaction that a wallet signs. */
import { type Hex, keccak256 } from "viem"
import type { Call } from "../../src/plans/Plan.ts"
import { plannedTransaction } from "./PlannedTransaction.ts"
import type { RelayBench } from "./RelayBench.ts"
import { rpc } from "./Rpc.ts"
import type { Party } from "./SignedFetch.ts"

export interface TransactionOver {
  readonly nonce?: number
  readonly gas?: bigint
  readonly maxFeePerGas?: bigint
  readonly maxPriorityFeePerGas?: bigint
  readonly to?: Hex
  readonly data?: Hex
  readonly value?: bigint
  readonly chainId?: number
}

export const pendingNonce = async ({ chain }: Pick<RelayBench, "chain">, address: string): Promise<number> =>
  Number(await rpc(chain.url, "eth_getTransactionCount", [address, "pending"]))

export const signCall = async (
  bench: Pick<RelayBench, "chain">,
  signer: Pick<Party, "key">,
  call: Call,
  over: TransactionOver = {}
): Promise<Hex> =>
  signer.key.signTransaction({
    ...plannedTransaction(call, over.nonce ?? (await pendingNonce(bench, signer.key.address))),
    ...over
  })

export const hashOf = (raw: Hex): Hex => keccak256(raw)
