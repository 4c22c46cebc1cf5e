import { type Address, getAddress, parseAbi, parseEther, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { SHOP_PROJECT_ID, shopHookOf } from "../../../sandbox/families/shops.ts"
import type { Plan } from "../../../src/plans/Plan.ts"
import { holder, onSandbox } from "../../sandbox/support/Sandbox.ts"
import { prepare, prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"

const SHOP = { chainId: 31337, projectId: String(SHOP_PROJECT_ID) }
const OTHER = "0x00000000000000000000000000000000000000AA"

const bench = await startPlanBench()
const chain = onSandbox(bench.chain.url, bench.manifest)
const hook = getAddress(shopHookOf(bench.manifest.accounts.owner))

afterAll(() => bench.stop())

/** Tier 1 costs a tenth of an ether, 2 nine tenths of one, 3 half of one and no credits. */
const payment = (over: object = {}) => ({
  project: SHOP,
  account: holder.address,
  beneficiary: holder.address,
  token: NATIVE_TOKEN,
  amount: String(parseEther("1.1")),
  tierIds: [1, 2, 1],
  ...over
})

const abi = parseAbi([
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function payCreditsOf(address account) view returns (uint256)"
])

const shop = () => ({ abi, address: hook })

const ownerOf = (tokenId: string) =>
  chain.client.readContract({ ...shop(), functionName: "ownerOf", args: [BigInt(tokenId)] })

const creditsOf = (account: Address) =>
  chain.client.readContract({ ...shop(), functionName: "payCreditsOf", args: [account] })

const summaryOf = ({ summary }: Plan) => Object(summary)

const plan = (over: object = {}) => prepared(bench, bench.holder, "prepare_721_pay", payment(over))

const refusal = (over: object = {}) =>
  refused(bench, bench.holder, "prepare_721_pay", payment({ beneficiary: OTHER, ...over }))

describe("prepare_721_pay", () => {
  it("plans a payment that mints each tier as often as it is bought, which the relay proves", async () => {
    const made = await plan()
    const summary = summaryOf(made)
    assert.strictEqual(made.operation, "721_pay")
    assert.deepInclude(summary, {
      hook,
      leftoverNFTCredits: "0",
      normalizedPayment: String(parseEther("1.1"))
    })
    const ids: ReadonlyArray<string> = summary.indicativeTokenIds
    assert.deepStrictEqual(
      ids.map(tokenId => BigInt(tokenId) / 1_000_000_000n),
      [1n, 2n, 1n]
    )
    assert.isTrue(made.warnings.some(warning => /no longer names this hook/.test(warning)))
    const shown = await relayed(bench, bench.holder, made)
    const mints = Object(shown.steps[0]).semantic.events.filter(
      ({ event }: { readonly event: string }) => event === "Mint"
    )
    assert.deepStrictEqual(
      mints.map(({ tokenId }: { readonly tokenId: string }) => tokenId),
      ids
    )
    for (const tokenId of ids) assert.strictEqual(await ownerOf(tokenId), holder.address)
    assert.strictEqual(await creditsOf(holder.address), 0n)
  })

  it("leaves credits where that is allowed, and spends them on what they may buy", async () => {
    assert.strictEqual(await refusal({ amount: String(parseEther("0.3")), tierIds: [1] }), "NFT_OVERSPENDING")
    const over = { amount: String(parseEther("0.3")), tierIds: [1], allowOverspending: true }
    const generous = await plan(over)
    assert.deepInclude(summaryOf(generous), {
      priorNFTCredits: "0",
      resultingNFTCredits: String(parseEther("0.2"))
    })
    await relayed(bench, bench.holder, generous)
    assert.strictEqual(await creditsOf(holder.address), parseEther("0.2"))
    const restricted = { beneficiary: holder.address, amount: String(parseEther("0.3")), tierIds: [3] }
    assert.strictEqual(await refusal(restricted), "NFT_CREDITS_RESTRICTED")
    const spending = await plan({ amount: String(parseEther("0.1")), tierIds: [1, 1, 1] })
    assert.deepInclude(summaryOf(spending), {
      usableNFTCredits: String(parseEther("0.2")),
      resultingNFTCredits: "0"
    })
    await relayed(bench, bench.holder, spending)
    assert.strictEqual(await creditsOf(holder.address), 0n)
  })

  it("mints for another beneficiary, whose credits stay", async () => {
    const made = await plan({ beneficiary: OTHER, amount: String(parseEther("0.5")), tierIds: [3] })
    const [tokenId] = summaryOf(made).indicativeTokenIds
    await relayed(bench, bench.holder, made)
    assert.strictEqual(await ownerOf(tokenId), OTHER)
  })

  it("is proved as well where it was prepared as any payment with the same metadata", async () => {
    const { metadata } = summaryOf(await plan({ beneficiary: OTHER }))
    const { tierIds: _, ...paid } = payment({ beneficiary: OTHER })
    const made = await prepared(bench, bench.holder, "prepare_pay", { ...paid, metadata })
    const shown = await relayed(bench, bench.holder, made)
    const { events } = Object(shown.steps[0]).semantic
    assert.deepStrictEqual(
      events.map(({ event }: { readonly event: string }) => event),
      ["Pay", "Mint", "Mint", "Mint"]
    )
  })

  it("is told in the shop's own words why it would not take a payment that was not prepared for tiers alone", async () => {
    const { metadata } = summaryOf(await plan({ beneficiary: OTHER }))
    const { tierIds: _, ...paid } = payment({ beneficiary: OTHER, amount: String(parseEther("1")) })
    const { status, body } = await prepare(bench, bench.holder, "prepare_pay", { ...paid, metadata })
    assert.deepStrictEqual([status, Object(body).code], [422, "SIMULATION_REVERTED"])
    assert.strictEqual(Object(body).context.revert.name, "JB721TiersHookStore_PriceExceedsAmount")
  })

  it("refuses what would not mint these tiers, before any plan exists", async () => {
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ project: { chainId: 31337, projectId: "999" } }, "PROJECT_NOT_FOUND"],
      [{ project: { chainId: 31337, projectId: "2" } }, "NO_721_SHOP"],
      [{ project: { chainId: 10, projectId: "3" } }, "UNSUPPORTED_CHAIN"],
      [{ token: bench.manifest.seeded.token }, "NO_PAYMENT_ROUTE"],
      [{ amount: String(parseEther("1")) }, "SIMULATION_REVERTED"],
      [{ amount: String(parseEther("2")) }, "NFT_OVERSPENDING"],
      [{ tierIds: [9] }, "SIMULATION_REVERTED"],
      [{ tierIds: [] }, "INVALID_INPUT"],
      [{ tierIds: [0] }, "INVALID_INPUT"],
      [{ amount: "0" }, "INVALID_INPUT"],
      [{ beneficiary: zeroAddress }, "INVALID_INPUT"],
      [{ slippageBps: 1001 }, "INVALID_INPUT"],
      [{ account: bench.projectOwner.key.address }, "PLAN_ACCOUNT_MISMATCH"],
      [{ amount: String(parseEther("20000")), allowOverspending: true }, "INSUFFICIENT_BALANCE"]
    ]
    for (const [over, code] of cases) assert.strictEqual(await refusal(over), code, JSON.stringify(over))
  })
})
