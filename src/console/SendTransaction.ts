/** A planned call that the wallet itself sends, for wallets that sign no transaction without sending it. */
import { numberToHex } from "viem"
import { WalletChainMismatch } from "../client/Errors.ts"
import type { Call } from "../plans/Plan.ts"
import { nativeAmount } from "../review/Amounts.ts"
import { exact, type ReviewRow, row, toned } from "../review/Words.ts"
import type { Desk } from "./Desk.ts"
import { agreed } from "./Prompt.ts"
import type { SendingFees } from "./SuggestedFees.ts"
import { chainIdOf } from "./Wallet.ts"

/** The nonce is the wallet's own. */
const parametersOf = ({ wallet }: Desk, call: Call, { gas, feeCap, tip }: SendingFees) => ({
  from: wallet,
  to: call.to,
  value: numberToHex(BigInt(call.value)),
  data: call.data,
  chainId: numberToHex(call.chainId),
  ...(gas !== undefined && { gas: numberToHex(gas) }),
  ...(feeCap !== undefined && { maxFeePerGas: numberToHex(feeCap) }),
  ...(tip !== undefined && { maxPriorityFeePerGas: numberToHex(tip) })
})

export const sendRows = (
  { wallet }: Desk,
  call: Call,
  { gas, feeCap }: SendingFees
): ReadonlyArray<ReviewRow> => [
  row("from", exact(wallet)),
  row("to", exact(call.to)),
  toned("key", row("value", ...nativeAmount(call.value))),
  ...(gas === undefined ? [] : [row("gas limit, suggested", exact(gas))]),
  ...(feeCap === undefined ? [] : [row("fee cap per gas, suggested", ...nativeAmount(String(feeCap)))])
]

/** Each tells the person why the wallet may not be asked. */
export interface SendChecks {
  /** Whether it still has to be sent. */
  readonly isDue: () => Promise<boolean>
  /** At the last moment. */
  readonly begins: () => boolean
}

/** What the wallet answers; undefined where it may not be asked. */
export const sendBy = async (
  desk: Desk,
  call: Call,
  fees: SendingFees,
  about: ReadonlyArray<ReviewRow>,
  { isDue, begins }: SendChecks
): Promise<string | undefined> => {
  await agreed({
    title: "Send the transaction",
    intro:
      "The wallet sends this call to the chain at once: no signed bytes can be looked at before they leave. Compare what the wallet shows, and decline a batch or another account. What was sent is then compared with the plan.",
    rows: [...about, ...sendRows(desk, call, fees)],
    digests: [],
    action: "Continue in the wallet"
  })
  if (!(await isDue())) return undefined
  const connected = await chainIdOf(desk.provider)
  if (connected !== call.chainId) throw new WalletChainMismatch(call.chainId, connected)
  if (!begins()) return undefined
  const params = [parametersOf(desk, call, fees)]
  return String(await desk.provider.request({ method: "eth_sendTransaction", params }))
}
