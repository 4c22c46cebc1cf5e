import { isAddress } from "viem"
import { usageFailure } from "../Failure.ts"
import { foreign } from "../ForeignText.ts"
import { sessionPayment } from "./SessionPayment.ts"
import {
  address,
  amountField,
  integerField,
  memoField,
  slippage,
  textField,
  token,
  type Verb,
  walletBy
} from "./Verb.ts"

const LAST_CURRENCY = 4_294_967_295n

/** The currency of an accounting context is, as a rule, the end of its token's address. */
const currencyOf = (paid: unknown): number => {
  if (typeof paid === "string" && isAddress(paid, { strict: false }))
    return Number(BigInt(paid) & LAST_CURRENCY)
  throw usageFailure(
    `The file's token is no address: ${foreign(String(paid), 100)}.`,
    "Give an address there, or leave it out and give --token."
  )
}

const terminal = address("terminal", "terminal", "The terminal; the chain's multi terminal by default.")

export const payments: ReadonlyArray<Verb> = [
  {
    name: "pay",
    operation: "prepare_pay",
    summary: "Pay a project; what comes back is quoted, floored and approved exactly where a token needs it.",
    example: "service pay --project 2 --amount 0.5ether",
    about: "project",
    fields: [
      token("token", "What is paid"),
      amountField("amount", "amount", "ether", "How much"),
      walletBy("beneficiary", "beneficiary", "Who gets the project's tokens"),
      slippage,
      memoField,
      textField("metadata", "<hex>", "metadata", "For the project's hooks.")
    ],
    underSession: sessionPayment
  },
  {
    name: "cash-out",
    operation: "prepare_cash_out",
    summary: "Cash out a project's tokens for what they reclaim.",
    example: "service cash-out --project 2 --count 100tokens",
    about: "project",
    fields: [
      amountField("count", "cashOutCount", "tokens", "How many tokens"),
      token("tokenToReclaim", "What is reclaimed"),
      walletBy("holder", "holder", "Whose tokens they are"),
      walletBy("beneficiary", "beneficiary", "Who gets what is reclaimed"),
      slippage,
      terminal
    ]
  },
  {
    name: "payout",
    operation: "prepare_payout",
    summary: "Pay out of a project to its splits, within the payout limit.",
    example: "service payout --project 2 --amount 1ether",
    about: "project",
    fields: [
      token("token", "What is paid out"),
      amountField("amount", "amount", "ether", "How much, in the currency of the payout limit"),
      integerField("currency", "<id>", "currency", "The limit's currency; by default that of the token.", {
        otherwise: ({ token: paid }) => currencyOf(paid)
      }),
      slippage,
      terminal
    ]
  }
]
