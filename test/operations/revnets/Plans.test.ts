import { encodeFunctionData, getAddress, parseAbi, parseEther, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { sandboxUsdOf } from "../../../sandbox/families/routing.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { mine } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import {
  at,
  BENEFICIARY,
  deploying,
  deployingMore,
  HOLDER,
  LATER,
  native,
  post,
  readerOf,
  SALT,
  shop,
  stage,
  sucker
} from "../support/RevnetPlans.ts"

const bench = await startPlanBench()

afterAll(() => bench.stop())

const MINT_721 = 26n
const ADJUST_721_TIERS = 24n

const nextId = async () => {
  const { client, at: contract } = readerOf(bench)
  return (await client.readContract({ ...contract("JBProjects"), functionName: "count" })) + 1n
}

const SOON_SECONDS = 3_600n

const soon = async () => (await readerOf(bench).client.getBlock()).timestamp + SOON_SECONDS

const setCreationFee = (fee: bigint) => {
  const { client, mined } = onSandbox(bench.chain.url, bench.manifest)
  const data = encodeFunctionData({
    abi: parseAbi(["function setCreationFee(uint256 fee, address receiver)"]),
    args: [fee, BENEFICIARY]
  })
  return mined(client.sendTransaction({ account: bench.projectOwner.key, to: at(bench, "JBProjects"), data }))
}

const dollars = () => {
  const token = sandboxUsdOf(bench.manifest.accounts)
  return { token, decimals: 6, currency: Number(BigInt(token) & 0xffff_ffffn) }
}

const withSuckers = (over: object = {}) => ({
  suckerConfig: {
    salt: SALT,
    deployerConfigurations: [sucker(at(bench, "JBOptimismSuckerDeployer"))],
    ...over
  }
})

