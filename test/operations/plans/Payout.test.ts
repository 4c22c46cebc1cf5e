import { keccak256, parseEther, parseEventLogs } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import { abi } from "../../sandbox/support/abi.ts"
import { launch, nativeLimits, payNative, rulesetOf, splitOf } from "../../sandbox/support/Launch.ts"
import { holder, onSandbox, owner, stranger } from "../../sandbox/support/Sandbox.ts"
import { prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { stepOf } from "../../support/PlannedCalls.ts"
import { mine } from "../../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { signCall } from "../../support/SignedCalls.ts"
import { refreshed, submitted } from "../../support/Submissions.ts"

const bench = await startPlanBench()
const chain = onSandbox(bench.chain.url, bench.manifest)

afterAll(() => bench.stop())

const DEMO = { chainId: 31337, projectId: "2" }
const NATIVE_CURRENCY = 61_166
const ETH_CURRENCY = 1

const payout = (amount: bigint, over: object = {}) => ({
  project: DEMO,
  account: owner.address,
  token: NATIVE_TOKEN,
  amount: String(amount),
  currency: NATIVE_CURRENCY,
  ...over
})

const summaryOf = ({ summary }: Plan) => Object(summary)

/** A project of the sandbox's owner with ether in it, of which three may be paid out. */
const funded = async (
  over: object = {},
  currency = NATIVE_CURRENCY,
  splits: ReadonlyArray<ReturnType<typeof splitOf>> = []
) => {
  const limits = nativeLimits(chain, parseEther("3"), 0n)
  const payoutLimits = [{ amount: parseEther("3"), currency }]
  const splitGroups = [{ groupId: BigInt(NATIVE_TOKEN), splits }]
  const ruleset = rulesetOf({ splitGroups, fundAccessLimitGroups: [{ ...limits, payoutLimits }] }, over)
  const projectId = await launch(chain, [ruleset])
  await payNative(chain, projectId, parseEther("2"), holder.address)
  return { chainId: 31337, projectId: String(projectId) }
}

/** What the relay found of the plan's one step, and the logs of its transaction. */
const sent = async (plan: Plan) => {
  const [call] = plan.calls
  if (call === undefined) return assert.fail("no call")
  const raw = await signCall(bench, bench.projectOwner, call, { gas: 8_000_000n })
  await submitted(bench.service, bench.projectOwner, plan, { rawSignedTransaction: raw })
  await mine(bench)
  const { semantic } = stepOf(await refreshed(bench.service, bench.projectOwner, plan), 0)
  const { logs } = await chain.client.getTransactionReceipt({ hash: keccak256(raw) })
  return { semantic, logs }
}

describe("prepare_payout", () => {
  it("plans the exact payout, which the relay proves and the splits receive", async () => {
    const { beneficiary } = bench.manifest.accounts
    const before = await chain.client.getBalance({ address: beneficiary })
    const plan = await prepared(bench, bench.projectOwner, "prepare_payout", payout(parseEther("1")))
    const { amountPaidOut, minimumTokensPaidOut, distribution } = summaryOf(plan)
    assert.deepStrictEqual([plan.operation, plan.calls[0]?.value], ["payout", "0"])
    assert.deepStrictEqual([amountPaidOut, minimumTokensPaidOut], Array(2).fill(String(parseEther("1"))))
    await relayed(bench, bench.projectOwner, plan)
    const received = (await chain.client.getBalance({ address: beneficiary })) - before
    assert.strictEqual(String(received), distribution.value.splits[0].netAfterFee)
  })

  it("insists on less than the quote where the amount is in another currency", async () => {
    const project = await funded({}, ETH_CURRENCY)
    const input = payout(parseEther("1"), { project, currency: ETH_CURRENCY, slippageBps: 250 })
    const plan = await prepared(bench, bench.projectOwner, "prepare_payout", input)
    const { amountPaidOut, minimumTokensPaidOut } = summaryOf(plan)
    assert.strictEqual(amountPaidOut, String(parseEther("1")))
    assert.strictEqual(minimumTokensPaidOut, String(parseEther("0.975")))
    await relayed(bench, bench.projectOwner, plan)
  })

  it("refuses more than the limit leaves in another currency too", async () => {
    const project = await funded({}, ETH_CURRENCY)
    const input = payout(parseEther("3.5"), { project, currency: ETH_CURRENCY, slippageBps: 250 })
    await payNative(chain, BigInt(project.projectId), parseEther("3"), holder.address)
    assert.strictEqual(
      await refused(bench, bench.projectOwner, "prepare_payout", input),
      "PAYOUT_LIMIT_EXCEEDED"
    )
  })

  it("foresees by name what comes back, as the transaction then shows", async () => {
    const percent = 100_000_000
    const project = await funded({}, NATIVE_CURRENCY, [
      splitOf({ percent, projectId: 999n, beneficiary: holder.address }),
      splitOf({ percent, beneficiary: chain.at("JBDirectory") }),
      splitOf({ percent, hook: chain.at("JBSplits"), beneficiary: holder.address }),
      splitOf({ percent, projectId: 1n, beneficiary: holder.address }),
      splitOf({ percent, beneficiary: bench.manifest.accounts.beneficiary })
    ])
    const amount = 1_000_003n
    const plan = await prepared(bench, bench.projectOwner, "prepare_payout", payout(amount, { project }))
    const { splits, fee, owner: rest, returned } = summaryOf(plan).distribution.value
    const told = plan.warnings.filter(warning => /cannot be paid now/.test(warning))
    assert.lengthOf(told, 3)
    assert.match(told[0] ?? "", /^Split 1, to project 999, .*RecipientProjectTerminalNotFound\(projectId 999/)
    assert.match(told[1] ?? "", /^Split 2, to 0x\w+, .*FailedCall\(\)/)
    assert.match(told[2] ?? "", /^Split 3, to the hook 0x\w+, .*without saying why/)
    const { semantic, logs } = await sent(plan)
    assert.deepStrictEqual(
      [semantic?.status, semantic?.reason],
      ["unknown", "a payout came back to the project"]
    )
    const rows = parseEventLogs({ abi, logs, eventName: "SendPayoutToSplit" }).map(({ args }) => args)
    assert.deepStrictEqual(
      splits.map((part: { amount: string; netAfterFee: string }) => [part.amount, part.netAfterFee]),
      rows.map(({ amount: part, netAmount }) => [String(part), String(netAmount)])
    )
    const [summary] = parseEventLogs({ abi, logs, eventName: "SendPayouts" })
    assert.deepStrictEqual(
      [fee, rest.netAfterFee],
      [String(summary?.args.fee), String(summary?.args.netLeftoverPayoutAmount)]
    )
    const reverted = parseEventLogs({ abi, logs, eventName: "PayoutReverted" })
    assert.strictEqual(String(reverted.reduce((sum, { args }) => sum + args.amount, 0n)), returned)
  })

  it("refuses what could not be paid out", async () => {
    const owned = await funded({ ownerMustSendPayouts: true })
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ project: { chainId: 31337, projectId: "999" } }, "PROJECT_NOT_FOUND"],
      [{ project: { chainId: 10, projectId: "2" } }, "UNSUPPORTED_CHAIN"],
      [{ terminal: stranger.address }, "UNSUPPORTED_TERMINAL"],
      [{ token: bench.manifest.seeded.token }, "TOKEN_NOT_ACCEPTED"],
      [{ amount: String(parseEther("2.5")) }, "PAYOUT_LIMIT_EXCEEDED"],
      [{ currency: 77 }, "NOTHING_TO_PAY_OUT"],
      [{ project: owned, amount: String(parseEther("2.5")) }, "SIMULATION_REVERTED"],
      [{ currency: 0 }, "INVALID_INPUT"],
      [{ account: holder.address }, "PLAN_ACCOUNT_MISMATCH"]
    ]
    for (const [over, code] of cases)
      assert.strictEqual(
        await refused(bench, bench.projectOwner, "prepare_payout", payout(parseEther("0.1"), over)),
        code,
        JSON.stringify(over)
      )
    const foreign = payout(parseEther("0.1"), { project: owned, account: holder.address })
    assert.strictEqual(await refused(bench, bench.holder, "prepare_payout", foreign), "SIMULATION_REVERTED")
    assert.strictEqual(
      (await prepared(bench, bench.projectOwner, "prepare_payout", payout(1000n, { project: owned }))).status,
      "prepared"
    )
  })
})
