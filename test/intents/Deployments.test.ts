import { afterAll, assert, describe, it } from "vitest"
import type { Intent } from "../../src/intents/Intent.ts"
import { enroll } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { batchCode, called } from "./support/Batches.ts"
import { CHAIN, startDeployments } from "./support/Deployments.ts"
import { callOn } from "./support/Drafts.ts"

const bench = await startDeployments()

afterAll(() => bench.stop())

const traces = () => bench.proxy.records.filter(({ method }) => method === "debug_traceTransaction").length

const searched = async (words: string): Promise<ReadonlyArray<string>> => {
  const answer = await signedFetch(bench.service, bench.party, "GET", `/api/v1/intents?q=${words}`)
  const { items } = await answer.json()
  return items.map(({ intentId }: { readonly intentId: string }) => intentId)
}

describe("a deployment", () => {
  it("is recorded from the transaction that is the launch, without any trace", async () => {
    const launch = bench.launchOf("direct")
    const intent = await bench.publish(launch, { jb: { name: "Directness" } })
    assert.deepStrictEqual([intent.status, intent.deployments], ["undeployed", []])
    assert.deepStrictEqual(await searched("directness"), [intent.id])
    const before = traces()
    const hash = await bench.sentItself(launch)
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
    const hash = await bench.sentItself(launch)
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
    const [first, second] = [await bench.sentItself(launch), await bench.sentItself(launch)]
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
    await bench.recorded(intent.id, await bench.sentItself(launch))
    await sqlOn(
      bench.service.databaseUrl,
      `INSERT INTO intent_deployments (intent, chain_id, transaction_hash, project_id, forwarded, block_number, block_hash, created_at)
        SELECT intent, chain_id, '0x' || lpad(n::text, 64, '0'), project_id, forwarded, block_number, block_hash, 1
        FROM intent_deployments JOIN intents i ON i.number = intent, generate_series(1, 15) n WHERE i.id = $1`,
      [intent.id]
    )
    const beyond = await bench.record(intent.id, await bench.sentItself(launch))
    assert.strictEqual(beyond.headers.get("retry-after"), "3600", "time does not clear it")
    const { context } = await assertProblem(beyond, "STORAGE_LIMIT")
    assert.deepStrictEqual(context, { limit: "deployments of an intent on a chain", most: 16 })
  })
})
