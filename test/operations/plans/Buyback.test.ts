import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbiParameters, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { POOL_FEE, POOL_TICK_SPACING, SANDBOX_POOLS } from "../../../sandbox/families/routing.ts"
import type { PrepareId } from "../../../src/operations/generated/OperationIds.ts"
import { prepared, refused, relayed } from "../../support/PlanBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { abi, at, done, ROUTED, startRoutingBench } from "../support/Routing.ts"

const bench = await startRoutingBench()
const hook = at(bench, "JBBuybackHook")
const registry = at(bench, "JBBuybackHookRegistry")

afterAll(() => bench.stop())

const STRANGER: Address = "0x0000000000000000000000000000000000005512"
const SET_BUYBACK_TWAP = 28
const SET_BUYBACK_POOL = 29
const demo = { chainId: 31337, projectId: "2" }
const nobody = { chainId: 31337, projectId: "99" }

const choice = (over: object = {}) => ({
  project: ROUTED,
  account: bench.projectOwner.key.address,
  terminalToken: NATIVE_TOKEN,
  fee: POOL_FEE,
  tickSpacing: POOL_TICK_SPACING,
  twapWindowSeconds: 1_800,
  ...over
})

const windowed = (over: object = {}) => ({
  project: ROUTED,
  account: bench.projectOwner.key.address,
  terminalToken: bench.usd,
  twapWindowSeconds: 900,
  ...over
})

const read = (functionName: "poolKeyOf" | "twapWindowOf", terminalToken: Address) =>
  bench.client.readContract({ address: hook, abi, functionName, args: [6n, terminalToken] })

const codeOf = (id: PrepareId, input: object, party = bench.projectOwner) => refused(bench, party, id, input)

const asHolder = (input: object) => ({ ...input, account: bench.holder.key.address })

/** What an operator may do for the project from now on, and nothing else. */
const permit = (permissionIds: ReadonlyArray<number>) =>
  done(bench, at(bench, "JBPermissions"), "setPermissionsFor", [
    bench.projectOwner.key.address,
    { operator: bench.holder.key.address, projectId: 6n, permissionIds }
  ])

const POOL_KEY = parseAbiParameters("address, address, uint24, int24, address")

describe("prepare_buyback_pool", () => {
  it("plans the pool that the pool manager knows, in three round trips; the relay proves the choice", async () => {
    const { value: plan, roundTrips } = await bench.node.during(() =>
      prepared(bench, bench.projectOwner, "prepare_buyback_pool", choice())
    )
    assert.isAtMost(roundTrips, 3)
    const key = [zeroAddress, bench.token, POOL_FEE, POOL_TICK_SPACING, SANDBOX_POOLS] as const
    const poolId = keccak256(encodeAbiParameters(POOL_KEY, key))
    assert.deepStrictEqual([plan.operation, plan.calls.length, plan.calls[0]?.to], ["setPoolFor", 1, hook])
    assert.deepInclude(Object(plan.summary), {
      hook,
      authority: "owner",
      terminalToken: NATIVE_TOKEN,
      projectToken: bench.token,
      poolId,
      poolManager: SANDBOX_POOLS,
      pool: { sqrtPriceX96: String(2n ** 96n), tick: 0, liquidity: String(10n ** 21n) },
      requestedTwapWindow: "1800",
      storedTwapWindow: "1800"
    })
    assert.lengthOf(plan.warnings, 2)
    const { steps } = await relayed(bench, bench.projectOwner, plan)
    assert.deepInclude(Object(steps?.[0]?.semantic), { verifier: "set_pool" })
    const [currency0, currency1, fee, tickSpacing, hooks] = key
    assert.deepStrictEqual(await read("poolKeyOf", zeroAddress), {
      ...{ currency0, currency1, fee, tickSpacing, hooks }
    })
    assert.strictEqual(await read("twapWindowOf", zeroAddress), 1_800n)
    assert.strictEqual(await read("twapWindowOf", NATIVE_TOKEN), 0n)
    assert.strictEqual(await codeOf("prepare_buyback_pool", choice()), "POOL_ALREADY_SET")
    const { buybackPools } = await bench.answer("get_routing", { project: ROUTED, tokens: [NATIVE_TOKEN] })
    assert.strictEqual(Object(buybackPools).value[0].pool.value.poolId, poolId)
    const window = windowed({ terminalToken: NATIVE_TOKEN, twapWindowSeconds: 2_400 })
    const longer = await prepared(bench, bench.projectOwner, "prepare_buyback_twap", window)
    assert.deepInclude(Object(longer.summary), { poolId, oldWindow: "1800", newWindow: "2400" })
    await relayed(bench, bench.projectOwner, longer)
    assert.strictEqual(await read("twapWindowOf", zeroAddress), 2_400n)
  })

  it("is for the owner and for operators with its permission", async () => {
    const input = asHolder(choice({ terminalToken: bench.usd }))
    const asked = () => codeOf("prepare_buyback_pool", input, bench.holder)
    await permit([SET_BUYBACK_TWAP])
    assert.strictEqual(await asked(), "PERMISSION_REQUIRED")
    await permit([SET_BUYBACK_POOL])
    assert.strictEqual(await asked(), "POOL_ALREADY_SET")
  })

  it.each<[string, () => object]>([
    ["POOL_NOT_INITIALIZED", () => ({ terminalToken: STRANGER })],
    ["POOL_NOT_INITIALIZED", () => ({ terminalToken: STRANGER, fee: 500, tickSpacing: 10 })],
    ["INVALID_POOL_PAIR", () => ({ terminalToken: bench.token })],
    ["BUYBACK_NOT_CONFIGURED", () => ({ project: demo })],
    ["PROJECT_NOT_FOUND", () => ({ project: nobody })],
    ["PLAN_ACCOUNT_MISMATCH", () => ({ account: STRANGER })],
    ["UNSUPPORTED_CHAIN", () => ({ project: { ...ROUTED, chainId: 10 } })],
    ["INVALID_INPUT", () => ({ twapWindowSeconds: 299 })],
    ["INVALID_INPUT", () => ({ terminalToken: zeroAddress })]
  ])("refuses with %s before there is a plan", async (code, over) => {
    assert.strictEqual(await codeOf("prepare_buyback_pool", choice(over())), code)
  })

  it("refuses where the hook has no oracle", async () => {
    const slots = ["0x0", "0x1"] as const
    const words = await Promise.all(
      slots.map(slot => bench.client.getStorageAt({ address: hook, slot: pad(slot) }))
    )
    assert.deepStrictEqual(
      words.map(word => `0x${word?.slice(-40)}`),
      Array(2).fill(SANDBOX_POOLS.toLowerCase())
    )
    await bench.client.setStorageAt({ address: hook, index: 1, value: pad("0x0") })
    assert.strictEqual(
      await codeOf("prepare_buyback_pool", choice({ terminalToken: STRANGER })),
      "ORACLE_UNSET"
    )
    await bench.client.setStorageAt({ address: hook, index: 1, value: words[1] ?? "0x" })
  })

  it("refuses a hook that is not recorded", async () => {
    await done(bench, registry, "allowHook", [STRANGER])
    await done(bench, registry, "setHookFor", [6n, STRANGER])
    assert.strictEqual(await codeOf("prepare_buyback_pool", choice()), "UNSUPPORTED_BUYBACK_IMPLEMENTATION")
    await done(bench, registry, "setHookFor", [6n, hook])
  })
})

