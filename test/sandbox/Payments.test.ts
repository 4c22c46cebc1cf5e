import { type Address, parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { launch, payNative, rulesetOf } from "./support/Launch.ts"
import { holder, owner, type Sandbox, startSandbox, stranger } from "./support/Sandbox.ts"

describe("payments", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  const balanceOf = (projectId: bigint, token: Address = NATIVE_TOKEN) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTerminalStore"),
      functionName: "balanceOf",
      args: [sandbox.at("JBMultiTerminal"), projectId, token]
    })

  const tokensOf = (account: Address, projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBTokens"),
      functionName: "totalBalanceOf",
      args: [account, projectId]
    })

  const pendingOf = (projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBController"),
      functionName: "pendingReservedTokenBalanceOf",
      args: [projectId]
    })

  it.each([
    { value: parseEther("1"), weight: parseEther("1000"), reserved: 0 },
    { value: 123_456_789n, weight: parseEther("3.7"), reserved: 3333 },
    { value: parseEther("2"), weight: parseEther("1"), reserved: 10_000 },
    { value: parseEther("2"), weight: 0n, reserved: 5000 }
  ])("issues $value at weight $weight with $reserved reserved as previewed", async issue => {
    const config = rulesetOf({ weight: issue.weight }, { reservedPercent: issue.reserved })
    const projectId = await launch(sandbox, [config])
    const [, previewed, previewedReserve] = await sandbox.client.readContract({
      ...sandbox.contract("JBMultiTerminal"),
      functionName: "previewPayFor",
      args: [projectId, NATIVE_TOKEN, issue.value, holder.address, "0x"]
    })
    await payNative(sandbox, projectId, issue.value, holder.address)
    const total = (issue.value * issue.weight) / 10n ** 18n
    const received = (total * BigInt(10_000 - issue.reserved)) / 10_000n
    assert.equal(await tokensOf(holder.address, projectId), received)
    assert.equal(await pendingOf(projectId), total - received)
    assert.deepEqual([previewed, previewedReserve], [received, total - received])
    assert.equal(await balanceOf(projectId), issue.value)
  })

  it("prices a payment in the ruleset's base currency through a feed", async () => {
    const ethIsNative = 1
    const projectId = await launch(sandbox, [rulesetOf({}, { baseCurrency: ethIsNative })])
    await payNative(sandbox, projectId, parseEther("2"), holder.address)
    assert.equal(await tokensOf(holder.address, projectId), parseEther("2000"))
  })

  it("refuses a payment that would return too little, is paused or meets no ruleset", async () => {
    const pay = (projectId: bigint, minimum: bigint) =>
      sandbox.client
        .simulateContract({
          ...sandbox.contract("JBMultiTerminal"),
          account: owner,
          functionName: "pay",
          args: [projectId, NATIVE_TOKEN, 1n, holder.address, minimum, "", "0x"],
          value: 1n
        })
        .catch(String)
    const open = await launch(sandbox, [rulesetOf()])
    const paused = await launch(sandbox, [rulesetOf({}, { pausePay: true })])
    const later = await launch(sandbox, [rulesetOf({ mustStartAtOrAfter: 4_000_000_000 })])
    assert.match(String(await pay(open, 1001n)), /JBMultiTerminal_UnderMin/)
    assert.match(String(await pay(paused, 0n)), /JBTerminalStore_RulesetPaymentPaused/)
    assert.match(String(await pay(later, 0n)), /JBTerminalStore_RulesetNotFound/)
  })

  it("adds to a balance without issuing tokens", async () => {
    const projectId = await launch(sandbox, [rulesetOf()])
    await sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account: stranger,
        functionName: "addToBalanceOf",
        args: [projectId, NATIVE_TOKEN, 5n, false, "", "0x"],
        value: 5n
      })
    )
    assert.equal(await balanceOf(projectId), 5n)
    assert.equal(await tokensOf(stranger.address, projectId), 0n)
  })
})
