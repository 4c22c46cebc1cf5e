import { createPublicClient, createTestClient, http, parseEther, publicActions, walletActions } from "viem"
import { foundry } from "viem/chains"
import { afterAll, assert, describe, it } from "vitest"
import { owner } from "../../sandbox/support/Sandbox.ts"
import { BRIDGED, RECEIVER, SENDER, seededClaim, suckerAbi } from "../../sandbox/support/suckers.ts"
import { prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { contractCalls, requestPlan } from "../../support/PlannedCalls.ts"

const DAY = 86_400

const bench = await startPlanBench()

afterAll(() => bench.stop())

const project = { chainId: 31337, projectId: String(BRIDGED) }

const sync = (over: object = {}) => ({
  project,
  account: bench.holder.key.address,
  sucker: SENDER,
  maxTransportValue: String(parseEther("1")),
  ...over
})

const refusal = (over: object) => refused(bench, bench.holder, "prepare_accounting_sync", sync(over))

describe("prepare_accounting_sync", () => {
  it("plans the least usual value that the sucker takes, and the peer then has the accounts", async () => {
    const chain = createPublicClient({ transport: http(bench.chain.url) })
    const accounts = () =>
      chain.readContract({ address: RECEIVER, abi: suckerAbi, functionName: "peerChainAccountsOf" })
    const [before] = await accounts()
    await createTestClient({ mode: "anvil", chain: foundry, transport: http(bench.chain.url) }).increaseTime({
      seconds: 1
    })
    const plan = await prepared(bench, bench.holder, "prepare_accounting_sync", sync())
    assert.strictEqual(plan.operation, "sync_accounting")
    assert.deepInclude(Object(plan.summary), {
      suckerContract: "JBOptimismSucker",
      transport: "native",
      peerChainId: "31337",
      simulatedValue: "0"
    })
    assert.deepStrictEqual(
      plan.calls.map(({ data, value }) => [data, value]),
      [["0xc1ca1ec7", "0"]]
    )
    const shown = await relayed(bench, bench.holder, plan)
    assert.strictEqual(shown.steps[0]?.semantic?.verifier, "sync_accounting")
    const [after] = await accounts()
    assert.isAbove(Number(after?.timestamp), Number(before?.timestamp))
  })

  it("needs no value where the transport takes none", async () => {
    const plan = await prepared(
      bench,
      bench.holder,
      "prepare_accounting_sync",
      sync({ maxTransportValue: "0" })
    )
    assert.strictEqual(Object(plan.summary).simulatedValue, "0")
  })

  it("refuses suckers that the registry does not list", async () => {
    assert.strictEqual(await refusal({ project: { ...project, projectId: "1" } }), "UNTRUSTED_SUCKER")
    assert.strictEqual(await refusal({ sucker: bench.holder.key.address }), "UNTRUSTED_SUCKER")
  })

  it("refuses a sucker that sends nothing any more", async () => {
    const chain = createTestClient({ mode: "anvil", chain: foundry, transport: http(bench.chain.url) })
      .extend(publicActions)
      .extend(walletActions)
    const { timestamp } = await chain.getBlock()
    const end = Number(timestamp) + 15 * DAY
    const deprecation = {
      address: SENDER,
      abi: suckerAbi,
      functionName: "setDeprecation",
      args: [end]
    } as const
    await chain.writeContract({ ...deprecation, account: owner })
    await chain.mine({ blocks: 1, interval: 0 })
    await chain.increaseTime({ seconds: 2 * DAY })
    await chain.mine({ blocks: 1 })
    assert.strictEqual(await refusal({}), "NO_VERIFIED_TRANSPORT_VALUE")
  })
})

describe("several claims in one call", () => {
  it("are planned for the proved sucker, and verified by what it says itself", async () => {
    const call = {
      chainId: 31337,
      contractId: "@bananapus/suckers-v6:src/JBOptimismSucker.sol:JBOptimismSucker",
      address: RECEIVER,
      function: "claim((address,(uint256,bytes32,uint256,uint256,bytes32),bytes32[32])[])",
      args: [[seededClaim]],
      value: "0",
      dependsOn: []
    }
    const answer = await requestPlan(bench.service, bench.holder, contractCalls(bench.holder, [call]))
    assert.strictEqual(answer.status, 201, await answer.clone().text())
    const shown = await relayed(bench, bench.holder, await answer.json())
    assert.strictEqual(shown.steps[0]?.semantic?.verifier, "bridge_claims")
  })
})
