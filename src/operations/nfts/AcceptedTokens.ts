/** Whether terminals can account for the tokens that a launch accepts, in the currencies that it prices in. */
import { Effect } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { Uint256 } from "../../values/Scalars.ts"
import { NATIVE_TOKEN } from "../shared/Allowance.ts"
import { AT_ONCE } from "../shared/context/Core.ts"
import type { AccountingContextInput } from "../shared/inputs/Configuration.ts"
import { MissingPriceFeed, TokenDecimalsMismatch } from "./refusals.ts"

/** Feeds of a new project can only be those that all projects share. */
const ANY_PROJECT = "0"

const requireDecimals = Effect.fnUntraced(function* (
  { readAt }: PinnedSnapshot,
  { token, decimals }: AccountingContextInput
) {
  if (token === NATIVE_TOKEN) return
  const mismatch = (actual: string | null) =>
    new TokenDecimalsMismatch({ context: { token, decimals, actual } })
  const asked = readAt("JBERC20", token, "decimals", [], Uint256)
  const actual = yield* Effect.catchTags(asked, {
    CALL_REVERTED: () => mismatch(null),
    DEPLOYMENT_CODE_MISSING: () => mismatch(null)
  })
  if (actual !== String(decimals)) return yield* mismatch(actual)
})

const requirePrice = Effect.fnUntraced(function* (
  { read }: PinnedSnapshot,
  { token, decimals, currency }: AccountingContextInput,
  pricingCurrency: number
) {
  if (currency === pricingCurrency) return
  const missing = new MissingPriceFeed({ context: { token, currency, pricingCurrency } })
  const args = [ANY_PROJECT, String(currency), String(pricingCurrency), String(decimals)] as const
  const asked = read("JBPrices", "pricePerUnitOf", args, Uint256)
  const price = yield* Effect.catchTag(asked, "CALL_REVERTED", () => missing)
  if (price === "0") return yield* missing
})

/** One round trip; every token has to have a price in every one of the currencies. */
export const requireAccepted = Effect.fn("Shops.requireAccepted")(function* (
  snapshot: PinnedSnapshot,
  contexts: ReadonlyArray<AccountingContextInput>,
  currencies: ReadonlyArray<number>
) {
  const pricings = contexts.flatMap(context =>
    [...new Set(currencies)].map(currency => requirePrice(snapshot, context, currency))
  )
  const answers = yield* eachAtOnce({
    decimals: Effect.forEach(contexts, context => requireDecimals(snapshot, context), AT_ONCE),
    prices: Effect.all(pricings, AT_ONCE)
  })
  yield* answers.decimals
  yield* answers.prices
})
