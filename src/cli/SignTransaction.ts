/** A planned call as the EIP-1559 transaction that will be signed. */
import type { Call } from "../plans/Plan.ts"
import type { UnsignedTransaction } from "../review/SigningDigests.ts"
import type { Flag } from "./Command.ts"
import { usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { type Rpc, rpcAt } from "./Rpc.ts"

export const rpcFlag = (help: string): Flag => ({ name: "rpc", value: "<URL>", env: "FUNDING_RPC", help })

export const signingFlags: ReadonlyArray<Flag> = [
  rpcFlag(
    "A node of the call's chain, for nonce and fees; that of the local chain is found while npm start runs in this folder."
  ),
  { name: "gas", value: "<units>", help: "Gas limit; by default the simulation's estimate and a quarter." },
  { name: "max-fee", value: "<wei>", help: "Fee cap per gas; by default twice the base fee and the tip." },
  { name: "priority-fee", value: "<wei>", help: "Tip per gas; by default the node's suggestion." }
]

const quantity = (value: unknown, what: string): bigint => {
  if (typeof value === "string" && /^0x[0-9a-f]+$/i.test(value)) return BigInt(value)
  throw usageFailure(
    `The node gave no ${what}.`,
    "Use another node with --rpc, or sign elsewhere and give --raw."
  )
}

const baseFee = async (rpc: Rpc): Promise<bigint> => {
  const block = await rpc.call("eth_getBlockByNumber", ["latest", false])
  return quantity(Object(block).baseFeePerGas, "base fee")
}

/** Fits 256 bits, as every amount in a transaction. */
const amount = (input: Input, flag: string, unit: string): bigint | undefined => {
  const text = input.value(flag)
  if (text === undefined) return undefined
  return /^[0-9]{1,77}$/.test(text)
    ? BigInt(text)
    : input.fail(`--${flag} takes ${unit} in digits, not "${text}".`)
}

/** What the command line gives for signing, each flag looked at. */
export const signingMeans = (input: Input) => {
  const gas = amount(input, "gas", "units of gas")
  const fee = amount(input, "max-fee", "wei")
  const tip = amount(input, "priority-fee", "wei")
  if (fee !== undefined && tip !== undefined && tip > fee)
    return input.fail(`--priority-fee ${tip} is above --max-fee ${fee}, which holds it too.`)
  return { rpc: rpcAt(input.neededValue("rpc"), input.variable("rpc")), gas, fee, tip }
}

type Means = ReturnType<typeof signingMeans>

/** A suggested tip gives way to the cap that was given. */
const tipBelow = async (rpc: Rpc, fee: bigint | undefined): Promise<bigint> => {
  const suggested = quantity(await rpc.call("eth_maxPriorityFeePerGas"), "suggested tip")
  return fee !== undefined && suggested > fee ? fee : suggested
}

const feesOf = async ({ rpc, fee, tip }: Means) => {
  const maxPriorityFeePerGas = tip ?? (await tipBelow(rpc, fee))
  const maxFeePerGas = fee ?? 2n * (await baseFee(rpc)) + maxPriorityFeePerGas
  return { maxFeePerGas, maxPriorityFeePerGas }
}

export const requireChain = async (rpc: Rpc, chainId: number): Promise<void> => {
  const served = Number(quantity(await rpc.call("eth_chainId"), "chain id"))
  if (served !== chainId)
    throw usageFailure(
      `The node serves chain ${served}; the call is on chain ${chainId}.`,
      "Give that chain's node."
    )
}

/** The call with the wallet's next nonce and current fees; `estimatedGas` is asked for only where no limit is given. */
export const transactionFor = async (
  input: Input,
  wallet: string,
  call: Call,
  estimatedGas: () => Promise<bigint>
): Promise<UnsignedTransaction> => {
  const means = signingMeans(input)
  const { rpc } = means
  await requireChain(rpc, call.chainId)
  const nonce = quantity(await rpc.call("eth_getTransactionCount", [wallet, "pending"]), "nonce")
  return {
    chainId: call.chainId,
    to: call.to,
    data: call.data,
    value: BigInt(call.value),
    nonce: Number(nonce),
    gas: means.gas ?? ((await estimatedGas()) * 5n) / 4n,
    ...(await feesOf(means))
  }
}
