import fc from "fast-check"
import { parseAbi, parseEther, parseEventLogs } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { NATIVE_TOKEN } from "../../../sandbox/calls.ts"
import { reclaimable } from "../../../src/operations/shared/economics/CashOut.ts"
import { returnHeldFees } from "../../../src/operations/shared/economics/Fees.ts"
import { splitReserved, tokensIssuedFor } from "../../../src/operations/shared/economics/Issuance.ts"
import { payoutsOf } from "../../../src/operations/shared/economics/Payouts.ts"
import {
  cutsUntil,
  cycleNumberAt,
  startAfter,
  weightAfterCuts
} from "../../../src/operations/shared/economics/Weight.ts"
import { abi } from "../../sandbox/support/abi.ts"
import { launch, nativeLimits, payNative, rulesetOf, splitOf } from "../../sandbox/support/Launch.ts"
import { holder, owner, type Sandbox, startSandbox, stranger } from "../../sandbox/support/Sandbox.ts"
import { DAY_SECONDS, NATIVE_CURRENCY } from "../../sandbox/support/Units.ts"

const ETHER = parseEther("1")
const NO_CACHE = 0n

const derivations = parseAbi([
  "function deriveStartFrom(uint256 baseRulesetStart, uint256 baseRulesetDuration, uint256 mustStartAtOrAfter) view returns (uint256)",
  "function deriveCycleNumberFrom(uint256 baseRulesetCycleNumber, uint256 baseRulesetStart, uint256 baseRulesetDuration, uint256 start) view returns (uint256)",
  "function deriveWeightFrom(uint256 projectId, uint256 baseRulesetStart, uint256 baseRulesetDuration, uint256 baseRulesetWeight, uint256 baseRulesetWeightCutPercent, uint256 baseRulesetCacheId, uint256 start) view returns (uint256)",
  "event SendPayoutToSplit(uint256 indexed projectId, uint256 indexed rulesetId, uint256 indexed group, (uint32 percent, uint64 projectId, address beneficiary, bool preferAddToBalance, uint48 lockedUntil, address hook) split, uint256 amount, uint256 netAmount, address caller)",
  "event ReturnHeldFees(uint256 indexed projectId, address indexed token, uint256 indexed amount, uint256 returnedFees, uint256 leftoverAmount, address caller)"
])

const weight = fc.bigInt({ min: 2n, max: 2n ** 112n - 1n })
const native = fc.bigInt({ min: 1n, max: 10n * ETHER })

const percents = fc
  .array(fc.integer({ min: 1, max: 700_000_000 }), { maxLength: 5 })
  .filter(all => all.reduce((sum, percent) => sum + percent, 0) <= 1_000_000_000)

