/** What the command line gives for signing a planned call: the node, and what of the transaction is decided already. */
import type { TransactionTerms } from "../client/PlannedTransaction.ts"
import type { Eip1193Provider } from "../client/Signer.ts"
import type { Flag } from "./Command.ts"
import type { Input } from "./Input.ts"
import { rpcAt } from "./Rpc.ts"

export const rpcFlag = (help: string): Flag => ({ name: "rpc", value: "<URL>", env: "FUNDING_RPC", help })

export const signingFlags: ReadonlyArray<Flag> = [
  rpcFlag(
    "A node of the call's chain, for nonce and fees; that of the local chain is found while npm start runs in this folder."
  ),
  { name: "gas", value: "<units>", help: "Gas limit; by default the simulation's estimate and a quarter." },
  { name: "max-fee", value: "<wei>", help: "Fee cap per gas; by default twice the base fee and the tip." },
  { name: "priority-fee", value: "<wei>", help: "Tip per gas; by default the node's suggestion." }
]

/** Fits 256 bits, as every amount in a transaction. */
const amount = (input: Input, flag: string, unit: string): bigint | undefined => {
  const text = input.value(flag)
  if (text === undefined) return undefined
  return /^[0-9]{1,77}$/.test(text)
    ? BigInt(text)
    : input.fail(`--${flag} takes ${unit} in digits, not "${text}".`)
}

/** Each flag looked at. */
export const signingTerms = (input: Input): TransactionTerms => {
  const gas = amount(input, "gas", "units of gas")
  const fee = amount(input, "max-fee", "wei")
  const tip = amount(input, "priority-fee", "wei")
  if (fee !== undefined && tip !== undefined && tip > fee)
    return input.fail(`--priority-fee ${tip} is above --max-fee ${fee}, which holds it too.`)
  return { gas, maxFeePerGas: fee, maxPriorityFeePerGas: tip }
}

/** The node that --rpc names. */
export const nodeOf = (input: Input): Eip1193Provider => {
  const rpc = rpcAt(input.neededValue("rpc"), input.variable("rpc"))
  return { request: ({ method, params }) => rpc.call(method, params) }
}
