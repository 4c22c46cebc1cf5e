import { afterAll, assert, describe, it } from "vitest"
import type { Intent } from "../../src/intents/Intent.ts"
import { stranger } from "../sandbox/support/Sandbox.ts"
import { newBot } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { batchCode, called } from "./support/Batches.ts"
import { CHAIN, type Deployments, startDeployments } from "./support/Deployments.ts"
import { callOn } from "./support/Drafts.ts"

const bench = await startDeployments()

afterAll(() => bench.stop())

const hexOf = (text: string): `0x${string}` => `0x${text.slice(2)}`

const refused = async (intent: Intent, hash: string, reason: string) => {
  const { context, retryable } = await assertProblem(
    await bench.record(intent.id, hash),
    "DEPLOYMENT_UNPROVED"
  )
  assert.deepStrictEqual([context, retryable], [{ reason }, false])
  await bench.assertUndeployed(intent)
}

const NOT_ITS_OWN = "the project was not created by the intent's launch on this chain"

describe("what is not proved is not recorded", () => {
  it("a transaction that is not there, or not deep enough", async () => {
    const launch = bench.launchOf("early")
    const intent = await bench.publish(launch)
    const unknown = await assertProblem(
      await bench.record(intent.id, `0x${"77".repeat(32)}`),
      "DEPLOYMENT_UNCONFIRMED"
    )
    assert.deepStrictEqual([unknown.context, unknown.retryable], [{ confirmations: 0, required: 2 }, true])
    const hash = await bench.sentItself(launch)
    await rpc(bench.chain.url, "anvil_rollback", [1])
    const young = await assertProblem(await bench.record(intent.id, hash), "DEPLOYMENT_UNCONFIRMED")
    assert.deepStrictEqual(young.context, { confirmations: 1, required: 2 })
    await bench.assertUndeployed(intent)
    await mine(bench, 1)
    await bench.recorded(intent.id, hash)
  })

  it("a launch that reverted", async () => {
    const launch = bench.launchOf("reverted")
    const intent = await bench.publish(launch)
    const hash = await bench.sent({ to: hexOf(launch.to), data: hexOf(launch.data), gas: 200_000n })
    await refused(intent, hash, "the transaction reverted")
  })

  it("another call, another contract or more than the call", async () => {
    const launch = bench.launchOf("the one")
    const intent = await bench.publish(launch)
    await refused(intent, await bench.sentItself(bench.launchOf("another")), NOT_ITS_OWN)
    await refused(intent, await bench.sentItself({ ...launch, data: `${launch.data}00` }), NOT_ITS_OWN)
    const { data } = bench.createOwn.kind === "call" ? bench.createOwn : assert.fail()
    await refused(intent, await bench.sentItself({ to: bench.sandbox.at("JBProjects"), data }), NOT_ITS_OWN)
  })

  it("the launch's own bytes with a sender appended by anybody but the forwarder", async () => {
    const launch = bench.launchOf("forged")
    const intent = await bench.publish(launch)
    const forged = { ...launch, data: `${launch.data}${stranger.address.slice(2).toLowerCase()}` }
    await refused(intent, await bench.sentItself(forged), NOT_ITS_OWN)
    await refused(intent, await bench.batch([called(forged)]), NOT_ITS_OWN)
  })

  it("a launch that was undone, beside a project that was not created by it", async () => {
    const launch = bench.launchOf("undone")
    const intent = await bench.publish(launch)
    const undone = { kind: "create", code: batchCode([called(launch)], "revert") } as const
    await refused(intent, await bench.batch([undone, bench.createOwn]), NOT_ITS_OWN)
    await refused(intent, await bench.batch([undone]), "the transaction created no project")
  })

  it("a target that creates nothing, beside a project", async () => {
    const call = callOn(CHAIN)
    const intent = await bench.publish(call)
    await refused(intent, await bench.batch([called(call), bench.createOwn]), NOT_ITS_OWN)
    await refused(intent, await bench.sentItself(call), "the transaction created no project")
  })

  it("two projects, though the launch created one of them", async () => {
    const launch = bench.launchOf("two")
    const intent = await bench.publish(launch)
    const hash = await bench.batch([called(launch), bench.createOwn])
    await refused(intent, hash, "the transaction created several projects")
  })

  it("the launch's code run in the name of another contract", async () => {
    const launch = bench.launchOf("delegated")
    const intent = await bench.publish(launch)
    const delegated = { kind: "delegatecall", to: launch.to, data: launch.data } as const
    const hash = await bench.batch([delegated, bench.createOwn])
    const { code } = await (await bench.record(intent.id, hash)).json()
    assert.strictEqual(code, "DEPLOYMENT_UNPROVED")
    await bench.assertUndeployed(intent)
  })

  it("a Safe that was created before the launch, for the launch is the last call of its chain", async () => {
    const launch = bench.launchOf("after a safe")
    const safe = callOn(CHAIN, {
      to: "0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67",
      data: `0x1688f0b9${"00".repeat(32)}`
    })
    const intent = await bench.publish(launch, { deploymentCalls: [safe, launch] })
    await refused(intent, await bench.batch([called(safe), bench.createOwn]), NOT_ITS_OWN)
    await bench.recorded(intent.id, await bench.batch([called(safe), called(launch)]))
  })
})