const pad = (value: Hex): Hex => `0x${value.slice(2).padStart(64, "0")}`

describe("prepare_buyback_twap", () => {
  it("plans another window, in three round trips; the relay proves it", async () => {
    const { value: plan, roundTrips } = await bench.node.during(() =>
      prepared(bench, bench.projectOwner, "prepare_buyback_twap", windowed())
    )
    assert.isAtMost(roundTrips, 3)
    assert.strictEqual(plan.operation, "setTwapWindowOf")
    assert.deepInclude(Object(plan.summary), { hook, oldWindow: "1800", newWindow: "900" })
    assert.match(plan.warnings.join(), /manipulate/)
    const { steps } = await relayed(bench, bench.projectOwner, plan)
    assert.deepInclude(Object(steps?.[0]?.semantic), { verifier: "set_twap_window" })
    assert.strictEqual(await read("twapWindowOf", bench.usd), 900n)
  })

  it("warns of no change, and of nothing where the window grows", async () => {
    const same = await prepared(bench, bench.projectOwner, "prepare_buyback_twap", windowed())
    const longer = await prepared(
      bench,
      bench.projectOwner,
      "prepare_buyback_twap",
      windowed({ twapWindowSeconds: 172_800 })
    )
    assert.match(same.warnings.join(), /already/)
    assert.deepStrictEqual(longer.warnings, [])
  })

  it("is for the owner and for operators with its permission", async () => {
    await permit([SET_BUYBACK_POOL])
    assert.strictEqual(
      await codeOf("prepare_buyback_twap", asHolder(windowed()), bench.holder),
      "PERMISSION_REQUIRED"
    )
    await permit([SET_BUYBACK_TWAP])
    const { value: plan, roundTrips } = await bench.node.during(() =>
      prepared(bench, bench.holder, "prepare_buyback_twap", asHolder(windowed()))
    )
    assert.isAtMost(roundTrips, 3)
    assert.strictEqual(Object(plan.summary).authority, "permission")
    await relayed(bench, bench.holder, plan)
  })

  it.each<[string, () => object]>([
    ["POOL_NOT_SET", () => ({ terminalToken: STRANGER })],
    ["BUYBACK_NOT_CONFIGURED", () => ({ project: demo })],
    ["PROJECT_NOT_FOUND", () => ({ project: nobody })],
    ["INVALID_INPUT", () => ({ twapWindowSeconds: 172_801 })]
  ])("refuses with %s before there is a plan", async (code, over) => {
    assert.strictEqual(await codeOf("prepare_buyback_twap", windowed(over())), code)
  })
})
