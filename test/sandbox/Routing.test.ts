import {
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  parseEther,
  zeroAddress
} from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import {
  POOL_FEE,
  POOL_TICK_SPACING,
  ROUTED_PROJECT_ID,
  routedTokenOf,
  SANDBOX_POOLS,
  sandboxUsdOf
} from "../../sandbox/families/routing.ts"
import { launch, rulesetOf } from "./support/Launch.ts"
import { holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

const abi = parseAbi([
  "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "struct PoolInfo { bool isV4; address v3Pool; PoolKey v4Key; }",
  "struct Segment { uint256 minProjectIdExclusive; uint256 maxProjectId; address hook; }",
  "function addToBalanceOf(uint256 projectId, address token, uint256 amount, bool shouldReturnHeldFees, string memo, bytes metadata) payable",
  "function approve(address spender, uint256 value) returns (bool)",
  "function defaultHookHistoryAt(uint256 index) view returns (Segment segment)",
  "function disallowHook(address hook)",
  "function disallowTerminal(address terminal)",
  "function discoverBestPool(address normalizedTokenIn, address normalizedTokenOut) view returns (PoolInfo)",
  "function hookOf(uint256 projectId) view returns (address hook)",
  "function isTrustedForwarder(address forwarder) view returns (bool)",
  "function lockHookFor(uint256 projectId, address expectedHook)",
  "function lockTerminalFor(uint256 projectId, address expectedTerminal)",
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256)",
  "function previewPayFor(uint256 projectId, address token, uint256 amount, address beneficiary, bytes metadata) view",
  "function setChainSpecificConstants(address newPoolManager, address newOracleHook)",
  "function setChainSpecificConstants(address newWrappedNativeToken, address newFactory, address newPoolManager, address newUniv4Hook)",
  "function setDefaultHook(address hook)",
  "function setDefaultTerminal(address terminal)",
  "function setHookFor(uint256 projectId, address hook)",
  "function setPoolFor(uint256 projectId, uint24 fee, int24 tickSpacing, uint256 twapWindow, address terminalToken)",
  "function setPoolFor(uint256 projectId, PoolKey poolKey, uint256 twapWindow, address terminalToken)",
  "function setTerminalFor(uint256 projectId, address terminal)",
  "function setTwapWindowOf(uint256 projectId, address terminalToken, uint256 newWindow)",
  "error JBBuybackHook_AlreadyConfigured()",
  "error JBBuybackHook_InvalidTwapWindow(uint256 value, uint256 min, uint256 max)",
  "error JBBuybackHook_PoolAlreadySet(bytes32 poolId)",
  "error JBBuybackHook_PoolKeyCurrenciesMismatch()",
  "error JBBuybackHook_PoolNotInitialized(bytes32 poolId)",
  "error JBBuybackHook_PoolNotSet(uint256 projectId, address terminalToken)",
  "error JBBuybackHook_TerminalTokenIsProjectToken(address terminalToken, address projectToken)",
  "error JBBuybackHook_Unauthorized(address caller)",
  "error JBBuybackHook_ZeroProjectToken(uint256 projectId)",
  "error JBBuybackHookRegistry_CannotDisallowDefaultHook(address hook)",
  "error JBBuybackHookRegistry_HookLocked(uint256 projectId)",
  "error JBBuybackHookRegistry_HookMismatch(address currentHook, address expectedHook)",
  "error JBBuybackHookRegistry_HookNotAllowed(address hook)",
  "error JBBuybackHookRegistry_ZeroHook(address hook)",
  "error JBPermissioned_Unauthorized(address account, address sender, uint256 projectId, uint256 permissionId)",
  "error JBRouterTerminal_AlreadyConfigured()",
  "error JBRouterTerminal_NoPoolFound(address tokenIn, address tokenOut)",
  "error JBRouterTerminal_Unauthorized(address caller)",
  "error JBRouterTerminalRegistry_CannotDisallowDefaultTerminal(address terminal)",
  "error JBRouterTerminalRegistry_CircularForward(address terminal)",
  "error JBRouterTerminalRegistry_NoMsgValueAllowed(uint256 value)",
  "error JBRouterTerminalRegistry_TerminalLocked(uint256 projectId)",
  "error JBRouterTerminalRegistry_TerminalMismatch(address currentTerminal, address expectedTerminal)",
  "error JBRouterTerminalRegistry_TerminalNotAllowed(address terminal)",
  "error JBRouterTerminalRegistry_ZeroAddress(address terminal)",
  "error JBMultiTerminal_UnderMin(uint256 value, uint256 min)",
  "error OwnableUnauthorizedAccount(address account)"
])

