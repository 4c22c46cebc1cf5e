import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Intent } from "../../src/intents/Intent.ts"
import { stranger } from "../sandbox/support/Sandbox.ts"
import { enroll, newBot } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, rpc } from "../support/RelayBench.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { batchCode } from "./support/Batches.ts"
import { CHAIN, type Deployments, startDeployments } from "./support/Deployments.ts"
import { callOn } from "./support/Drafts.ts"

let bench: Deployments

beforeAll(async () => {
  bench = await startDeployments()
})

afterAll(() => bench.stop())

const hexOf = (text: string): `0x${string}` => `0x${text.slice(2)}`

const called = ({ to, data }: { readonly to: string; readonly data: string }) =>
  ({ kind: "call", to, data }) as const

const sentItself = ({ to, data }: { readonly to: string; readonly data: string }) =>
  bench.sent({ to: hexOf(to), data: hexOf(data) })

const traces = () => bench.proxy.records.filter(({ method }) => method === "debug_traceTransaction").length

const searched = async (words: string): Promise<ReadonlyArray<string>> => {
  const answer = await signedFetch(bench.service, bench.party, "GET", `/api/v1/intents?q=${words}`)
  const { items } = await answer.json()
  return items.map(({ intentId }: { readonly intentId: string }) => intentId)
}

const assertUndeployed = async ({ id }: Intent) => {
  const { status, deployments } = await bench.shown(id)
  assert.deepStrictEqual([status, deployments], ["undeployed", []])
}

const refused = async (intent: Intent, hash: string, reason: string) => {
  const { context, retryable } = await assertProblem(
    await bench.record(intent.id, hash),
    "DEPLOYMENT_UNPROVED"
  )
  assert.deepStrictEqual([context, retryable], [{ reason }, false])
  await assertUndeployed(intent)
}

const NOT_ITS_OWN = "the project was not created by the intent's launch on this chain"

describe("a deployment", () => {
  it("is recorded from the transaction that is the launch, without any trace", async () => {
    const launch = bench.launchOf("direct")
    const intent = await bench.publish(launch, { jb: { name: "Directness" } })
    assert.deepStrictEqual([intent.status, intent.deployments], ["undeployed", []])
    assert.deepStrictEqual(await searched("directness"), [intent.id])
    const before = traces()
    const hash = await sentItself(launch)
    const answer = await bench.record(intent.id, hash)
    assert.strictEqual(answer.status, 201)
    assert.isNull(answer.headers.get("idempotent-replayed"))
    const deployed: Intent = await answer.json()
    const [{ createdAt } = assert.fail()] = deployed.deployments
    assert.deepStrictEqual(deployed, {
      ...intent,
      status: "deployed",
      deployments: [
        {
          chainId: CHAIN,
          projectId: await bench.lastProject(),
          transactionHash: hash,
          forwarded: false,
          createdAt
        }
      ]
    })
    assert.closeTo(createdAt, Date.now() / 1_000, 60)
    assert.strictEqual(traces(), before)
    const place = answer.headers.get("location") ?? ""
    const shown = await signedFetch(bench.service, bench.party, "GET", place)
    assert.deepStrictEqual(await shown.json(), deployed)
    assert.deepStrictEqual(await searched("directness"), [])
  })

  it("is the same record however often it is told", async () => {
    const launch = bench.launchOf("told twice")
    const { id } = await bench.publish(launch)
    const hash = await sentItself(launch)
    const other = newOwner()
    await enroll(bench.service, other)
    const answers = await Promise.all(
      [0, 1, 2, 3].map(at => bench.record(id, hash, CHAIN, at % 2 ? other : bench.party))
    )
    const records: ReadonlyArray<Intent> = await Promise.all(answers.map(answer => answer.json()))
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [201, 201, 201, 201]
    )
    assert.lengthOf(
      answers.filter(({ headers }) => headers.get("idempotent-replayed") === "true"),
      3
    )
    for (const { deployments } of records) assert.deepStrictEqual(deployments, records[0]?.deployments)
    const before = bench.proxy.roundTrips()
    assert.strictEqual((await bench.record(id, hash)).headers.get("idempotent-replayed"), "true")
    assert.strictEqual(bench.proxy.roundTrips(), before, "what is known is not asked of the chain")
  })

  it("is found in the trace where a contract made the launch", async () => {
    const launch = bench.launchOf("batched")
    const intent = await bench.publish(launch)
    const inner = batchCode([called(launch)])
    const hash = await bench.batch([called(callOn(CHAIN)), { kind: "create", code: inner }])
    const { deployments } = await bench.recorded(intent.id, hash)
    assert.deepInclude(deployments[0], { projectId: await bench.lastProject(), forwarded: false })
  })

  it("is told as forwarded where the forwarder made the launch", async () => {
    const launch = bench.launchOf("forwarded")
    const intent = await bench.publish(launch)
    const hash = await bench.forwarded(launch, newOwner().key)
    const { deployments } = await bench.recorded(intent.id, hash)
    assert.deepInclude(deployments[0], { projectId: await bench.lastProject(), forwarded: true })
  })

  it("may be made again, and both are shown in the order of their recording", async () => {
    const launch = bench.launchOf("again")
    const intent = await bench.publish(launch)
    const [first, second] = [await sentItself(launch), await sentItself(launch)]
    await bench.recorded(intent.id, second)
    const { deployments } = await bench.recorded(intent.id, first)
    assert.deepStrictEqual(
      deployments.map(({ transactionHash }) => transactionHash),
      [second, first]
    )
  })

  it("is recorded 16 times on a chain at most", async () => {
    const launch = bench.launchOf("sixteen")
    const intent = await bench.publish(launch)
    await bench.recorded(intent.id, await sentItself(launch))
    await sqlOn(
      bench.service.databaseUrl,
      `INSERT INTO intent_deployments (intent, chain_id, transaction_hash, project_id, forwarded, block_number, block_hash, created_at)
        SELECT intent, chain_id, '0x' || lpad(n::text, 64, '0'), project_id, forwarded, block_number, block_hash, 1
        FROM intent_deployments JOIN intents i ON i.number = intent, generate_series(1, 15) n WHERE i.id = $1`,
      [intent.id]
    )
    const { context } = await assertProblem(
      await bench.record(intent.id, await sentItself(launch)),
      "STORAGE_LIMIT"
    )
    assert.deepStrictEqual(context, { limit: "deployments of an intent on a chain", most: 16 })
  })
})