describe("the contracts", () => {
  let sandbox: Sandbox

  beforeAll(async () => {
    sandbox = await startSandbox()
  })
  afterAll(() => sandbox.stop())

  const rulesets = () => ({ address: sandbox.at("JBRulesets"), abi: derivations }) as const

  const currentRuleset = async (projectId: bigint) => {
    const contract = sandbox.contract("JBController")
    const [ruleset] = await sandbox.client.readContract({
      ...contract,
      functionName: "currentRulesetOf",
      args: [projectId]
    })
    return ruleset
  }

  it("start, count and cut cycles as the formulas do", async () => {
    const cycles = fc.tuple(
      fc.nat(2 ** 31),
      fc.nat(2 ** 28),
      fc.nat(2 ** 32),
      weight,
      fc.bigInt({ min: 0n, max: 1_000_000_000n })
    )
    const property = fc.asyncProperty(cycles, async ([start, duration, asked, from, percent]) => {
      fc.pre(duration === 0 || (asked - start) / duration < 20_000)
      const base = { start: BigInt(start), duration: BigInt(duration), cycleNumber: 3n }
      const later = startAfter(base, BigInt(asked))
      fc.pre(later >= base.start)
      const reads = [
        sandbox.client.readContract({
          ...rulesets(),
          functionName: "deriveStartFrom",
          args: [base.start, base.duration, BigInt(asked)]
        }),
        sandbox.client.readContract({
          ...rulesets(),
          functionName: "deriveCycleNumberFrom",
          args: [3n, base.start, base.duration, later]
        }),
        sandbox.client.readContract({
          ...rulesets(),
          functionName: "deriveWeightFrom",
          args: [2n, base.start, base.duration, from, percent, NO_CACHE, later]
        })
      ]
      assert.deepEqual(await Promise.all(reads), [
        later,
        cycleNumberAt(base, later),
        weightAfterCuts(from, percent, cutsUntil(base, later))
      ])
    })
    await fc.assert(property, { numRuns: 60 })
  })

  it("show the weight of the running cycle as the formulas do", async () => {
    const weightCutPercent = 123_456_789
    const configured = parseEther("1234.567890123456789")
    const projectId = await launch(sandbox, [
      rulesetOf({ duration: DAY_SECONDS, weight: configured, weightCutPercent })
    ])
    for (const cycles of [1, 2, 7]) {
      await sandbox.pass(cycles * DAY_SECONDS)
      const ruleset = await currentRuleset(projectId)
      const cuts = Number(ruleset.cycleNumber) - 1
      assert.equal(ruleset.weight, weightAfterCuts(configured, BigInt(weightCutPercent), cuts))
    }
  })

  it("issue and reserve for a payment as the formulas do", async () => {
    const project = fc.tuple(weight, fc.integer({ min: 0, max: 10_000 }), native)
    const property = fc.asyncProperty(project, async ([configured, reservedPercent, amount]) => {
      const projectId = await launch(sandbox, [rulesetOf({ weight: configured }, { reservedPercent })])
      const [, beneficiary, reserved] = await sandbox.client.readContract({
        ...sandbox.contract("JBMultiTerminal"),
        functionName: "previewPayFor",
        args: [projectId, NATIVE_TOKEN, amount, holder.address, "0x"]
      })
      const total = tokensIssuedFor(amount, configured, ETHER)
      assert.deepEqual({ beneficiary, reserved }, splitReserved(total, BigInt(reservedPercent)))
    })
    await fc.assert(property, { numRuns: 15 })
  })

  it("cash out as the formulas do", async () => {
    const project = fc.tuple(fc.integer({ min: 0, max: 10_000 }), native, native, fc.nat(10_000))
    const property = fc.asyncProperty(project, async ([cashOutTaxRate, mine, others, part]) => {
      const projectId = await launch(sandbox, [rulesetOf({}, { cashOutTaxRate })])
      await payNative(sandbox, projectId, mine, holder.address)
      await payNative(sandbox, projectId, others, owner.address)
      const count = (mine * 1000n * BigInt(part)) / 10_000n
      const [, reclaim] = await sandbox.client.readContract({
        ...sandbox.contract("JBMultiTerminal"),
        functionName: "previewCashOutFrom",
        args: [holder.address, projectId, count, NATIVE_TOKEN, holder.address, "0x"]
      })
      const [surplus, taxRate] = [mine + others, BigInt(cashOutTaxRate)]
      assert.equal(reclaim, reclaimable({ surplus, count, supply: surplus * 1000n, taxRate }))
    })
    await fc.assert(property, { numRuns: 15 })
  })

  const paidOut = async (splits: ReadonlyArray<number>, amount: bigint, holdFees = false) => {
    const groups = [
      {
        groupId: BigInt(NATIVE_TOKEN),
        splits: splits.map((percent, index) =>
          splitOf({ percent, beneficiary: stranger.address, projectId: index === 1 ? 1n : 0n })
        )
      }
    ]
    const projectId = await launch(sandbox, [
      rulesetOf(
        { splitGroups: groups, fundAccessLimitGroups: [nativeLimits(sandbox, amount, 0n)] },
        { holdFees }
      )
    ])
    await payNative(sandbox, projectId, amount, holder.address)
    const { logs } = await sandbox.mined(
      sandbox.client.writeContract({
        ...sandbox.contract("JBMultiTerminal"),
        account: owner,
        functionName: "sendPayoutsOf",
        args: [projectId, NATIVE_TOKEN, amount, BigInt(NATIVE_CURRENCY), 0n]
      })
    )
    return { projectId, logs }
  }

  it("pay out to splits as the formulas do, to the last unit", async () => {
    const property = fc.asyncProperty(percents, native, async (splits, amount) => {
      const { logs } = await paidOut(splits, amount)
      const recipients = splits.map((percent, index) => ({
        percent: BigInt(percent),
        isFeeless: index === 1,
        isReached: true
      }))
      const expected = payoutsOf(amount, recipients, { isFeeless: false, isReached: true })
      const events = parseEventLogs({ abi: derivations, logs, eventName: "SendPayoutToSplit" })
      assert.deepEqual(
        events.map(({ args }) => [args.amount, args.netAmount]),
        expected.recipients.map(paid => [paid.amount, paid.net])
      )
      const [sent] = parseEventLogs({ abi, logs, eventName: "SendPayouts" })
      assert.deepEqual(
        [sent?.args.fee, sent?.args.netLeftoverPayoutAmount],
        [expected.fee, expected.owner.net]
      )
    })
    await fc.assert(property, { numRuns: 15 })
  })

  it("give held fees back as the formulas do", async () => {
    const parts = fc.array(fc.integer({ min: 1, max: 9_999 }), { minLength: 1, maxLength: 3 })
    const property = fc.asyncProperty(native, parts, async (amount, returns) => {
      const { projectId } = await paidOut([], amount, true)
      let held: ReadonlyArray<bigint> = [amount]
      for (const part of returns) {
        const value = (amount * BigInt(part)) / 10_000n
        const expected = returnHeldFees(held, value)
        const { logs } = await sandbox.mined(
          sandbox.client.writeContract({
            ...sandbox.contract("JBMultiTerminal"),
            account: owner,
            functionName: "addToBalanceOf",
            args: [projectId, NATIVE_TOKEN, value, true, "", "0x"],
            value
          })
        )
        const [event] = parseEventLogs({ abi: derivations, logs, eventName: "ReturnHeldFees" })
        const told = event && [event.args.returnedFees, event.args.leftoverAmount]
        assert.deepEqual(told, held.length === 0 ? undefined : [expected.returned, expected.unused])
        const left = await sandbox.client.readContract({
          ...sandbox.contract("JBMultiTerminal"),
          functionName: "heldFeesOf",
          args: [projectId, NATIVE_TOKEN, 10n]
        })
        held = expected.held
        assert.deepEqual(
          left.map(fee => fee.amount),
          held
        )
      }
    })
    await fc.assert(property, { numRuns: 15 })
  })
})
