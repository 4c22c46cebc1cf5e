import { parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { BENEFICIARY, HOLDER, REVNET, readerOf, seededStageOf } from "../support/RevnetPlans.ts"

const bench = await startPlanBench()
const stageId = await seededStageOf(bench)

afterAll(() => bench.stop())

const PROMISED = parseEther("500")

describe("prepare_auto_issue", () => {
  const issuing = (over: object = {}) => ({
    project: REVNET,
    account: bench.projectOwner.key.address,
    stageId: String(stageId),
    beneficiary: HOLDER,
    ...over
  })

  it.each<[string, string, () => object]>([
    ["a stage that has not started", "STAGE_NOT_STARTED", () => ({ stageId: String(stageId + 1n) })],
    ["a stage that there is not", "NOTHING_TO_AUTO_ISSUE", () => ({ stageId: "1" })],
    ["somebody that nothing was promised to", "NOTHING_TO_AUTO_ISSUE", () => ({ beneficiary: BENEFICIARY })],
    ["a project that is no revnet", "NOT_A_REVNET", () => ({ project: { ...REVNET, projectId: "2" } })]
  ])("refuses %s", async (_, code, over) => {
    assert.strictEqual(await refused(bench, bench.projectOwner, "prepare_auto_issue", issuing(over())), code)
  })

  it("plans what is left of a promise, which the relay proves; after that nothing is left", async () => {
    const { client, at: contract } = readerOf(bench)
    const tokens = () =>
      client.readContract({
        ...contract("JBTokens"),
        functionName: "totalBalanceOf",
        args: [HOLDER, BigInt(REVNET.projectId)]
      })
    const before = await tokens()
    const plan = await prepared(bench, bench.projectOwner, "prepare_auto_issue", issuing())
    assert.deepStrictEqual([plan.operation, plan.calls[0]?.value], ["revnet_auto_issue", "0"])
    const { count, stageStart } = Object(plan.summary)
    assert.deepStrictEqual([count, stageStart], [String(PROMISED), String(stageId)])
    await relayed(bench, bench.projectOwner, plan)
    assert.strictEqual((await tokens()) - before, PROMISED)
    assert.strictEqual(
      await refused(bench, bench.projectOwner, "prepare_auto_issue", issuing()),
      "NOTHING_TO_AUTO_ISSUE"
    )
  })
})
