import { createPublicClient, http, parseEther } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { abi } from "../../sandbox/support/abi.ts"
import { BRIDGED, RECEIVER, SENDER, seededClaim, seededLeaf } from "../../sandbox/support/suckers.ts"
import {
  type PlanBench,
  prepare,
  prepared,
  refused,
  relayed,
  startPlanBench
} from "../../support/PlanBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { hashLeaf, treeOf } from "../bridges/support/Trees.ts"

let bench: PlanBench

beforeAll(async () => {
  bench = await startPlanBench()
})

afterAll(() => bench.stop())

const project = { chainId: 31337, projectId: String(BRIDGED) }

const claim = (over: object = {}) => ({
  project,
  account: bench.holder.key.address,
  sucker: RECEIVER,
  claim: seededClaim,
  ...over
})

const refusal = (over: object) => refused(bench, bench.holder, "prepare_bridge_claim", claim(over))

const withLeaf = (over: object) => ({ claim: { ...seededClaim, leaf: { ...seededLeaf, ...over } } })

const at = (name: string) =>
  bench.manifest.deployments.find(({ alias }) => alias === name)?.address ?? assert.fail(name)

const chain = () => createPublicClient({ transport: http(bench.chain.url) })

const held = () =>
  chain().readContract({
    address: at("JBTokens"),
    abi,
    functionName: "totalBalanceOf",
    args: [bench.holder.key.address, BRIDGED]
  })

const balance = () =>
  chain().readContract({
    address: at("JBTerminalStore"),
    abi,
    functionName: "balanceOf",
    args: [at("JBMultiTerminal"), BRIDGED, NATIVE_TOKEN]
  })

describe("prepare_bridge_claim", () => {
  it("refuses what the sucker would not execute, and suckers that the registry does not list", async () => {
    assert.strictEqual(await refusal({ project: { ...project, projectId: "2" } }), "UNTRUSTED_SUCKER")
    assert.strictEqual(await refusal({ sucker: NATIVE_TOKEN }), "UNTRUSTED_SUCKER")
    assert.strictEqual(
      await refused(
        bench,
        bench.projectOwner,
        "prepare_bridge_claim",
        claim({ account: bench.projectOwner.key.address })
      ),
      "CLAIM_BENEFICIARY_MISMATCH"
    )
    assert.strictEqual(await refusal(withLeaf({ terminalTokenAmount: "2" })), "SIMULATION_REVERTED")
    assert.strictEqual(await refusal({ sucker: SENDER }), "SIMULATION_REVERTED")
    assert.strictEqual(
      await refusal({ claim: { ...seededClaim, proof: seededClaim.proof.slice(1) } }),
      "INVALID_INPUT"
    )
    const { body } = await prepare(bench, bench.holder, "prepare_bridge_claim", claim({ sucker: SENDER }))
    assert.strictEqual(Object(body).context.revert.name, "JBSucker_InvalidProof")
  })

  it("plans the single claim, whose effect the relay proves, and no second one", async () => {
    const { root } = treeOf([hashLeaf(seededLeaf)])
    const plan = await prepared(bench, bench.holder, "prepare_bridge_claim", claim())
    assert.strictEqual(plan.operation, "bridge_claim")
    assert.deepInclude(Object(plan.summary), {
      suckerContract: "JBOptimismSucker",
      leafHash: hashLeaf(seededLeaf),
      computedRoot: root,
      currentInboxRoot: root,
      inboxNonce: "1",
      matchesCurrentInboxRoot: true
    })
    assert.deepStrictEqual(
      plan.calls.map(({ data, value }) => [data.slice(0, 10), value]),
      [["0xcbb2adce", "0"]]
    )
    const before = await balance()
    const shown = await relayed(bench, bench.holder, plan)
    assert.strictEqual(shown.steps[0]?.semantic?.verifier, "bridge_claim")
    assert.strictEqual(await held(), parseEther("1000"))
    assert.strictEqual((await balance()) - before, parseEther("1"))
    assert.strictEqual(await refusal({}), "CLAIM_ALREADY_EXECUTED")
  })
})
