import { type Address, parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import { launch, rulesetOf } from "../../sandbox/support/Launch.ts"
import { holder, onSandbox } from "../../sandbox/support/Sandbox.ts"
import { prepare, prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { signCall } from "../../support/SignedCalls.ts"
import { signedFetch } from "../../support/SignedFetch.ts"
import { submit } from "../../support/Submissions.ts"
import { BENEFICIARY, DEMO, payment, tokensHeld } from "../support/DemoPayments.ts"

const bench = await startPlanBench()
const chain = onSandbox(bench.chain.url, bench.manifest)

afterAll(() => bench.stop())

const tokensOf = (account: Address, projectId?: bigint) => tokensHeld(chain, account, projectId)

const summaryOf = ({ summary }: Plan) => Object(summary)

describe("prepare_pay", () => {
  it("plans the payment with the least that its quote lets it return, which the relay proves", async () => {
    const before = await tokensOf(BENEFICIARY)
    const plan = await prepared(bench, bench.holder, "prepare_pay", payment({ slippageBps: 0 }))
    const summary = summaryOf(plan)
    assert.deepInclude(plan, { operation: "pay", account: holder.address })
    assert.deepInclude(plan.project, DEMO)
    assert.deepStrictEqual(summary.evidence, plan.evidence)
    assert.strictEqual(summary.minimumBeneficiaryTokenCount, summary.beneficiaryTokenCount)
    assert.deepInclude(plan.calls[0], { value: String(parseEther("1")), dependsOn: [] })
    await relayed(bench, bench.holder, plan)
    assert.strictEqual(String((await tokensOf(BENEFICIARY)) - before), summary.beneficiaryTokenCount)
  })

  it("shows what the wallet has, what the payment would return and what its gas may cost", async () => {
    const plan = await prepared(bench, bench.holder, "prepare_pay", payment())
    const { wallet, simulation, gas, beneficiaryTokenCount } = summaryOf(plan)
    const balance = await chain.client.getBalance({ address: holder.address })
    assert.deepStrictEqual(wallet, {
      native: {
        balance: { status: "known", value: String(balance) },
        needed: String(parseEther("1"))
      }
    })
    assert.strictEqual(simulation.length, 1)
    assert.strictEqual(String(BigInt(simulation[0].returned.value)), beneficiaryTokenCount)
    const estimated = BigInt(simulation[0].estimatedGas.value)
    assert.deepStrictEqual(gas.limits, [
      { stepIndex: 0, gas: { status: "known", value: String((estimated * 6n) / 5n) } }
    ])
    const { baseFeePerGas, maximumFeePerGas, maximumPriorityFeePerGas } = gas.fees.value
    assert.strictEqual(
      BigInt(maximumFeePerGas),
      2n * BigInt(baseFeePerGas) + BigInt(maximumPriorityFeePerGas)
    )
  })

  it("refuses what could not be paid, before any plan exists", async () => {
    const { holder: party } = bench
    const count = async () => {
      const answer = await signedFetch(bench.service, party, "GET", "/api/v1/plans?limit=100")
      return (await answer.json()).items.length
    }
    const before = await count()
    const paused = await launch(chain, [rulesetOf({}, { pausePay: true })])
    const cases: ReadonlyArray<readonly [object, string]> = [
      [{ project: { chainId: 31337, projectId: "999" } }, "PROJECT_NOT_FOUND"],
      [{ project: { chainId: 10, projectId: "2" } }, "UNSUPPORTED_CHAIN"],
      [{ project: { chainId: 31337, projectId: String(paused) } }, "SIMULATION_REVERTED"],
      [{ amount: String(parseEther("20000")) }, "INSUFFICIENT_BALANCE"],
      [{ amount: "0" }, "INVALID_INPUT"],
      [{ slippageBps: 1001 }, "INVALID_INPUT"],
      [{ memo: "é".repeat(129) }, "INVALID_MEMO"],
      [{ account: bench.projectOwner.key.address }, "PLAN_ACCOUNT_MISMATCH"],
      [{ further: 1 }, "INVALID_INPUT"]
    ]
    for (const [over, code] of cases)
      assert.strictEqual(
        await refused(bench, party, "prepare_pay", payment(over)),
        code,
        JSON.stringify(over)
      )
    assert.strictEqual(await count(), before)
  })

  it("tells the revert in the contract's own words", async () => {
    const paused = await launch(chain, [rulesetOf({}, { pausePay: true })])
    const project = { chainId: 31337, projectId: String(paused) }
    const { status, body } = await prepare(bench, bench.holder, "prepare_pay", payment({ project }))
    assert.strictEqual(status, 422)
    assert.strictEqual(Object(body).context.revert.name, "JBTerminalStore_RulesetPaymentPaused")
  })

  it("is not relayed once the project issues less than the plan's minimum", async () => {
    const over = { duration: 0, weight: parseEther("100") }
    const projectId = await launch(chain, [rulesetOf(over)])
    const project = { chainId: 31337, projectId: String(projectId) }
    const plan = await prepared(bench, bench.holder, "prepare_pay", payment({ project }))
    await chain.mined(
      chain.client.writeContract({
        ...chain.contract("JBController"),
        account: bench.projectOwner.key,
        functionName: "queueRulesetsOf",
        args: [projectId, [rulesetOf({ ...over, weight: parseEther("98") })], ""]
      })
    )
    const [call] = plan.calls
    const rawSignedTransaction = await signCall(bench, bench.holder, call ?? assert.fail("no call"))
    const answer = await submit(bench.service, bench.holder, plan, { rawSignedTransaction })
    assert.strictEqual((await answer.json()).code, "SIMULATION_REVERTED")
  })
})

describe("prepare_pay of every project of the sandbox", () => {
  it.each([1n, 2n, 3n, 4n, 5n, 6n])("%s issues what its plan said", async projectId => {
    const project = { chainId: 31337, projectId: String(projectId) }
    const before = await tokensOf(BENEFICIARY, projectId)
    const amount = String(parseEther("0.01"))
    const plan = await prepared(bench, bench.holder, "prepare_pay", payment({ project, amount }))
    await relayed(bench, bench.holder, plan)
    const issued = (await tokensOf(BENEFICIARY, projectId)) - before
    assert.strictEqual(String(issued), summaryOf(plan).beneficiaryTokenCount)
  })
})
