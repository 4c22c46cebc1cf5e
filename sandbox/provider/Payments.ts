/** The contract where the provider is paid, put on the chain unless it stands there. */
import { type Address, type Hex, keccak256 } from "viem"
import { Chain } from "./Chain.ts"
import { type Placed, paymentContract } from "./PaymentContract.ts"

export const standingContract = async (chain: Chain): Promise<Placed> => {
  const payments = paymentContract(chain.provider)
  await chain.fund()
  await chain.place(payments)
  return payments
}

export interface PaymentPin {
  readonly address: Address
  readonly runtimeCodeHash: Hex
}

/** For whoever runs a service beside the provider, before there is one. */
export const placePayments = async (rpcUrl: string): Promise<PaymentPin> => {
  const chain = new Chain(rpcUrl)
  const { address } = await standingContract(chain)
  const code = await chain.client.getCode({ address })
  if (code === undefined) throw new Error(`The provider's contract is not at ${address}.`)
  return { address, runtimeCodeHash: keccak256(code) }
}