const ID = ROUTED_PROJECT_ID
const OTHER: Address = "0x0000000000000000000000000000000000005514"
const WRAPPED: Address = "0x4200000000000000000000000000000000000006"

describe("the sandbox's routing", () => {
  let sandbox: Sandbox
  let usd: Address
  let token: Address

  beforeAll(async () => {
    sandbox = await startSandbox()
    usd = sandboxUsdOf(sandbox.manifest.accounts)
    token = routedTokenOf(sandbox.manifest.accounts)
  })
  afterAll(() => sandbox.stop())

  const send = (account: LocalAccount, name: string, data: Hex, value = 0n) =>
    sandbox.mined(sandbox.client.sendTransaction({ account, to: sandbox.at(name), data, value }))

  /** The error that a call reverts with. */
  const errorOf = async (account: LocalAccount, name: string, data: Hex, value = 0n) => {
    const failed = await sandbox.client
      .call({ account: account.address, to: sandbox.at(name), data, value })
      .catch((error: unknown) => error)
    if (!(failed instanceof BaseError)) return "none"
    const raw = failed.walk(cause => typeof Object(cause).data === "string" || Object(cause).data?.data)
    const { data: found } = Object(raw)
    return new ContractFunctionRevertedError({ abi, data: found?.data ?? found, functionName: name }).data
      ?.errorName
  }

  const encoded = encodeFunctionData

  it("trusts the forwarder everywhere", async () => {
    for (const name of [
      "JBBuybackHook",
      "JBBuybackHookRegistry",
      "JBRouterTerminal",
      "JBRouterTerminalRegistry"
    ])
      assert.isTrue(
        await sandbox.client.readContract({
          address: sandbox.at(name),
          abi,
          functionName: "isTrustedForwarder",
          args: [sandbox.at("ERC2771Forwarder")]
        })
      )
  })

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
      encoded({
        abi,
        functionName: "setPoolFor",
        args: [projectId, fee, POOL_TICK_SPACING, window, terminalToken]
      })
    const key = (currency0: Address, currency1: Address) =>
      encoded({
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
      encoded({ abi, functionName: "setTwapWindowOf", args: [ID, terminalToken, newWindow] })
    const constants = encoded({ abi, functionName: "setChainSpecificConstants", args: [OTHER, OTHER] })
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
      assert.strictEqual(await errorOf(account, "JBBuybackHook", data), error)
  })

  it("lets projects choose among allowed hooks until they lock one, and keeps older defaults", async () => {
    const registry = "JBBuybackHookRegistry"
    const hook = sandbox.at("JBBuybackHook")
    const choose = (chosen: Address) => encoded({ abi, functionName: "setHookFor", args: [ID, chosen] })
    const lock = (expected: Address) => encoded({ abi, functionName: "lockHookFor", args: [ID, expected] })
    const byDefault = (chosen: Address) => encoded({ abi, functionName: "setDefaultHook", args: [chosen] })
    const cases: ReadonlyArray<readonly [string, LocalAccount, Hex]> = [
      ["JBPermissioned_Unauthorized", stranger, choose(hook)],
      ["JBBuybackHookRegistry_HookNotAllowed", owner, choose(OTHER)],
      ["JBBuybackHookRegistry_HookMismatch", owner, lock(OTHER)],
      ["JBBuybackHookRegistry_ZeroHook", owner, byDefault(zeroAddress)],
      ["OwnableUnauthorizedAccount", stranger, byDefault(OTHER)],
      [
        "JBBuybackHookRegistry_CannotDisallowDefaultHook",
        owner,
        encoded({ abi, functionName: "disallowHook", args: [hook] })
      ]
    ]
    for (const [error, account, data] of cases)
      assert.strictEqual(await errorOf(account, registry, data), error)
    await send(owner, registry, byDefault(OTHER))
    const later = await launch(sandbox, [rulesetOf()])
    const read = { address: sandbox.at(registry), abi } as const
    const hookOf = (id: bigint) =>
      sandbox.client.readContract({ ...read, functionName: "hookOf", args: [id] })
    assert.deepStrictEqual([(await hookOf(ID)).toLowerCase(), await hookOf(later)], [hook, OTHER])
    const segment = await sandbox.client.readContract({
      ...read,
      functionName: "defaultHookHistoryAt",
      args: [0n]
    })
    assert.deepInclude(segment, { minProjectIdExclusive: 0n, maxProjectId: later - 1n })
    await send(owner, registry, lock(hook))
    assert.strictEqual(await errorOf(owner, registry, choose(hook)), "JBBuybackHookRegistry_HookLocked")
  })

  it("leads payments on with the caller's own conditions, and keeps nothing", async () => {
    const registry = "JBRouterTerminalRegistry"
    const pay = (paid: Address, amount: bigint, least = 0n) =>
      encoded({
        abi,
        functionName: "pay",
        args: [ID, paid, amount, holder.address, least, "", "0x"]
      })
    const most = parseEther("1000")
    assert.strictEqual(
      await errorOf(holder, registry, pay(NATIVE_TOKEN, 1n, most), 1n),
      "JBMultiTerminal_UnderMin"
    )
    assert.strictEqual(
      await errorOf(holder, registry, pay(usd, 1n), 1n),
      "JBRouterTerminalRegistry_NoMsgValueAllowed"
    )
    const preview = encoded({
      abi,
      functionName: "previewPayFor",
      args: [ID, token, 1n, holder.address, "0x"]
    })
    assert.strictEqual(await errorOf(holder, registry, preview), "JBRouterTerminal_NoPoolFound")
    const approve = encoded({ abi, functionName: "approve", args: [sandbox.at(registry), 5_000_000n] })
    await sandbox.mined(sandbox.client.sendTransaction({ account: holder, to: usd, data: approve }))
    const add = encoded({
      abi,
      functionName: "addToBalanceOf",
      args: [ID, usd, 5_000_000n, false, "", "0x"]
    })
    await send(holder, registry, add)
    const kept = await sandbox.client.readContract({
      ...sandbox.contract("JBTerminalStore"),
      functionName: "balanceOf",
      args: [sandbox.at("JBMultiTerminal"), ID, usd]
    })
    assert.strictEqual(kept, 5_000_000n)
  })

  it("knows one pool for each pair, under the wrapped token for ether", async () => {
    const router = { address: sandbox.at("JBRouterTerminal"), abi } as const
    const { isV4, v4Key } = await sandbox.client.readContract({
      ...router,
      functionName: "discoverBestPool",
      args: [token, WRAPPED]
    })
    assert.isTrue(isV4)
    assert.deepInclude(v4Key, { currency0: zeroAddress, currency1: token, hooks: SANDBOX_POOLS })
    const unknown = encoded({ abi, functionName: "discoverBestPool", args: [usd, WRAPPED] })
    assert.strictEqual(await errorOf(owner, "JBRouterTerminal", unknown), "JBRouterTerminal_NoPoolFound")
  })

  it("refuses terminals as the deployed registry does", async () => {
    const registry = "JBRouterTerminalRegistry"
    const [router, itself] = [sandbox.at("JBRouterTerminal"), sandbox.at(registry)]
    const choose = (terminal: Address) =>
      encoded({ abi, functionName: "setTerminalFor", args: [ID, terminal] })
    const lock = (expected: Address) =>
      encoded({ abi, functionName: "lockTerminalFor", args: [ID, expected] })
    const byDefault = (terminal: Address) =>
      encoded({ abi, functionName: "setDefaultTerminal", args: [terminal] })
    const constants = encoded({
      abi,
      functionName: "setChainSpecificConstants",
      args: [OTHER, OTHER, OTHER, OTHER]
    })
    const cases: ReadonlyArray<readonly [string, LocalAccount, Hex]> = [
      ["JBPermissioned_Unauthorized", stranger, choose(router)],
      ["JBRouterTerminalRegistry_TerminalNotAllowed", owner, choose(OTHER)],
      ["JBRouterTerminalRegistry_CircularForward", owner, choose(itself)],
      ["JBRouterTerminalRegistry_CircularForward", owner, byDefault(itself)],
      ["JBRouterTerminalRegistry_ZeroAddress", owner, byDefault(zeroAddress)],
      ["OwnableUnauthorizedAccount", stranger, byDefault(OTHER)],
      ["JBRouterTerminalRegistry_TerminalMismatch", owner, lock(OTHER)],
      [
        "JBRouterTerminalRegistry_CannotDisallowDefaultTerminal",
        owner,
        encoded({ abi, functionName: "disallowTerminal", args: [router] })
      ]
    ]
    for (const [error, account, data] of cases)
      assert.strictEqual(await errorOf(account, registry, data), error)
    assert.strictEqual(
      await errorOf(stranger, "JBRouterTerminal", constants),
      "JBRouterTerminal_Unauthorized"
    )
    assert.strictEqual(
      await errorOf(owner, "JBRouterTerminal", constants),
      "JBRouterTerminal_AlreadyConfigured"
    )
    await send(owner, registry, lock(router))
    assert.strictEqual(
      await errorOf(owner, registry, choose(router)),
      "JBRouterTerminalRegistry_TerminalLocked"
    )
  })
})
