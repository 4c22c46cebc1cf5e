import fc from "fast-check"
import { parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../sandbox/calls.ts"
import { launch, nativeLimits, payNative, rulesetOf, splitOf } from "./support/Launch.ts"
import { beneficiary, holder, owner, type Sandbox, startSandbox } from "./support/Sandbox.ts"
import { NATIVE_CURRENCY } from "./support/Units.ts"

const MAX_TAX = 10_000n

const onTheCurve = (surplus: bigint, count: bigint, supply: bigint, tax: bigint): bigint => {
  if (count === 0n || surplus === 0n || tax === MAX_TAX) return 0n
  if (count === supply) return surplus
  const base = (surplus * count) / supply
  return tax === 0n ? base : (base * (MAX_TAX - tax + (tax * count) / supply)) / MAX_TAX
}

describe("cash-outs", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  const cashOut = (projectId: bigint, count: bigint, minimum = 0n) =>
    sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account: holder,
        functionName: "cashOutTokensOf",
        args: [holder.address, projectId, count, NATIVE_TOKEN, minimum, beneficiary.address, "0x"]
      })
    )

  const received = async (act: () => Promise<unknown>): Promise<bigint> => {
    const before = await sandbox.client.getBalance({ address: beneficiary.address })
    await act()
    return (await sandbox.client.getBalance({ address: beneficiary.address })) - before
  }

  const feeFree = (projectId: bigint) =>
    sandbox.client.readContract({
      ...sandbox.contract("JBMultiTerminal"),
      functionName: "feeFreeSurplusOf",
      args: [projectId, NATIVE_TOKEN]
    })

  it("follows the curve for any surplus, supply, count and tax", async () => {
    const uint120 = fc.bigInt({ min: 0n, max: 2n ** 120n })
    for (const tax of [0, 1, 2500, 9999, 10_000]) {
      const projectId = await launch(sandbox, [rulesetOf({}, { cashOutTaxRate: tax })])
      const property = fc.asyncProperty(uint120, uint120, uint120, async (surplus, held, others) => {
        const supply = held + others
        const reclaimable = await sandbox.client.readContract({
          ...sandbox.contract("JBTerminalStore"),
          functionName: "currentReclaimableSurplusOf",
          args: [projectId, held, supply, surplus]
        })
        assert.equal(reclaimable, onTheCurve(surplus, held, supply, BigInt(tax)))
      })
      await fc.assert(property, { numRuns: 25, seed: tax })
    }
  })

  it("burns, pays the reclaim less the fee, and gives the fee to project 1", async () => {
    const projectId = await launch(sandbox, [rulesetOf({}, { reservedPercent: 2000, cashOutTaxRate: 5000 })])
    const surplus = parseEther("4")
    await payNative(sandbox, projectId, surplus, holder.address)
    const feeBalance = () =>
      sandbox.client.readContract({
        ...sandbox.contract("JBTerminalStore"),
        functionName: "balanceOf",
        args: [sandbox.at("JBMultiTerminal"), 1n, NATIVE_TOKEN]
      })
    const before = await feeBalance()
    const count = parseEther("1000")
    const gross = onTheCurve(surplus, count, parseEther("4000"), 5000n)
    const fee = gross / 40n
    const [, previewed] = await sandbox.client.readContract({
      ...sandbox.contract("JBMultiTerminal"),
      functionName: "previewCashOutFrom",
      args: [holder.address, projectId, count, NATIVE_TOKEN, beneficiary.address, "0x"]
    })
    assert.equal(previewed, gross)
    assert.equal(await received(() => cashOut(projectId, count, gross - fee)), gross - fee)
    assert.equal(await feeBalance(), before + fee)
    const supply = await sandbox.client.readContract({
      ...sandbox.contract("JBController"),
      functionName: "totalTokenSupplyWithReservedTokensOf",
      args: [projectId]
    })
    assert.equal(supply, parseEther("3000"))
  })

  it("refuses less than the minimum", async () => {
    const projectId = await launch(sandbox, [rulesetOf({}, { cashOutTaxRate: 5000 })])
    await payNative(sandbox, projectId, parseEther("1"), holder.address)
    const failure = await cashOut(projectId, parseEther("1000"), parseEther("1")).catch(String)
    assert.match(String(failure), /JBMultiTerminal_UnderMin/)
  })

  it("leaves payouts that are still promised out of the surplus", async () => {
    const limits = [nativeLimits(sandbox, parseEther("3"), 0n)]
    const projectId = await launch(sandbox, [rulesetOf({ fundAccessLimitGroups: limits })])
    await payNative(sandbox, projectId, parseEther("4"), holder.address)
    const surplus = await sandbox.client.readContract({
      ...sandbox.contract("JBMultiTerminal"),
      functionName: "currentSurplusOf",
      args: [projectId, [NATIVE_TOKEN], 18n, BigInt(NATIVE_CURRENCY)]
    })
    assert.equal(surplus, parseEther("1"))
    assert.equal(await received(() => cashOut(projectId, parseEther("4000"))), parseEther("1"))
  })

  it("charges an untaxed cash-out only for what came in free of a fee", async () => {
    const target = await launch(sandbox, [rulesetOf()])
    const splits = [splitOf({ projectId: target, beneficiary: holder.address })]
    const source = await launch(sandbox, [
      rulesetOf({
        splitGroups: [{ groupId: BigInt(NATIVE_TOKEN), splits }],
        fundAccessLimitGroups: [nativeLimits(sandbox, parseEther("1"), 0n)]
      })
    ])
    await payNative(sandbox, source, parseEther("1"), owner.address)
    await payNative(sandbox, target, parseEther("3"), holder.address)
    await sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account: owner,
        functionName: "sendPayoutsOf",
        args: [source, NATIVE_TOKEN, parseEther("1"), BigInt(NATIVE_CURRENCY), 0n]
      })
    )
    assert.equal(await feeFree(target), parseEther("1"))
    const net = parseEther("4") - parseEther("1") / 40n
    assert.equal(await received(() => cashOut(target, parseEther("4000"))), net)
    assert.equal(await feeFree(target), 0n)
  })

  it("charges a feeless beneficiary nothing", async () => {
    const projectId = await launch(sandbox, [rulesetOf({}, { cashOutTaxRate: 5000 })])
    await payNative(sandbox, projectId, parseEther("1"), holder.address)
    const setFeeless = (flag: boolean) =>
      sandbox.mined(
        sandbox.client.writeContract({
          ...sandbox.contract("JBFeelessAddresses"),
          account: owner,
          functionName: "setFeelessAddress",
          args: [beneficiary.address, flag]
        })
      )
    await setFeeless(true)
    assert.equal(await received(() => cashOut(projectId, parseEther("1000"))), parseEther("1"))
    await setFeeless(false)
  })
})
