import {
  type Address,
  createPublicClient,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseEther,
  parseEventLogs,
  publicActions,
  walletActions,
  zeroHash
} from "viem"
import { foundry } from "viem/chains"
import { afterAll, assert, describe, it } from "vitest"
import { TO_REMOTE_FEE, word } from "../../../sandbox/families/suckers.ts"
import { abi } from "../../sandbox/support/abi.ts"
import { owner } from "../../sandbox/support/Sandbox.ts"
import {
  BRIDGED,
  BRIDGED_TOKEN,
  RECEIVER,
  SENDER,
  seededClaim,
  seededLeaf,
  suckerAbi
} from "../../sandbox/support/suckers.ts"
import { prepare, prepared, refused, relayed, startPlanBench } from "../../support/PlanBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { hashLeaf, treeOf } from "../omnichain/support/Trees.ts"

const bench = await startPlanBench()

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

  it("says so where the proof leads to an earlier root, which the sucker still keeps", async () => {
    const second = { ...seededLeaf, index: "1", ...(await bridged()) }
    const hashes = [seededLeaf, second].map(hashLeaf)
    const { root, proofOf } = treeOf(hashes)
    await bridged()
    const later = claim({ claim: { token: NATIVE_TOKEN, leaf: second, proof: proofOf(1) } })
    const plan = await prepared(bench, bench.holder, "prepare_bridge_claim", later)
    const summary = Object(plan.summary)
    assert.deepInclude(summary, { computedRoot: root, matchesCurrentInboxRoot: false, inboxNonce: "3" })
    assert.notStrictEqual(summary.currentInboxRoot, root)
    assert.isTrue(plan.warnings.some(warning => warning.includes("earlier root")))
    await relayed(bench, bench.holder, plan)
  })
})

/** Sends a hundred more tokens across. */
const bridged = async () => {
  const count = parseEther("100")
  const sandbox = createTestClient({ mode: "anvil", chain: foundry, transport: http(bench.chain.url) })
    .extend(publicActions)
    .extend(walletActions)
  const send = async (to: Address, data: Hex, value = 0n) => {
    const hash = await sandbox.sendTransaction({ account: owner, to, data, value })
    await sandbox.mine({ blocks: 1, interval: 0 })
    return sandbox.waitForTransactionReceipt({ hash })
  }
  const approved = encodeFunctionData({ abi: suckerAbi, functionName: "approve", args: [SENDER, count] })
  await send(BRIDGED_TOKEN, approved)
  const prepared = encodeFunctionData({
    abi: suckerAbi,
    functionName: "prepare",
    args: [count, word(bench.holder.key.address), 0n, NATIVE_TOKEN, zeroHash]
  })
  const { logs } = await send(SENDER, prepared)
  const [inserted] = parseEventLogs({ abi: suckerAbi, logs, eventName: "InsertToOutboxTree" })
  const sent = encodeFunctionData({ abi: suckerAbi, functionName: "toRemote", args: [NATIVE_TOKEN] })
  await send(SENDER, sent, TO_REMOTE_FEE)
  return {
    projectTokenCount: String(count),
    terminalTokenAmount: String(inserted?.args.terminalTokenAmount)
  }
}
