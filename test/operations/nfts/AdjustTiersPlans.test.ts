import { encodeAbiParameters, keccak256, parseEther, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { REVNET_ID } from "../../../sandbox/families/revnets.ts"
import { shopHookOf } from "../../../sandbox/families/shops.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import { prepare, prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { newPayer } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { at, send, shopProject, tier, tiersOf } from "../support/ShopPlans.ts"

const bench = await startPlanBench()
const hook = checksummed(shopHookOf(bench.manifest.accounts.owner))

afterAll(() => bench.stop())

const ADJUST_721_TIERS = 24
const MAX_TIER_ID_SLOT = 1n
const revnet = { chainId: 31337, projectId: String(REVNET_ID) }

const adjustment = (over: object = {}) => ({
  project: shopProject,
  account: bench.projectOwner.key.address,
  tiersToAdd: [tier({ category: 0 }), tier({ price: "5", flags: { cantBeRemoved: true } })],
  tierIdsToRemove: [1],
  ...over
})

/** Half of what a tier splits. */
const partTo = (projectId: string) => ({
  percent: 500_000_000,
  projectId,
  beneficiary: bench.manifest.accounts.beneficiary,
  preferAddToBalance: false,
  lockedUntil: "0",
  hook: zeroAddress
})

const ids = async () => (await tiersOf(bench, hook)).map(({ id }) => id)

/** As if the shop had this many tiers. */
const withMaxTierId = async (maxTierId: bigint, work: () => Promise<void>) => {
  const store = at(bench, "JB721TiersHookStore")
  const key = encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [hook, MAX_TIER_ID_SLOT])
  const slot = keccak256(key)
  const before = await rpc(bench.chain.url, "eth_getStorageAt", [store, slot, "latest"])
  const set = (word: unknown) => rpc(bench.chain.url, "anvil_setStorageAt", [store, slot, word])
  await set(encodeAbiParameters([{ type: "uint256" }], [maxTierId]))
  await rpc(bench.chain.url, "anvil_mine")
  await work()
  await set(before)
  await rpc(bench.chain.url, "anvil_mine")
}