describe("prepare_revnet_deploy", () => {
  it("plans a revnet with an empty shop, which the relay proves and get_revnet shows", async () => {
    const revnetId = await nextId()
    const start = await soon()
    const stages = [
      stage({
        startsAtOrAfter: String(start),
        issuanceCutFrequency: 0,
        autoIssuances: [
          { chainId: 31337, count: "7", beneficiary: HOLDER },
          { chainId: 1, count: "8", beneficiary: HOLDER }
        ]
      }),
      stage()
    ]
    const input = deploying({ config: { stageConfigurations: stages, operator: BENEFICIARY } })
    const plan = await prepared(bench, bench.projectOwner, "prepare_revnet_deploy", input)
    assert.deepStrictEqual([plan.operation, plan.calls.length], ["revnet_deploy", 1])
    const summary = Object(plan.summary)
    assert.deepInclude(summary, {
      revnetId: null,
      creationFeeWei: "0",
      suckerCount: 0,
      cashOutDelay: { seconds: { status: "known", value: "604800" }, applies: false },
      shop: { configured: false, currency: 1, decimals: 18, tierCount: 0, allowedPostCount: 0 }
    })
    assert.strictEqual(summary.owner.toLowerCase(), at(bench, "REVOwner"))
    assert.deepStrictEqual(summary.stages[0], {
      index: 0,
      startsAtOrAfter: String(start),
      autoIssuances: [{ beneficiary: HOLDER, count: "7" }],
      autoIssuancesElsewhere: 1
    })
    assert.strictEqual(summary.simulation[0].returned.status, "known")
    assert.lengthOf(plan.warnings, 9)

    await relayed(bench, bench.projectOwner, plan)
    await rpc(bench.chain.url, "evm_increaseTime", [Number(2n * SOON_SECONDS)])
    await mine(bench)
    const { client, abi, at: contract } = readerOf(bench)
    const revnetOwner = await client.readContract({
      ...contract("JBProjects"),
      functionName: "ownerOf",
      args: [revnetId]
    })
    assert.strictEqual(revnetOwner.toLowerCase(), at(bench, "REVOwner"))
    const shown = await bench.answer("get_revnet", {
      project: { chainId: 31337, projectId: String(revnetId) },
      operator: BENEFICIARY
    })
    assert.deepStrictEqual(shown.operator, {
      status: "known",
      value: { address: BENEFICIARY, isOperator: true }
    })
    assert.deepStrictEqual(shown.cashOutDelay, { status: "known", value: { until: "0", active: false } })
    const found = shown.stages.status === "known" ? shown.stages.value.items : []
    assert.deepStrictEqual(
      found.map(({ ruleset: { start }, metadata: { dataHook } }) => [start, dataHook]),
      [
        [String(LATER), revnetOwner],
        [String(start), revnetOwner]
      ]
    )
    const promised = await client.readContract({
      ...contract("REVOwner"),
      functionName: "amountToAutoIssue",
      args: [revnetId, BigInt(found[1]?.stageId ?? 0), HOLDER]
    })
    assert.strictEqual(promised, 7n)
    const hook = getAddress((shown.hook.status === "known" ? shown.hook.value : undefined) ?? zeroAddress)
    const tiers = await client.readContract({
      ...contract("JB721TiersHookStore"),
      functionName: "maxTierIdOf",
      args: [hook]
    })
    assert.strictEqual(tiers, 0n)
    const hookOwner = await client.readContract({ address: hook, abi, functionName: "owner" })
    assert.strictEqual(hookOwner, revnetOwner)
  })

  it("warns of stages whose splits go to nobody or to the revnet itself", async () => {
    const next = await nextId()
    const [split] = stage().splits
    const splits = [String(next), "7777"].map(projectId => ({ ...split, percent: 500_000_000, projectId }))
    const input = deploying({ config: { stageConfigurations: [stage({ splits })] } })
    const { warnings } = await prepared(bench, bench.projectOwner, "prepare_revnet_deploy", input)
    assert.includeMembers(
      [...warnings],
      [
        `A split of a stage names project ${next}, the id that this launch gets if no other project is made before: what is for it goes to the split's beneficiary, unless the revnet takes payments in its own token.`,
        "Splits of stages name project 7777, which the chain does not have: what is for it goes to the split's beneficiary, until somebody else makes a project of that id."
      ]
    )
  })

  it("plans a shop, suckers and another token, for the creation fee of the block", async () => {
    const fee = parseEther("0.01")
    await setCreationFee(fee)
    const revnetId = await nextId()
    const input = deployingMore(bench)
    const plan = await prepared(bench, bench.projectOwner, "prepare_revnet_deploy", input)
    assert.strictEqual(plan.calls[0]?.value, String(fee))
    assert.deepInclude(Object(plan.summary), {
      creationFeeWei: String(fee),
      suckerCount: 1,
      shop: { configured: true, currency: 1, decimals: 18, tierCount: 2, allowedPostCount: 1 }
    })
    assert.lengthOf(plan.warnings, 10)
    await relayed(bench, bench.projectOwner, plan)
    await setCreationFee(0n)
    const { client, at: contract } = readerOf(bench)
    const hook = await client.readContract({
      ...contract("REVOwner"),
      functionName: "tiered721HookOf",
      args: [revnetId]
    })
    const tiers = await client.readContract({
      ...contract("JB721TiersHookStore"),
      functionName: "maxTierIdOf",
      args: [hook]
    })
    assert.strictEqual(tiers, 2n)
    const suckers = await client.readContract({
      ...contract("JBSuckerRegistry"),
      functionName: "allSuckersOf",
      args: [revnetId]
    })
    assert.lengthOf(suckers, 1)
    const mayAs = (permissionId: bigint) =>
      client.readContract({
        ...contract("JBPermissions"),
        functionName: "hasPermission",
        args: [bench.projectOwner.key.address, at(bench, "REVOwner"), revnetId, permissionId, false, false]
      })
    assert.deepStrictEqual([await mayAs(ADJUST_721_TIERS), await mayAs(MINT_721)], [true, false])
  })

  it("says that a stage that has started delays cash-outs, and so it does", async () => {
    const revnetId = await nextId()
    const input = deploying({ config: { stageConfigurations: [stage({ startsAtOrAfter: "1" }), stage()] } })
    const plan = await prepared(bench, bench.projectOwner, "prepare_revnet_deploy", input)
    assert.isTrue(Object(plan.summary).cashOutDelay.applies)
    for (const words of ["has started", "Stage 1: the start is that of the first cycle"])
      assert.isTrue(plan.warnings.some(warning => warning.includes(words)))
    await relayed(bench, bench.projectOwner, plan)
    const { client, at: contract } = readerOf(bench)
    const [until, { timestamp }] = await Promise.all([
      client.readContract({ ...contract("REVOwner"), functionName: "cashOutDelayOf", args: [revnetId] }),
      client.getBlock()
    ])
    assert.isTrue(until > timestamp)
  })

  it.each<[string, string, () => object]>([
    [
      "a shop without a price for its base currency",
      "EXPLICIT_NFT_PRICING_REQUIRED",
      () => ({ config: { baseCurrency: 2 } })
    ],
    [
      "a currency that nothing prices",
      "MISSING_PRICE_FEED",
      () => ({ config: { baseCurrency: 7 }, tiered721Config: shop() })
    ],
    ["a shop's currency that nothing prices", "MISSING_PRICE_FEED", () => ({ tiered721Config: shop(7) })],
    [
      "another number of decimals",
      "TOKEN_DECIMALS_MISMATCH",
      () => ({ accountingContexts: [native, { ...dollars(), decimals: 18 }] })
    ],
    [
      "a sucker deployer that is not allowed",
      "SUCKER_DEPLOYER_NOT_ALLOWED",
      () => withSuckers({ deployerConfigurations: [sucker(BENEFICIARY)] })
    ],
    [
      "a mapped token that is not accepted",
      "SUCKER_TOKEN_NOT_ACCEPTED",
      () =>
        withSuckers({
          deployerConfigurations: [sucker(at(bench, "JBOptimismSuckerDeployer"), dollars().token)]
        })
    ],
    [
      "a mapping that the registry does not allow",
      "SIMULATION_REVERTED",
      () => ({
        ...withSuckers({
          deployerConfigurations: [sucker(at(bench, "JBOptimismSuckerDeployer"), dollars().token)]
        }),
        accountingContexts: [native, dollars()]
      })
    ],
    [
      "a mapping with less gas than suckers take, of the native token too",
      "INVALID_INPUT",
      () => {
        const { mappings, ...usual } = sucker(at(bench, "JBOptimismSuckerDeployer"))
        const frugal = mappings.map(mapping => ({ ...mapping, minGas: 199_999 }))
        return withSuckers({ deployerConfigurations: [{ ...usual, mappings: frugal }] })
      }
    ],
    ["suckers without a salt", "INVALID_INPUT", () => withSuckers({ salt: `0x${"0".repeat(64)}` })],
    [
      "a stage that forbids suckers",
      "INVALID_INPUT",
      () => ({ ...withSuckers(), config: { stageConfigurations: [stage({ extraMetadata: 3 })] } })
    ],
    ["posts without a shop", "INVALID_INPUT", () => ({ allowedPosts: [post] })],
    [
      "splits of more than the whole",
      "INVALID_INPUT",
      () => {
        const { splits } = stage()
        return { config: { stageConfigurations: [stage({ splits: [...splits, ...splits] })] } }
      }
    ],
    [
      "stages that do not follow one another",
      "INVALID_INPUT",
      () => ({ config: { stageConfigurations: [stage(), stage()] } })
    ]
  ])("refuses %s", async (_, code, over) => {
    assert.strictEqual(
      await refused(bench, bench.projectOwner, "prepare_revnet_deploy", deploying({ ...over() })),
      code
    )
  })
})
