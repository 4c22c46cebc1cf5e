import { decodeFunctionData, parseAbi } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import {
  type CallInput,
  callOf,
  contractCalls,
  payment,
  planned,
  requestPlan
} from "../../support/PlannedCalls.ts"
import { assertProblem } from "../../support/Problem.ts"
import { newPayer, startRelayBench } from "../../support/RelayBench.ts"
import { contractId } from "../../support/Sandbox.ts"
import { signedFetch } from "../../support/SignedFetch.ts"

const NATIVE = "0x000000000000000000000000000000000000EEEe"

const bench = await startRelayBench()
const owner = await newPayer(bench)

afterAll(() => bench.stop())

const pay = (over: CallInput = {}) => payment(bench, owner.key.address, over)
const id = (name: string) => contractId(bench.manifest, name)

const refused = async (calls: ReadonlyArray<CallInput>, code: string) =>
  assertProblem(await requestPlan(bench.service, owner, contractCalls(owner, calls)), code)

const refusedUnasked = async (body: unknown, code: string) => {
  const asked = bench.proxy.roundTrips()
  const problem = await assertProblem(await requestPlan(bench.service, owner, body), code)
  assert.strictEqual(bench.proxy.roundTrips(), asked)
  return problem
}

describe("contract calls", () => {
  it("become exact calldata to a proved target at one block", async () => {
    await planned(bench, owner)
    const begun = bench.proxy.records.length
    const plan = await planned(bench, owner, {
      calls: [pay(), pay({ dependsOn: [0] }), pay({ dependsOn: [0, 1] })]
    })
    const address = bench.manifest.deployments.find(
      ({ contractId }) => contractId === id("JBMultiTerminal")
    )?.address
    const call = callOf(plan)
    assert.strictEqual(call.to.toLowerCase(), address?.toLowerCase())
    assert.strictEqual(call.value, "1000")
    const abi = parseAbi([
      "function pay(uint256,address,uint256,address,uint256,string,bytes) payable returns (uint256)"
    ])
    assert.deepStrictEqual(decodeFunctionData({ abi, data: call.data }).args, [
      2n,
      NATIVE,
      1_000n,
      owner.key.address,
      0n,
      "thanks",
      "0x"
    ])
    assert.deepStrictEqual(
      plan.calls.map(({ dependsOn }) => dependsOn),
      [[], [0], [0, 1]]
    )
    assert.deepStrictEqual(
      plan.steps.map(({ state }) => state),
      ["ready", "blocked", "blocked"]
    )
    assert.strictEqual(plan.evidence.length, 1)
    const heads = bench.proxy.records.slice(begun).filter(({ method }) => method === "eth_getBlockByNumber")
    assert.isAtMost(heads.length, 1)
  })

  it("keep odd text exactly", async () => {
    const memo = 'null \u0000, quote " and \\u0041, e\u0301, 🦊, \u2028'
    const plan = await planned(bench, owner, {
      calls: [pay({ args: ["2", NATIVE, "1000", owner.key.address, "0", memo, "0x"] })]
    })
    assert.strictEqual(callOf(plan).decoded.args[5], memo)
    const listed = await signedFetch(bench.service, owner, "GET", "/api/v1/plans?limit=1")
    const { items } = await listed.json()
    assert.deepStrictEqual(items, [plan])
  })

  it("carry a label within its bound", async () => {
    const { operation, input } = contractCalls(owner, [pay()])
    const answer = await requestPlan(bench.service, owner, {
      operation,
      input: { ...input, label: "🦊".repeat(80) }
    })
    assert.strictEqual(answer.status, 201)
    assert.strictEqual((await answer.json()).calls[0].label, "🦊".repeat(80))
    await refusedUnasked({ operation, input: { ...input, label: "x".repeat(161) } }, "INVALID_INPUT")
    await refusedUnasked({ operation, input: { ...input, label: "" } }, "INVALID_INPUT")
  })
})

describe("the number of calls", () => {
  it("is 1 to 32", async () => {
    await refusedUnasked(contractCalls(owner, []), "INVALID_PLAN")
    await refusedUnasked(
      contractCalls(
        owner,
        Array.from({ length: 33 }, () => pay())
      ),
      "INVALID_PLAN"
    )
    const plan = await planned(bench, owner, { calls: Array.from({ length: 32 }, () => pay()) })
    assert.strictEqual(plan.steps.length, 32)
  })
})

