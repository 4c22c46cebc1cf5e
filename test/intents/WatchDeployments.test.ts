import { Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import type { Intent } from "../../src/intents/Intent.ts"
import { watchDeployments } from "../../src/intents/WatchDeployments.ts"
import { services } from "../../src/main/Services.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { mine } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { testSettings } from "../support/Settings.ts"
import { connected, sqlOn } from "../support/Sql.ts"
import { type Deployments, startDeployments } from "./support/Deployments.ts"

const watching = ({ service, overlay, proxy }: Deployments) =>
  ManagedRuntime.make(
    Layer.provideMerge(
      services([overlay]),
      Layer.succeed(
        Settings,
        testSettings({
          databaseUrl: Redacted.make(service.databaseUrl),
          chains: chainSettings(proxy.url)
        })
      )
    )
  )

const bench = await startDeployments()
const runtime = watching(bench)
await rpc(bench.chain.url, "anvil_setBalance", [bench.party.key.address, "0xde0b6b3a7640000"])
await mine(bench, 2)

afterAll(async () => {
  await runtime.dispose()
  await bench.stop()
})

const sql = (text: string) => sqlOn(bench.service.databaseUrl, text)

beforeEach(() => sql("DELETE FROM intent_deployments"))

const look = async () => {
  await sql("UPDATE intent_deployments SET look_at = 0 WHERE look_at IS NOT NULL")
  await runtime.runPromise(watchDeployments)
}

const dueRows = () => sql("SELECT 1 FROM intent_deployments WHERE look_at IS NOT NULL")

/** A recorded deployment two blocks deep, and the bytes that made it. */
const deployed = async (memo: string) => {
  const launch = bench.launchOf(memo)
  const intent = await bench.publish(launch)
  const hash = await bench.sent({ to: `0x${launch.to.slice(2)}`, data: `0x${launch.data.slice(2)}` })
  const raw = await rpc(bench.chain.url, "eth_getRawTransactionByHash", [hash])
  return { hash, raw, intent: await bench.recorded(intent.id, hash) }
}

const statusOf = async ({ id }: Intent) => {
  const { status, deployments } = await bench.shown(id)
  return [status, deployments.length]
}

const reorg = (depth: number, transactions: ReadonlyArray<readonly [string, number]> = []) =>
  rpc(bench.chain.url, "anvil_reorg", [depth, transactions])

describe("a recorded deployment", () => {
  it("stays as it is while its block does", async () => {
    const { intent } = await deployed("steady")
    await look()
    assert.deepStrictEqual(await bench.shown(intent.id), intent)
    assert.lengthOf(await dueRows(), 1)
    await reorg(1)
    await look()
    assert.deepStrictEqual(await bench.shown(intent.id), intent)
  })

  it("is not looked at before its time, nor while another replica takes it", async () => {
    await deployed("awaited")
    const before = bench.proxy.roundTrips()
    await runtime.runPromise(watchDeployments)
    assert.strictEqual(bench.proxy.roundTrips(), before)
    await sql("UPDATE intent_deployments SET look_at = 0")
    const replica = await connected(bench.service.databaseUrl)
    await replica.query("BEGIN; SELECT 1 FROM intent_deployments FOR UPDATE")
    await runtime.runPromise(watchDeployments)
    assert.strictEqual(bench.proxy.roundTrips(), before)
    await replica.end()
    await runtime.runPromise(watchDeployments)
    await runtime.runPromise(watchDeployments)
    assert.strictEqual(bench.proxy.roundTrips(), before + 1)
  })

  it("is taken back with its block, and shown again when it is mined again", async () => {
    const { intent, hash, raw } = await deployed("lost and found")
    await reorg(2)
    await look()
    assert.deepStrictEqual(await statusOf(intent), ["undeployed", 0])
    await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    await mine(bench, 2)
    await look()
    const { deployments } = await bench.shown(intent.id)
    assert.deepStrictEqual(
      deployments.map(({ transactionHash, projectId }) => [transactionHash, projectId]),
      [[hash, await bench.lastProject()]]
    )
  })

  it("tells of the project that its transaction created at last", async () => {
    const { intent, raw } = await deployed("renumbered")
    const [first] = intent.deployments
    const { key } = bench.party
    const { to, data } = bench.createOwn.kind === "call" ? bench.createOwn : assert.fail()
    const own = await key.signTransaction({
      type: "eip1559",
      chainId: 31337,
      to: `0x${to.slice(2)}`,
      data: `0x${data.slice(2)}`,
      gas: 1_000_000n,
      maxFeePerGas: 100_000_000_000n,
      maxPriorityFeePerGas: 1n
    })
    await reorg(2, [
      [own, 0],
      [raw, 1]
    ])
    await look()
    await mine(bench, 2)
    await look()
    const { deployments } = await bench.shown(intent.id)
    assert.strictEqual(deployments[0]?.projectId, String(Number(first?.projectId) + 1))
  })

  it("can be recorded again by whoever tells of it", async () => {
    const { intent, hash, raw } = await deployed("told anew")
    await reorg(2)
    await look()
    await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    await mine(bench, 2)
    const answer = await bench.record(intent.id, hash)
    assert.isNull(answer.headers.get("idempotent-replayed"))
    assert.deepStrictEqual(await statusOf(intent), ["deployed", 1])
    assert.lengthOf(await sql("SELECT 1 FROM intent_deployments"), 1)
  })

  it("is kept where the node cannot tell", async () => {
    const { intent } = await deployed("untold")
    await mine(bench, 100)
    for (const act of [
      { kind: "error", code: -32_000, message: "busy" } as const,
      {
        kind: "rewrite",
        rewrite: ({ params }: { readonly params: ReadonlyArray<unknown> }, result: unknown) =>
          /^0x/.test(String(params[0])) ? null : result
      } as const,
      {
        kind: "rewrite",
        rewrite: ({ params }: { readonly params: ReadonlyArray<unknown> }, result: unknown) =>
          /^0x/.test(String(params[0])) ? { ...Object(result), transactions: [] } : result
      } as const
    ]) {
      bench.proxy.fault({ method: "eth_getBlockByNumber", phase: "after", act })
      await look()
      assert.deepStrictEqual(await bench.shown(intent.id), intent)
      assert.lengthOf(await dueRows(), 1)
    }
  })

  it("is looked at no more once its block is final", async () => {
    const { intent } = await deployed("settled")
    await mine(bench, 100)
    await look()
    assert.lengthOf(await dueRows(), 0)
    assert.deepStrictEqual(await statusOf(intent), ["deployed", 1])
  })

  it("is looked at for a day after it was lost", async () => {
    const { intent } = await deployed("given up")
    await reorg(2)
    await look()
    await sql("UPDATE intent_deployments SET displaced_at = displaced_at - 86300")
    await look()
    assert.lengthOf(await dueRows(), 1)
    await sql("UPDATE intent_deployments SET displaced_at = displaced_at - 200")
    await look()
    assert.lengthOf(await dueRows(), 0)
    assert.deepStrictEqual(await statusOf(intent), ["undeployed", 0])
  })
})
