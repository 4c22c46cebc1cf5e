/** What a provider really keeps of its bundles, whatever it says of them. */
import { readFileSync } from "node:fs"
import type { Address } from "viem"
import type { PublicationAnswer } from "../../../sandbox/provider/Answers.ts"
import type { Bundle } from "../../../sandbox/provider/Book.ts"
import { paymentData } from "../../../sandbox/provider/PaymentContract.ts"

/** The newest line of each counts. */
export const bundlesIn = (file: string): ReadonlyArray<Bundle> => {
  const [, ...lines] = readFileSync(file, "utf8").split("\n").slice(0, -1)
  const bundles = lines.map((line): Bundle => JSON.parse(line))
  return [...new Map(bundles.map(bundle => [bundle.uuid, bundle])).values()]
}

/** What it would have asked for had it been honest. */
export const honestPrice = ({ uuid, amount, deadline }: Bundle, target: Address): PublicationAnswer => ({
  bundle_uuid: uuid,
  payment_info: [
    {
      chain: 31_337,
      target,
      token: "0x000000000000000000000000000000000000EEEe",
      amount,
      calldata: paymentData(uuid, deadline),
      payment_deadline: deadline
    }
  ]
})

/** Nothing more will come of it by its provider's doing. */
export const isSettled = ({ paid, conduct, sends }: Bundle): boolean =>
  (paid !== undefined || conduct === "executes-unpaid") &&
  sends.every(({ state }) => state === "success" || state === "failed")
