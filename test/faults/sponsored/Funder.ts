/** Somebody who pays a provider for what it was published, whoever told of it. */
import { toHex } from "viem"
import type { PublicationAnswer } from "../../../sandbox/provider/Answers.ts"
import { rpc } from "../../support/Rpc.ts"
import { takingTurns } from "../../support/TakingTurns.ts"

/** Of the development accounts, whose keys the node has, the one by which no campaign sends anything else. */
const FUNDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const GAS = 150_000

const inTurn = takingTurns()

export const payFor = async (url: string, { payment_info: [payment] }: PublicationAnswer): Promise<void> => {
  if (payment === undefined) return
  const { target: to, calldata: data, amount } = payment
  const transaction = { from: FUNDER, to, data, value: toHex(BigInt(amount)), gas: toHex(GAS) }
  await inTurn(() => rpc(url, "eth_sendTransaction", [transaction]))
}
