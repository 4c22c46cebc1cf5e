import { type Address, encodeFunctionData, type Hex, type LocalAccount, zeroAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import {
  ROUTED_PROJECT_ID as ID,
  POOL_FEE,
  POOL_TICK_SPACING,
  routedTokenOf,
  SANDBOX_POOLS,
  sandboxUsdOf
} from "../../sandbox/families/routing.ts"
import { launch, rulesetOf } from "./support/Launch.ts"
import { abi, errorOf, OTHER, send } from "./support/routing.ts"
import { owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

describe("the sandbox's buyback hooks", () => {
  let sandbox: Sandbox
  let usd: Address
  let token: Address

  beforeAll(async () => {
    sandbox = await startSandbox()
    usd = sandboxUsdOf(sandbox.manifest.accounts)
    token = routedTokenOf(sandbox.manifest.accounts)
  })
  afterAll(() => sandbox.stop())

  it("refuses pools and windows as the deployed hook does", async () => {
    const bare = await launch(sandbox, [rulesetOf()])
    const pool = (
      terminalToken: Address,
      {
        projectId = ID,
        window = 1_800n,
        fee = POOL_FEE
      }: { projectId?: bigint; window?: bigint; fee?: number } = {}
    ) =>
      encodeFunctionData({
        abi,
        functionName: "setPoolFor",
        args: [projectId, fee, POOL_TICK_SPACING, window, terminalToken]
      })
    const key = (currency0: Address, currency1: Address) =>
      encodeFunctionData({
        abi,
        functionName: "setPoolFor",
        args: [
          ID,
          { currency0, currency1, fee: POOL_FEE, tickSpacing: POOL_TICK_SPACING, hooks: SANDBOX_POOLS },
          1_800n,
          NATIVE_TOKEN
        ]
      })
    const window = (terminalToken: Address, newWindow: bigint) =>
      encodeFunctionData({ abi, functionName: "setTwapWindowOf", args: [ID, terminalToken, newWindow] })
    const constants = encodeFunctionData({
      abi,
      functionName: "setChainSpecificConstants",
      args: [OTHER, OTHER]
    })
    const cases: ReadonlyArray<readonly [string, LocalAccount, Hex]> = [
      ["JBPermissioned_Unauthorized", stranger, pool(NATIVE_TOKEN)],
      ["JBBuybackHook_InvalidTwapWindow", owner, pool(NATIVE_TOKEN, { window: 299n })],
      ["JBBuybackHook_InvalidTwapWindow", owner, pool(NATIVE_TOKEN, { window: 172_801n })],
      ["JBBuybackHook_ZeroProjectToken", owner, pool(NATIVE_TOKEN, { projectId: bare })],
      ["JBBuybackHook_TerminalTokenIsProjectToken", owner, pool(token)],
      ["JBBuybackHook_PoolAlreadySet", owner, pool(usd)],
      ["JBBuybackHook_PoolNotInitialized", owner, pool(NATIVE_TOKEN, { fee: 500 })],
      ["JBBuybackHook_PoolKeyCurrenciesMismatch", owner, key(zeroAddress, usd)],
      ["none", owner, key(zeroAddress, token)],
      ["JBPermissioned_Unauthorized", stranger, window(usd, 900n)],
      ["JBBuybackHook_InvalidTwapWindow", owner, window(usd, 299n)],
      ["JBBuybackHook_PoolNotSet", owner, window(NATIVE_TOKEN, 900n)],
      ["JBBuybackHook_Unauthorized", stranger, constants],
      ["JBBuybackHook_AlreadyConfigured", owner, constants]
    ]
    for (const [error, account, data] of cases)
      assert.strictEqual(await errorOf(sandbox, account, "JBBuybackHook", data), error)
  })

  it("lets projects choose among allowed hooks until they lock one, and keeps older defaults", async () => {
    const registry = "JBBuybackHookRegistry"
    const hook = sandbox.at("JBBuybackHook")
    const choose = (chosen: Address) =>
      encodeFunctionData({ abi, functionName: "setHookFor", args: [ID, chosen] })
    const lock = (expected: Address) =>
      encodeFunctionData({ abi, functionName: "lockHookFor", args: [ID, expected] })
    const byDefault = (chosen: Address) =>
      encodeFunctionData({ abi, functionName: "setDefaultHook", args: [chosen] })
    const cases: ReadonlyArray<readonly [string, LocalAccount, Hex]> = [
      ["JBPermissioned_Unauthorized", stranger, choose(hook)],
      ["JBBuybackHookRegistry_HookNotAllowed", owner, choose(OTHER)],
      ["JBBuybackHookRegistry_HookNotAllowed", owner, choose(zeroAddress)],
      ["JBBuybackHookRegistry_HookMismatch", owner, lock(OTHER)],
      ["JBBuybackHookRegistry_ZeroHook", owner, byDefault(zeroAddress)],
      ["OwnableUnauthorizedAccount", stranger, byDefault(OTHER)],
      [
        "JBBuybackHookRegistry_CannotDisallowDefaultHook",
        owner,
        encodeFunctionData({ abi, functionName: "disallowHook", args: [hook] })
      ]
    ]
    for (const [error, account, data] of cases)
      assert.strictEqual(await errorOf(sandbox, account, registry, data), error)
    await send(sandbox, owner, registry, byDefault(OTHER))
    const later = await launch(sandbox, [rulesetOf()])
    const read = { address: sandbox.at(registry), abi } as const
    const hookOf = (id: bigint) =>
      sandbox.client.readContract({ ...read, functionName: "hookOf", args: [id] })
    assert.deepStrictEqual([(await hookOf(ID)).toLowerCase(), await hookOf(later)], [hook, OTHER])
    const segment = await sandbox.client.readContract({
      ...read,
      functionName: "defaultHookHistoryAt",
      args: [1n]
    })
    assert.deepInclude(segment, { minProjectIdExclusive: ID - 1n, maxProjectId: later - 1n })
    await send(sandbox, owner, registry, lock(hook))
    assert.strictEqual(
      await errorOf(sandbox, owner, registry, choose(hook)),
      "JBBuybackHookRegistry_HookLocked"
    )
  })
})
