import { type Address, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { newPayer } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import {
  accepting,
  at,
  ETH_CURRENCY,
  plansAbi,
  reader,
  selling,
  send,
  shopConfiguration,
  shopLaunch,
  tier,
  tiersOf
} from "../support/ShopPlans.ts"

const bench = await startPlanBench()

afterAll(() => bench.stop())

const USD_CURRENCY = 2
const SALT = `0x${"07".repeat(32)}`

const launch = (over: object = {}) => shopLaunch(bench.manifest.accounts, over)

const read = async (address: Address, functionName: "owner" | "name") =>
  reader(bench).readContract({ address, abi: plansAbi, functionName })

const currentRuleset = (projectId: bigint) =>
  reader(bench).readContract({
    address: at(bench, "JBController"),
    abi: plansAbi,
    functionName: "currentRulesetOf",
    args: [projectId]
  })

const registeredFor = (address: Address) =>
  reader(bench).readContract({
    address: at(bench, "JBAddressRegistry"),
    abi: plansAbi,
    functionName: "deployerOf",
    args: [address]
  })

/** As if the contract had been made with another one. */
const withOther = async (name: string, known: string, other: Address, work: () => Promise<void>) => {
  const address = at(bench, name)
  const code = String(await rpc(bench.chain.url, "eth_getCode", [address, "latest"]))
  const changed = code.replaceAll(at(bench, known).slice(2), other.slice(2).toLowerCase())
  assert.notStrictEqual(changed, code)
  await rpc(bench.chain.url, "anvil_setCode", [address, changed])
  await rpc(bench.chain.url, "anvil_mine")
  await work()
  await rpc(bench.chain.url, "anvil_setCode", [address, code])
  await rpc(bench.chain.url, "anvil_mine")
}

describe("prepare_721_launch", () => {
  it.each([
    ["at the next address", {}],
    ["at an address of its salt", { salt: SALT }]
  ])("plans the project and the shop that the contracts then have, %s", async (_, over) => {
    const { beneficiary } = bench.manifest.accounts
    const plan = await prepared(bench, bench.projectOwner, "prepare_721_launch", launch(over))
    assert.strictEqual(plan.operation, "721_launch")
    assert.deepInclude(Object(plan.summary), {
      owner: beneficiary,
      name: "Launched",
      pricing: { currency: ETH_CURRENCY, decimals: 18 },
      tierCount: 2,
      creationFeeWei: "0",
      projectId: null,
      hook: null
    })
    const done = await relayed(bench, bench.projectOwner, plan)
    const [created, deployed] = done.steps[0]?.semantic?.events ?? []
    const projectId = String(Object(created).projectId)
    const [, metadata] = await currentRuleset(BigInt(projectId))
    assert.deepInclude(metadata, { dataHook: Object(deployed).hook, useDataHookForPay: true })
    assert.deepStrictEqual(
      [await read(metadata.dataHook, "owner"), await read(metadata.dataHook, "name")],
      [beneficiary, "Launched"]
    )
    assert.deepStrictEqual(
      (await tiersOf(bench, metadata.dataHook)).map(({ id, category }) => [id, category]),
      [
        [1, 4],
        [2, 9]
      ]
    )
    assert.strictEqual(
      (await registeredFor(metadata.dataHook)).toLowerCase(),
      at(bench, "JB721TiersHookDeployer")
    )
    const shop = await bench.answer("get_721_shop", { project: { chainId: 31337, projectId } })
    assert.deepInclude(Object(shop.shop), { hook: metadata.dataHook })
  })

  it("pays the creation fee, which its wallet must have", async () => {
    const { address } = bench.projectOwner.key
    const poor = await newPayer(bench)
    await send(bench, address, at(bench, "JBProjects"), "setCreationFee", [10n ** 15n, address])
    const plan = await prepared(bench, bench.projectOwner, "prepare_721_launch", launch())
    assert.strictEqual(plan.calls[0]?.value, String(10n ** 15n))
    await rpc(bench.chain.url, "anvil_setBalance", [poor.key.address, "0x1"])
    const theirs = launch({ account: poor.key.address })
    assert.strictEqual(await refused(bench, poor, "prepare_721_launch", theirs), "INSUFFICIENT_BALANCE")
    await send(bench, address, at(bench, "JBProjects"), "setCreationFee", [0n, zeroAddress])
  })

  it("warns of what it cannot know or undo", async () => {
    const [ruleset] = launch().rulesetConfigurations
    const over = {
      rulesetConfigurations: [
        { ...ruleset, weight: "0", metadata: { ...ruleset?.metadata, pausePay: true } }
      ],
      ...selling({ tiersConfig: { ...shopConfiguration.tiersConfig, tiers: [tier({ price: "0" })] } })
    }
    const { warnings } = await prepared(bench, bench.projectOwner, "prepare_721_launch", launch(over))
    for (const part of [
      "The planned wallet pays for the launch and does not own the project.",
      "A ruleset pauses payments, and with them all sales.",
      "Configuration 0: payments issue no tokens.",
      "New tiers that cost nothing, so that anybody can mint them: 1."
    ])
      assert.include(warnings, part)
  })

  it("warns of rulesets that the next one replaces, and of splits to nobody", async () => {
    const [ruleset] = launch().rulesetConfigurations
    const split = {
      percent: 1,
      projectId: "7777",
      beneficiary: bench.manifest.accounts.beneficiary,
      preferAddToBalance: false,
      lockedUntil: "0",
      hook: zeroAddress
    }
    const cycling = { ...ruleset, duration: 1_000, splitGroups: [{ groupId: "1", splits: [split] }] }
    const over = { rulesetConfigurations: [cycling, cycling, cycling] }
    const { warnings } = await prepared(bench, bench.projectOwner, "prepare_721_launch", launch(over))
    const told = warnings.filter(warning =>
      /never takes effect|^Splits of reserved tokens name/.test(warning)
    )
    assert.lengthOf(told, 2)
    assert.match(told[0] ?? "", /^Configuration 1 never takes effect: configuration 2 takes its place/)
    assert.match(told[1] ?? "", /^Splits of reserved tokens name project 7777, which the chain does not have/)
  })

  it("warns of tiers whose splits go to nobody", async () => {
    const { tiersConfig } = shopConfiguration
    const splits = [
      {
        percent: 1_000_000_000,
        projectId: "7777",
        beneficiary: bench.manifest.accounts.beneficiary,
        preferAddToBalance: false,
        lockedUntil: "0",
        hook: zeroAddress
      }
    ]
    const over = selling({ tiersConfig: { ...tiersConfig, tiers: [tier({ splitPercent: 1, splits })] } })
    const { warnings } = await prepared(bench, bench.projectOwner, "prepare_721_launch", launch(over))
    assert.include(
      warnings,
      "Splits of tiers name project 7777, which the chain does not have: what a sale sends there cannot be paid in, until somebody else makes a project of that id."
    )
  })

  it("refuses what cannot be launched before there is a plan", async () => {
    const { beneficiary } = bench.manifest.accounts
    const { token } = bench.manifest.seeded
    const priced = shopConfiguration.tiersConfig
    const [terminal] = launch().terminalConfigurations
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ owner: zeroAddress }, "INVALID_INPUT"],
      [{ chainId: 10 }, "UNSUPPORTED_CHAIN"],
      [{ account: beneficiary }, "PLAN_ACCOUNT_MISMATCH"],
      [selling({ name: "" }), "INVALID_INPUT"],
      [selling({ tiersConfig: { ...priced, currency: 0 } }), "INVALID_INPUT"],
      [selling({ tiersConfig: { ...priced, tiers: priced.tiers.toReversed() } }), "INVALID_INPUT"],
      [{ terminalConfigurations: [{ ...terminal, terminal: beneficiary }] }, "UNSUPPORTED_TERMINAL"],
      [accepting(bench.manifest.accounts, { token, decimals: 6 }), "TOKEN_DECIMALS_MISMATCH"],
      [accepting(bench.manifest.accounts, { token: beneficiary }), "TOKEN_DECIMALS_MISMATCH"],
      [accepting(bench.manifest.accounts, { currency: 77 }), "MISSING_PRICE_FEED"],
      [selling({ tiersConfig: { ...priced, currency: USD_CURRENCY } }), "MISSING_PRICE_FEED"],
      [selling({ tokenUriResolver: beneficiary }), "DEPLOYMENT_CODE_MISSING"],
      [
        selling({ tiersConfig: { ...priced, tiers: [tier({ reserveFrequency: 2 })] } }),
        "NFT_RESERVE_BENEFICIARY_REQUIRED"
      ],
      [{ rulesetConfigurations: [] }, "INVALID_INPUT"]
    ]
    for (const [over, code] of cases)
      assert.strictEqual(
        await refused(bench, bench.projectOwner, "prepare_721_launch", launch(over)),
        code,
        JSON.stringify(over)
      )
  })

  it.each([
    ["JB721TiersHookProjectDeployer", "JBDirectory"],
    ["JB721TiersHookProjectDeployer", "JB721TiersHookDeployer"],
    ["JB721TiersHookDeployer", "JB721TiersHookStore"],
    ["JB721TiersHookDeployer", "JB721TiersHook"]
  ])("refuses a %s that rests on another %s", (name, known) =>
    withOther(name, known, NATIVE_TOKEN, async () => {
      const code = await refused(bench, bench.projectOwner, "prepare_721_launch", launch())
      assert.strictEqual(code, "INVALID_721_DEPLOYER")
    })
  )

  it("takes three round trips from a process that has asked nothing yet", async () => {
    const cold = { service: await bench.replica() }
    const { roundTrips } = await bench.node.during(() =>
      prepared(cold, bench.projectOwner, "prepare_721_launch", launch())
    )
    await cold.service.stop()
    assert.isAtMost(roundTrips, 3)
  })
})