describe("what the node does not tell", () => {
  const suspect = async (memo: string) => {
    const launch = bench.launchOf(memo)
    return { intent: await bench.publish(launch), hash: await bench.batch([called(launch)]) }
  }

  const faulty = (act: Parameters<Deployments["proxy"]["fault"]>[0]["act"]) =>
    bench.proxy.fault({ method: "debug_traceTransaction", phase: "after", act })

  it("stays unknown: a node without traces, or over its limit, a trace that is none", async () => {
    const { intent, hash } = await suspect("untraced")
    faulty({ kind: "error", code: -32_601, message: "the method does not exist" })
    const { context } = await assertProblem(await bench.record(intent.id, hash), "TRACE_UNAVAILABLE")
    assert.deepStrictEqual(context, { code: -32_601 })
    for (const code of [-32_005, 429]) {
      faulty({ kind: "error", code, message: "over the limit" })
      await assertProblem(await bench.record(intent.id, hash), "RPC_UNAVAILABLE")
    }
    for (const result of [
      null,
      {},
      { type: "CALL", from: "me", calls: [] },
      { type: "CALL", from: "0x", calls: [1] }
    ]) {
      faulty({ kind: "result", result })
      await assertProblem(await bench.record(intent.id, hash), "RPC_INVALID_RESPONSE")
    }
    await bench.assertUndeployed(intent)
    await bench.recorded(intent.id, hash)
  })

  it("stays unknown: a receipt whose block another one has replaced meanwhile", async () => {
    const { intent, hash } = await suspect("replaced")
    const receipt = await rpc(bench.chain.url, "eth_getTransactionReceipt", [hash])
    bench.proxy.fault({
      method: "eth_getBlockByNumber",
      phase: "after",
      within: calls => calls.some(({ params }) => params[0] === receipt.blockNumber),
      act: {
        kind: "rewrite",
        rewrite: ({ params }, result) =>
          params[0] === receipt.blockNumber ? { ...Object(result), hash: `0x${"66".repeat(32)}` } : undefined
      }
    })
    await assertProblem(await bench.record(intent.id, hash), "DEPLOYMENT_UNCONFIRMED")
    await bench.assertUndeployed(intent)
  })
})

describe("who asks for what is not there", () => {
  it("is told so", async () => {
    const launch = bench.launchOf("elsewhere")
    const intent = await bench.publish(launch)
    const hash = `0x${"77".repeat(32)}`
    const { context } = await assertProblem(await bench.record(intent.id, hash, 1), "INVALID_INPUT")
    assert.deepStrictEqual(context, { path: "chainId", expected: "a chain of the intent" })
    await assertProblem(await bench.record("01234567-89ab-4def-8123-456789abcdef", hash), "INTENT_NOT_FOUND")
    await assertProblem(await bench.record("an-intent", hash), "INVALID_PARAMETER")
    await assertProblem(await bench.record(intent.id, "0x77"), "INVALID_INPUT")
    const later = await bench.publish(launch, { deploymentVersion: "7" })
    await assertProblem(await bench.record(later.id, hash), "UNSUPPORTED_VERSION")
    const remote = await bench.publish(callOn(5), { chainIds: [5] })
    await assertProblem(await bench.record(remote.id, hash, 5), "UNSUPPORTED_CHAIN")
    const reader = await newBot(bench.service, bench.party)
    await assertProblem(await bench.record(intent.id, hash, CHAIN, reader), "FORBIDDEN")
  })
})
