import { createPublicClient, http, parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type PlanBench, prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"

let bench: PlanBench

beforeAll(async () => {
  bench = await startPlanBench()
})

afterAll(() => bench.stop())

const project = { chainId: 31337, projectId: "2" }
const NATIVE_CURRENCY = 61_166

const payout = (amount: bigint, over: object = {}) => ({
  project,
  account: bench.projectOwner.key.address,
  token: NATIVE_TOKEN,
  amount: String(amount),
  currency: NATIVE_CURRENCY,
  ...over
})

describe("prepare_payout", () => {
  it("plans the exact payout, which the relay proves", async () => {
    const chain = createPublicClient({ transport: http(bench.chain.url) })
    const { beneficiary } = bench.manifest.accounts
    const before = await chain.getBalance({ address: beneficiary })
    const plan = await prepared(bench, bench.projectOwner, "prepare_payout", payout(parseEther("1")))
    assert.strictEqual(plan.operation, "payout")
    assert.deepInclude(Object(plan.summary), { amountPaidOut: String(parseEther("1")) })
    await relayed(bench, bench.projectOwner, plan)
    const after = await chain.getBalance({ address: beneficiary })
    assert.isAbove(Number(after - before), 0)
  })

  it("refuses more than the limit allows", async () => {
    assert.strictEqual(
      await refused(bench, bench.projectOwner, "prepare_payout", payout(parseEther("3"))),
      "NOTHING_TO_PAY_OUT"
    )
  })
})