describe("dependencies", () => {
  it.each([[[0]], [[1]], [[31]]])("on itself or later calls are refused: %j", async dependsOn => {
    await refused([pay({ dependsOn }), pay()], "INVALID_PLAN_CALL")
  })

  it("are distinct indices of calls", async () => {
    await refused([pay(), pay({ dependsOn: [0, 0] })], "INVALID_PLAN_CALL")
    for (const dependsOn of [[-1], [0.5], ["0"], [32], 0])
      await refusedUnasked(contractCalls(owner, [pay(), pay({ dependsOn })]), "INVALID_INPUT")
  })
})

describe("values", () => {
  it("go to payable functions alone", async () => {
    const call = {
      contractId: id("JBController"),
      function: "sendReservedTokensToSplitsOf(uint256)",
      args: ["2"]
    }
    const problem = await refused([{ chainId: 31337, ...call, value: "1" }], "INVALID_PLAN_CALL")
    assert.strictEqual(problem.context?.path, "input.calls[0].value")
    const plan = await planned(bench, owner, { calls: [{ chainId: 31337, ...call }] })
    assert.strictEqual(callOf(plan).value, "0")
  })

  it.each(["-1", "01", "1.0", "0x1", "", `1${"0".repeat(78)}`])(
    "are canonical decimal strings: %s",
    async value => {
      await refusedUnasked(contractCalls(owner, [pay({ value })]), "INVALID_INPUT")
    }
  )
})

describe("functions", () => {
  const directory = { contractId: "", function: "controllerOf(uint256)", args: ["2"], value: "0" }

  it("that only read are not planned", async () => {
    const call = { ...directory, chainId: 31337, contractId: id("JBDirectory") }
    await refused([call], "FUNCTION_MUTABILITY_MISMATCH")
  })

  it("are named by their whole signature", async () => {
    for (const name of ["pay", "pay(uint256)", "pay(uint256,address,uint256,address,uint256,string,bytes )"])
      await refused([pay({ function: name })], "FUNCTION_SIGNATURE_UNKNOWN")
    await refusedUnasked(contractCalls(owner, [pay({ function: "" })]), "INVALID_INPUT")
  })

  it("take their arguments exactly", async () => {
    const args = ["2", NATIVE, "1000", owner.key.address, "0", "thanks", "0x"]
    for (const bad of [
      [],
      args.slice(1),
      [...args, "0"],
      [2, ...args.slice(1)],
      ["02", ...args.slice(1)],
      ["2", "0x12", ...args.slice(2)],
      [...args.slice(0, 6), "0x1"]
    ])
      await refused([pay({ args: bad })], "ABI_ARGUMENT_INVALID")
  })

  it("are refused by the place of the call and the argument", async () => {
    const args = ["2", NATIVE, "1000", owner.key.address, "0", "thanks", "0x1"]
    const argument = await refused([pay(), pay({ args })], "ABI_ARGUMENT_INVALID")
    assert.strictEqual(argument.context?.path, "input.calls[1].args[6]")
    const name = await refused([pay(), pay({ function: "pay(uint256)" })], "FUNCTION_SIGNATURE_UNKNOWN")
    assert.strictEqual(name.context?.path, "input.calls[1].function")
  })
})

describe("targets", () => {
  it("are catalogued contracts", async () => {
    await refused([pay({ contractId: "nobody:src/None.sol:None" })], "CONTRACT_NOT_FOUND")
  })

  it("are the catalogue's addresses", async () => {
    await refused([pay({ address: owner.key.address })], "TARGET_UNVERIFIED")
  })

  it("lie on configured chains", async () => {
    const problem = await refused([pay({ chainId: 1 })], "UNSUPPORTED_CHAIN")
    assert.deepStrictEqual(problem.context, { chainId: 1 })
  })

  it("are not given as raw calldata, ABIs, URLs or blocks", async () => {
    for (const over of [
      { data: "0x" },
      { abi: [] },
      { rpcUrl: "http://127.0.0.1" },
      { blockNumber: "1" },
      { to: owner.key.address }
    ])
      await refusedUnasked(contractCalls(owner, [pay(over)]), "INVALID_INPUT")
  })
})

describe("a plan that is too large", () => {
  it("is refused by its record, not by its body", async () => {
    const memo = "m".repeat(31_000)
    const calls = Array.from({ length: 32 }, () =>
      pay({ args: ["2", NATIVE, "1000", owner.key.address, "0", memo, "0x"] })
    )
    await refused(calls, "PLAN_TOO_LARGE")
  })
})

describe("operations", () => {
  it("that nobody serves here are refused", async () => {
    await refusedUnasked({ operation: "prepare_nothing", input: {} }, "INVALID_INPUT")
  })
})
