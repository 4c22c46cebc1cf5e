/** A payment for tiers, as a scripted chain prices and foretells it. */
import { Effect } from "effect"
import { AbiCoder, dataSlice, id } from "ethers"
import { runPrepare721Pay } from "../../../../src/operations/nfts/prepare_721_pay/Run.ts"
import { runQuote721Pay } from "../../../../src/operations/nfts/quote_721_pay/Run.ts"
import { PinnedContracts } from "../../../../src/protocol/PinnedContracts.ts"
import type { Address } from "../../../../src/values/Scalars.ts"
import { type Contracts, REVERTED } from "../../support/Contracts.ts"
import { NATIVE, PROJECT, ruleset, ZERO } from "../../support/Revnets.ts"
import { HOOK, hookCall, shop, storeCall, tier } from "../../support/Shops.ts"

const coder = AbiCoder.defaultAbiCoder()
export const ACCOUNT: Address = "0x0000000000000000000000000000000000001111"
export const BENEFICIARY: Address = "0x0000000000000000000000000000000000002222"
export const AMOUNT = 2_000n
export const CREDITS = 300n
export const TIERS = [5, 9, 5]
export const TOKENS = [5_000_000_001n, 9_000_000_007n, 5_000_000_002n]
export const PRICE_IN_ETHER = 5n * 10n ** 14n

export const input = {
  project: { chainId: 1, projectId: "7" },
  account: ACCOUNT,
  token: NATIVE,
  amount: String(AMOUNT),
  beneficiary: ACCOUNT,
  tierIds: TIERS
}

/** Written out from the layout that section 0.8 describes. */
export const metadataOf = (world: Contracts, allowOverspending = false) => {
  const target = BigInt(dataSlice(world.at("JB721TiersHook"), 0, 4))
  const entry = (target ^ BigInt(dataSlice(id("pay"), 0, 4))).toString(16).padStart(8, "0")
  const value = coder.encode(["bool", "uint16[]"], [allowOverspending, TIERS]).slice(2)
  return `0x${"00".repeat(32)}${`${entry}02`.padEnd(64, "0")}${value}`
}

export const preview = (world: Contracts, beneficiary = ACCOUNT, metadata = metadataOf(world)) => ({
  contract: "JBMultiTerminal",
  function: "previewPayFor",
  args: [PROJECT, NATIVE, AMOUNT, beneficiary, metadata]
})

export const specification = (changes: Readonly<Record<string, unknown>> = {}) => ({
  hook: HOOK,
  noop: false,
  amount: 0n,
  metadata: "0x",
  ...changes
})

export const minting = (amount: bigint) => ({
  contract: "JB721TiersHookStore",
  function: "recordMint",
  args: [amount, TIERS, false]
})

const context = {
  contract: "JBMultiTerminal",
  function: "accountingContextForTokenOf",
  args: [PROJECT, NATIVE]
}
export const primary = { contract: "JBDirectory", function: "primaryTerminalOf", args: [PROJECT, NATIVE] }
export const price = {
  contract: "JBPrices",
  function: "pricePerUnitOf",
  args: [PROJECT, 61_166n, 1n, 18n]
}

export const chain = Effect.map(shop, world =>
  world
    .says(primary, world.at("JBMultiTerminal"))
    .says({ contract: "JBDirectory", function: "terminalsOf", args: [PROJECT] }, [
      world.at("JBMultiTerminal")
    ])
    .says({ contract: "JBRouterTerminalRegistry", function: "terminalOf", args: [PROJECT] }, ZERO)
    .says({ contract: "JBBuybackHookRegistry", function: "hookOf", args: [PROJECT] }, ZERO)
    .says({ contract: "REVOwner", function: "BUYBACK_HOOK" }, world.at("JBBuybackHookRegistry"))
    .says(context, { token: NATIVE, decimals: 18, currency: 61_166 })
    .says(hookCall("pricingContext"), [61_166n, 18n])
    .says(hookCall("PRICES"), world.at("JBPrices"))
    .says(hookCall("payCreditsOf", [ACCOUNT]), CREDITS)
    .says(hookCall("payCreditsOf", [BENEFICIARY]), CREDITS)
    .says(storeCall("tierOf", 5n, false), tier(5))
    .says(storeCall("tierOf", 9n, false), tier(9, { price: 500n, discountPercent: 0 }))
    .says(preview(world), [ruleset(), 800n, 200n, [specification()]])
    .tells({ ...preview(world), contract: "JBRouterTerminalRegistry" }, REVERTED)
    .says(minting(AMOUNT + CREDITS), [TOKENS, 0n, 500n])
)

export const answered = Effect.fn("answered")(function* (
  change: (world: Contracts) => Contracts,
  given: Readonly<Record<string, unknown>> = {}
) {
  const world = yield* Effect.map(chain, change)
  const { answer, ...rest } = yield* world.answers(runQuote721Pay, { ...input, ...given })
  return { answer: Object(answer), ...rest }
})

/** What the plan is refused with. */
export const unplanned = Effect.fn("unplanned")(function* (change: (world: Contracts) => Contracts) {
  const world = yield* Effect.map(chain, change)
  const pinned = yield* Effect.fromNullable(world.pinned)
  const { draft } = yield* runPrepare721Pay.prepare(input)
  const { _tag } = yield* Effect.flip(Effect.provideService(draft, PinnedContracts, pinned))
  return _tag
})