describe("what is not proved is not recorded", () => {
  it("a transaction that is not there, or not deep enough", async () => {
    const launch = bench.launchOf("early")
    const intent = await bench.publish(launch)
    const unknown = await assertProblem(
      await bench.record(intent.id, `0x${"77".repeat(32)}`),
      "DEPLOYMENT_UNCONFIRMED"
    )
    assert.deepStrictEqual([unknown.context, unknown.retryable], [{ confirmations: 0, required: 2 }, true])
    const hash = await sentItself(launch)
    await rpc(bench.chain.url, "anvil_rollback", [1])
    const young = await assertProblem(await bench.record(intent.id, hash), "DEPLOYMENT_UNCONFIRMED")
    assert.deepStrictEqual(young.context, { confirmations: 1, required: 2 })
    await assertUndeployed(intent)
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
    await refused(intent, await sentItself(bench.launchOf("another")), NOT_ITS_OWN)
    await refused(intent, await sentItself({ ...launch, data: `${launch.data}00` }), NOT_ITS_OWN)
    const { data } = bench.createOwn.kind === "call" ? bench.createOwn : assert.fail()
    await refused(intent, await sentItself({ to: bench.sandbox.at("JBProjects"), data }), NOT_ITS_OWN)
  })

  it("the launch's own bytes with a sender appended by anybody but the forwarder", async () => {
    const launch = bench.launchOf("forged")
    const intent = await bench.publish(launch)
    const forged = { ...launch, data: `${launch.data}${stranger.address.slice(2).toLowerCase()}` }
    await refused(intent, await sentItself(forged), NOT_ITS_OWN)
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
    await refused(intent, await sentItself(call), "the transaction created no project")
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
    await assertUndeployed(intent)
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

  it("stays unknown: a node without traces, a trace that is none", async () => {
    const { intent, hash } = await suspect("untraced")
    faulty({ kind: "error", code: -32_601, message: "the method does not exist" })
    const { context } = await assertProblem(await bench.record(intent.id, hash), "TRACE_UNAVAILABLE")
    assert.deepStrictEqual(context, { code: -32_601 })
    for (const result of [
      null,
      {},
      { type: "CALL", from: "me", calls: [] },
      { type: "CALL", from: "0x", calls: [1] }
    ]) {
      faulty({ kind: "result", result })
      await assertProblem(await bench.record(intent.id, hash), "RPC_INVALID_RESPONSE")
    }
    await assertUndeployed(intent)
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
    await assertUndeployed(intent)
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