describe("prepare_adjust_tiers", () => {
  it("plans the tiers that the shop then has, and tells what they become", async () => {
    assert.deepStrictEqual(await ids(), [1, 2, 3])
    const plan = await prepared(bench, bench.projectOwner, "prepare_adjust_tiers", adjustment())
    assert.strictEqual(plan.operation, "721_adjust_tiers")
    assert.strictEqual(plan.calls[0]?.to, hook)
    const summary = Object(plan.summary)
    assert.deepInclude(summary, {
      hook,
      permission: { required: "ADJUST_721_TIERS", id: ADJUST_721_TIERS, by: "owner" },
      pricing: { status: "known", value: { currency: "1", decimals: "18" } },
      firstNewTierId: "4",
      addedTierCount: 2,
      removedTierCount: 1
    })
    assert.deepStrictEqual(summary.newTiers, [
      {
        tierId: "4",
        category: 0,
        price: String(parseEther("2")),
        effectivePrice: String(parseEther("1.5")),
        initialSupply: 7
      },
      { tierId: "5", category: 4, price: "5", effectivePrice: "4", initialSupply: 7 }
    ])
    assert.deepInclude(summary.removedTiers[0], { id: "1", effectivePrice: String(parseEther("0.1")) })
    assert.include(plan.warnings, "New tiers that can never be removed: 5.")
    await relayed(bench, bench.projectOwner, plan)
    assert.deepStrictEqual(await ids(), [4, 2, 3, 5])
    const [added] = await tiersOf(bench, hook)
    assert.deepInclude(added, { id: 4, price: parseEther("2"), initialSupply: 7, discountPercent: 50 })
  })

  it("lets an account with the owner's permission adjust, and no other", async () => {
    const operator = await newPayer(bench)
    const theirs = adjustment({ account: operator.key.address, tierIdsToRemove: [3] })
    assert.strictEqual(await refused(bench, operator, "prepare_adjust_tiers", theirs), "PERMISSION_DENIED")
    const { address } = bench.projectOwner.key
    await send(bench, address, at(bench, "JBPermissions"), "setPermissionsFor", [
      address,
      { operator: operator.key.address, projectId: 3n, permissionIds: [ADJUST_721_TIERS] }
    ])
    const plan = await prepared(bench, operator, "prepare_adjust_tiers", theirs)
    assert.strictEqual(Object(plan.summary).permission.by, "permission")
    await relayed(bench, operator, plan)
    assert.notInclude(await ids(), 3)
  })

  it("lets the operator of a revnet adjust its shop", async () => {
    const input = adjustment({ project: revnet, tiersToAdd: [tier()], tierIdsToRemove: [] })
    const plan = await prepared(bench, bench.projectOwner, "prepare_adjust_tiers", input)
    const { hook: itsHook, permission } = Object(plan.summary)
    assert.strictEqual(permission.by, "permission")
    assert.notStrictEqual(itsHook, hook)
    await relayed(bench, bench.projectOwner, plan)
    assert.deepStrictEqual(
      (await tiersOf(bench, itsHook)).map(({ id }) => id),
      [1]
    )
  })

  it("warns of tiers whose splits go to nobody or to the project itself", async () => {
    const splits = [partTo("3"), partTo("7777")]
    const input = adjustment({ tiersToAdd: [tier({ splitPercent: 1, splits })], tierIdsToRemove: [] })
    const { warnings } = await prepared(bench, bench.projectOwner, "prepare_adjust_tiers", input)
    assert.includeMembers(
      [...warnings],
      [
        "A split of a tier names project 3 itself: what a sale sends to the project itself is no part for somebody else.",
        "Splits of tiers name project 7777, which the chain does not have: what a sale sends there cannot be paid in, until somebody else makes a project of that id."
      ]
    )
  })

  it("refuses what the shop does not take before there is a plan", async () => {
    const removing = (...tierIdsToRemove: ReadonlyArray<number>) => ({ tiersToAdd: [], tierIdsToRemove })
    const adding = (over: Parameters<typeof tier>[0]) => ({ tiersToAdd: [tier(over)], tierIdsToRemove: [] })
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ project: { ...shopProject, projectId: "99" } }, "PROJECT_NOT_FOUND"],
      [{ project: { ...shopProject, projectId: "2" } }, "NO_721_SHOP"],
      [{ project: { ...shopProject, chainId: 10 } }, "UNSUPPORTED_CHAIN"],
      [{ account: bench.manifest.accounts.holder }, "PLAN_ACCOUNT_MISMATCH"],
      [removing(), "INVALID_INPUT"],
      [removing(2, 2), "INVALID_INPUT"],
      [{ tiersToAdd: [tier({ category: 5 }), tier({ category: 4 })] }, "INVALID_INPUT"],
      [adding({ flags: { allowOwnerMint: true } }), "NFT_FLAG_CONFLICT"],
      [adding({ reserveFrequency: 2 }), "NFT_RESERVE_BENEFICIARY_REQUIRED"],
      [removing(2), "NFT_TIER_NOT_REMOVABLE"],
      [removing(77), "NFT_TIER_NOT_REMOVABLE"],
      [removing(1), "NFT_TIER_NOT_REMOVABLE"]
    ]
    for (const [over, code] of cases)
      assert.strictEqual(
        await refused(bench, bench.projectOwner, "prepare_adjust_tiers", adjustment(over)),
        code,
        JSON.stringify(over)
      )
  })

  it("refuses more tiers than a shop can have", () =>
    withMaxTierId(65_534n, async () => {
      const two = adjustment({ tierIdsToRemove: [] })
      const { status, body } = await prepare(bench, bench.projectOwner, "prepare_adjust_tiers", two)
      assert.deepStrictEqual([status, Object(body).code], [422, "MAX_TIERS_EXCEEDED"])
      const one = adjustment({ tierIdsToRemove: [], tiersToAdd: [tier()] })
      const plan = await prepared(bench, bench.projectOwner, "prepare_adjust_tiers", one)
      assert.strictEqual(Object(plan.summary).firstNewTierId, "65535")
    }))

  it("takes three round trips from a process that has asked nothing yet, for the owner and for who is permitted", async () => {
    const operator = await newPayer(bench)
    const { address } = bench.projectOwner.key
    await send(bench, address, at(bench, "JBPermissions"), "setPermissionsFor", [
      address,
      { operator: operator.key.address, projectId: 3n, permissionIds: [ADJUST_721_TIERS] }
    ])
    const adding = { tiersToAdd: [tier()], tierIdsToRemove: [] }
    const asked = [
      [bench.projectOwner, adjustment(adding)],
      [operator, adjustment({ ...adding, account: operator.key.address })],
      [bench.projectOwner, adjustment({ ...adding, project: revnet })]
    ] as const
    for (const [party, input] of asked) {
      const cold = { service: await bench.replica() }
      const { roundTrips } = await bench.node.during(() =>
        prepared(cold, party, "prepare_adjust_tiers", input)
      )
      await cold.service.stop()
      assert.isAtMost(roundTrips, 3)
    }
  })
})
