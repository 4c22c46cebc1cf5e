/** Hashes that the provider tells instead of those of its own executions. */
import type { Hex } from "viem"
import type { Chain } from "./Chain.ts"
import type { Executor } from "./Executor.ts"
import type { Lie } from "./Faults.ts"
import type { Placed } from "./PaymentContract.ts"

interface Lying {
  readonly chain: Chain
  readonly executor: Executor
  readonly payments: Placed
}

/** Far enough ahead to wait for ever. */
const GAP = 1_000

const foreign = async ({ chain }: Lying): Promise<Hex | undefined> => {
  const { transactions } = await chain.client.getBlock({ blockNumber: 1n })
  return transactions[0]
}

const refusedCall = ({ payments }: Lying) =>
  ({ to: payments.address, data: "0x", value: 0n, gas: 100_000n }) as const

const reverted = async (lying: Lying): Promise<Hex> => {
  const { raw, hash } = await lying.chain.sign(refusedCall(lying), await lying.executor.nextNonce())
  await lying.chain.send(raw)
  return hash
}

const unmined = async (lying: Lying): Promise<Hex> => {
  const { raw, hash } = await lying.chain.sign(refusedCall(lying), (await lying.executor.nextNonce()) + GAP)
  await lying.chain.send(raw)
  return hash
}

const ofAnotherChain = async (lying: Lying): Promise<Hex> => {
  const { hash } = await lying.chain.sign(refusedCall(lying), await lying.executor.nextNonce(), 1)
  return hash
}

/** For one of these lies, what is told for every request; else nothing. */
export const hashOfLie = async (lies: ReadonlyArray<Lie>, lying: Lying): Promise<Hex | undefined> => {
  if (lies.includes("hash-foreign")) return foreign(lying)
  if (lies.includes("hash-reverted")) return reverted(lying)
  if (lies.includes("hash-unmined")) return unmined(lying)
  if (lies.includes("hash-other-chain")) return ofAnotherChain(lying)
  return undefined
}
