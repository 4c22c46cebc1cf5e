import { type Address, encodeFunctionData, type Hex, type LocalAccount, parseEther, zeroAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import {
  ROUTED_PROJECT_ID as ID,
  routedTokenOf,
  SANDBOX_POOLS,
  sandboxUsdOf
} from "../../sandbox/families/routing.ts"
import { abi, errorOf, OTHER, send } from "./support/routing.ts"
import { holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

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

  it("leads payments on with the caller's own conditions, and keeps nothing", async () => {
    const registry = "JBRouterTerminalRegistry"
    const pay = (paid: Address, amount: bigint, least = 0n) =>
      encodeFunctionData({
        abi,
        functionName: "pay",
        args: [ID, paid, amount, holder.address, least, "", "0x"]
      })
    const most = parseEther("1000")
    assert.strictEqual(
      await errorOf(sandbox, holder, registry, pay(NATIVE_TOKEN, 1n, most), 1n),
      "JBMultiTerminal_UnderMin"
    )
    assert.strictEqual(
      await errorOf(sandbox, holder, registry, pay(usd, 1n), 1n),
      "JBRouterTerminalRegistry_NoMsgValueAllowed"
    )
    const [ruleset, ...previewed] = await sandbox.client.readContract({
      ...sandbox.contract(registry),
      functionName: "previewPayFor",
      args: [ID, token, 1n, holder.address, "0x"]
    })
    assert.deepStrictEqual([ruleset.id, ...previewed], [0, 0n, 0n, []])
    assert.strictEqual(
      await errorOf(sandbox, holder, "JBRouterTerminal", pay(OTHER, 1n)),
      "JBRouterTerminal_NoPoolFound"
    )
    const approve = encodeFunctionData({
      abi,
      functionName: "approve",
      args: [sandbox.at(registry), 5_000_000n]
    })
    await sandbox.mined(sandbox.client.sendTransaction({ account: holder, to: usd, data: approve }))
    const add = encodeFunctionData({
      abi,
      functionName: "addToBalanceOf",
      args: [ID, usd, 5_000_000n, false, "", "0x"]
    })
    await send(sandbox, holder, registry, add)
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
    const unknown = encodeFunctionData({ abi, functionName: "discoverBestPool", args: [usd, WRAPPED] })
    assert.strictEqual(
      await errorOf(sandbox, owner, "JBRouterTerminal", unknown),
      "JBRouterTerminal_NoPoolFound"
    )
  })

  it("refuses terminals as the deployed registry does", async () => {
    const registry = "JBRouterTerminalRegistry"
    const [router, itself] = [sandbox.at("JBRouterTerminal"), sandbox.at(registry)]
    const choose = (terminal: Address) =>
      encodeFunctionData({ abi, functionName: "setTerminalFor", args: [ID, terminal] })
    const lock = (expected: Address) =>
      encodeFunctionData({ abi, functionName: "lockTerminalFor", args: [ID, expected] })
    const byDefault = (terminal: Address) =>
      encodeFunctionData({ abi, functionName: "setDefaultTerminal", args: [terminal] })
    const constants = encodeFunctionData({
      abi,
      functionName: "setChainSpecificConstants",
      args: [OTHER, OTHER, OTHER, OTHER]
    })
    const cases: ReadonlyArray<readonly [string, LocalAccount, Hex]> = [
      ["JBPermissioned_Unauthorized", stranger, choose(router)],
      ["JBRouterTerminalRegistry_TerminalNotAllowed", owner, choose(OTHER)],
      ["JBRouterTerminalRegistry_TerminalNotAllowed", owner, choose(itself)],
      ["JBRouterTerminalRegistry_TerminalNotAllowed", owner, choose(zeroAddress)],
      ["JBRouterTerminalRegistry_CircularForward", owner, byDefault(itself)],
      ["JBRouterTerminalRegistry_ZeroAddress", owner, byDefault(zeroAddress)],
      ["OwnableUnauthorizedAccount", stranger, byDefault(OTHER)],
      ["JBRouterTerminalRegistry_TerminalMismatch", owner, lock(OTHER)],
      [
        "JBRouterTerminalRegistry_CannotDisallowDefaultTerminal",
        owner,
        encodeFunctionData({ abi, functionName: "disallowTerminal", args: [router] })
      ]
    ]
    for (const [error, account, data] of cases)
      assert.strictEqual(await errorOf(sandbox, account, registry, data), error)
    assert.strictEqual(
      await errorOf(sandbox, stranger, "JBRouterTerminal", constants),
      "JBRouterTerminal_Unauthorized"
    )
    assert.strictEqual(
      await errorOf(sandbox, owner, "JBRouterTerminal", constants),
      "JBRouterTerminal_AlreadyConfigured"
    )
    await send(sandbox, owner, registry, lock(router))
    assert.strictEqual(
      await errorOf(sandbox, owner, registry, choose(router)),
      "JBRouterTerminalRegistry_TerminalLocked"
    )
  })
})
