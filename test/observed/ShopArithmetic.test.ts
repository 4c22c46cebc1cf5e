import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { converted, creditsAfter, effectivePrice, spendable } from "../../src/operations/nfts/TierPrices.ts"
import { type Call, type RecordedLog, recordingOf } from "./Recording.ts"

const NATIVE = "0x000000000000000000000000000000000000EEEe"

const Launched = Schema.decodeUnknownSync(
  Schema.Struct({
    tiersConfig: Schema.Struct({
      decimals: Schema.NumberFromString,
      tiers: Schema.Array(Schema.Struct({ price: Schema.BigInt, discountPercent: Schema.NumberFromString }))
    })
  })
)

const named = (name: string) => (log: RecordedLog) =>
  log.event.startsWith(`${name}(`) && log.contract.startsWith("721 hook of project")

const amountOf = (log: RecordedLog, name: string): bigint => BigInt(String(log.args[name]))

interface Purchase {
  readonly call: Call
  readonly shop: ReturnType<typeof Launched>["tiersConfig"]
  /** What one unit of the pricing currency costs in that of the payment. */
  readonly price: bigint
  readonly creditsBefore: bigint
  readonly creditsAfter: bigint
}

const isSuccess = (name: string) => (call: Call) =>
  call.revert === undefined && call.function.startsWith(`${name}(`)

/** Payments for tiers of a scenario, with what the shop's buyer had and has left in credits. */
const purchasesIn = (scenario: string, prices: Readonly<Record<string, bigint>>): ReadonlyArray<Purchase> => {
  const credits = new Map<string, bigint>()
  const shops = new Map<string, Purchase["shop"]>()
  return recordingOf(scenario).transactions.flatMap((call): ReadonlyArray<Purchase> => {
    if (isSuccess("launchProjectFor")(call))
      shops.set(
        String(call.result === undefined ? "" : Object.values(Object(call.result))[0]),
        Launched(call.args[1]).tiersConfig
      )
    const [projectId, token, , beneficiary] = call.args.map(String)
    const shop = shops.get(projectId ?? "")
    if (!isSuccess("pay")(call) || shop === undefined) return []
    const whose = `${projectId} ${beneficiary}`
    const changed = call.logs.find(log => named("AddPayCredits")(log) || named("UsePayCredits")(log))
    const creditsBefore = credits.get(whose) ?? 0n
    const left = changed === undefined ? creditsBefore : amountOf(changed, "newTotalCredits")
    credits.set(whose, left)
    const price = prices[token === NATIVE ? "native" : "token"] ?? assert.fail("no price")
    return [{ call, shop, price, creditsBefore, creditsAfter: left }]
  })
}

const purchases = [
  ...purchasesIn("shop-pay", { native: 10n ** 18n }),
  ...purchasesIn("shop-usdc", { native: 333_333_333_333_333n, token: 1_000_000n })
]

describe("what recorded payments were worth to a shop", () => {
  it.each(purchases.map(each => [`${each.call.index} ${each.call.note}`, each] as const))(
    "%s",
    (_, { call, shop, price, creditsBefore, creditsAfter: left }) => {
      const [, , amount, beneficiary] = call.args.map(String)
      const payment = {
        value: converted(BigInt(amount ?? "0"), shop.decimals, price),
        credits: creditsBefore,
        payerIsBeneficiary: call.from === beneficiary
      }
      const mints = call.logs.filter(named("Mint"))
      for (const mint of mints) assert.strictEqual(amountOf(mint, "totalAmountPaid"), spendable(payment))
      const cost = mints.reduce((sum, mint) => {
        const tier = shop.tiers[Number(mint.args.tierId) - 1] ?? assert.fail("no such tier")
        return sum + effectivePrice(tier.price, tier.discountPercent)
      }, 0n)
      assert.strictEqual(creditsAfter(payment, spendable(payment) - cost), left)
    }
  )
})
