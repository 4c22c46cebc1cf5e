import { decodeFunctionData, parseAbi } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { type CallInput, callOf, contractCalls, planned, requestPlan } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, startRelayBench } from "../support/RelayBench.ts"

const TOKEN = "@bananapus/core-v6:src/JBERC20.sol:JBERC20"
const STRANGER = `0x${"77".repeat(20)}` as const

const bench = await startRelayBench()
const owner = await newPayer(bench)

afterAll(() => bench.stop())

const approval = (over: CallInput): CallInput => ({
  chainId: 31337,
  contractId: TOKEN,
  function: "approve(address,uint256)",
  args: [STRANGER, "5"],
  value: "0",
  dependsOn: [],
  ...over
})

const token = () => bench.manifest.seeded.token

const refused = async (over: CallInput, code: string) =>
  assertProblem(await requestPlan(bench.service, owner, contractCalls(owner, [approval(over)])), code)

describe("calls to a clone", () => {
  it("are planned by its project or its address, in three round trips at most", async () => {
    const controller = {
      chainId: 31337,
      contractId: "@bananapus/core-v6:src/JBController.sol:JBController",
      function: "sendReservedTokensToSplitsOf(uint256)",
      args: ["2"],
      value: "0",
      dependsOn: [],
      projectId: "2"
    }
    const calls = [
      approval({ projectId: "2" }),
      approval({ address: token() }),
      approval({ address: token(), projectId: "2" }),
      controller
    ]
    const before = bench.proxy.roundTrips()
    const plan = await planned(bench, owner, { calls })
    assert.isAtMost(bench.proxy.roundTrips() - before, 3)
    const abi = parseAbi(["function approve(address,uint256) returns (bool)"])
    for (const step of [0, 1, 2]) {
      assert.strictEqual(callOf(plan, step).to.toLowerCase(), token().toLowerCase())
      const { args } = decodeFunctionData({ abi, data: callOf(plan, step).data })
      assert.deepStrictEqual(args, [STRANGER, 5n])
    }
    const again = bench.proxy.roundTrips()
    await planned(bench, owner, { calls })
    assert.strictEqual(bench.proxy.roundTrips() - again, 2)
  })

  it("are refused where nothing proves the clone or ties it to the project", async () => {
    await refused({ address: STRANGER }, "TARGET_UNVERIFIED")
    await refused({ projectId: "1" }, "PROJECT_COMPONENT_MISSING")
    const mismatch = await refused({ address: token(), projectId: "1" }, "PROJECT_COMPONENT_MISSING")
    assert.strictEqual(mismatch.context?.projectId, "1")
  })
})
