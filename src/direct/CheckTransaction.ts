/** Whether a signed transaction is exactly the planned call; no chain is asked. */
import { Effect } from "effect"
import type { Call } from "../plans/Plan.ts"
import { Settings } from "../settings/Settings.ts"
import { stage } from "../telemetry/Requests.ts"
import { SignedPlanMismatch } from "./refusals.ts"
import { parseSignedTransaction, type SignedTransaction } from "./SignedTransaction.ts"
import { InvalidSignedTransaction } from "./transactionRefusals.ts"

const HEX = /^0x(?:[0-9a-f]{2})+$/

const isHex = (text: string): text is `0x${string}` => HEX.test(text)

export const parseRaw = Effect.fnUntraced(function* (text: string) {
  const { plans } = yield* Settings
  const raw = text.toLowerCase()
  if (!isHex(raw))
    return yield* new InvalidSignedTransaction({
      context: {
        path: "rawSignedTransaction",
        expected: "0x and the serialized signed transaction in hexadecimal"
      }
    })
  return yield* parseSignedTransaction(raw, plans.maximumRawBytes)
}, stage("CheckTransaction.parse"))

const mismatches = (transaction: SignedTransaction, call: Call, wallet: string): ReadonlyArray<string> => {
  const equal: Readonly<Record<string, boolean>> = {
    chainId: transaction.chainId === call.chainId,
    sender: transaction.sender.toLowerCase() === wallet.toLowerCase(),
    to: transaction.to.toLowerCase() === call.to.toLowerCase(),
    data: transaction.data === call.data,
    value: transaction.value === BigInt(call.value)
  }
  return Object.keys(equal).filter(member => equal[member] === false)
}

export const checkAgainstCall = Effect.fnUntraced(function* (
  transaction: SignedTransaction,
  call: Call,
  wallet: string
) {
  const members = mismatches(transaction, call, wallet)
  if (members.length > 0) return yield* new SignedPlanMismatch({ context: { members } })
})
