/** Two replicas behind one database: one is killed in the middle of a submission, the other finishes what was admitted and repeats what was told. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { READY, type Running, started } from "../faults/crash/Processes.ts"
import { builtProgram } from "../support/BuiltProgram.ts"
import { runClock } from "../support/DatabaseTime.ts"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { freePort } from "../support/Ports.ts"
import type { ProxyFault } from "../support/RecordingProxy.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { freshNonce, type Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { type Submission, shown, submit, submitted } from "../support/Submissions.ts"
import { until } from "../support/Until.ts"

const SEND = "eth_sendRawTransaction"
const LEASE_SECONDS = 30

const bench = await startRelayBench()
const program = await builtProgram("src/main.ts")
const directory = await mkdtemp(join(tmpdir(), "failover-"))

interface Replica {
  readonly service: { readonly url: string; readonly audience: string }
  readonly kill: Running["kill"]
}

/** A replica in a process of its own. */
const startReplica = async (): Promise<Replica> => {
  const port = await freePort()
  const { audience, databaseUrl } = bench.service
  const { kill } = await started(
    [program],
    {
      SERVICE_PORT: String(port),
      SERVICE_OPS_PORT: String(await freePort()),
      SERVICE_PUBLIC_URL: audience,
      SERVICE_DATA_DIR: directory,
      SERVICE_DATABASE_URL: databaseUrl,
      SERVICE_RPC_31337: bench.proxy.url,
      SERVICE_SANDBOX_MANIFEST: bench.overlay,
      SERVICE_QUOTA_OWNER: "1000000",
      SERVICE_QUOTA_RPC: "1000000",
      SERVICE_LOG_LEVEL: "error"
    },
    READY
  )
  return { service: { url: `http://127.0.0.1:${port}`, audience }, kill }
}

const survivor = await startReplica()

afterAll(async () => {
  await survivor.kill()
  await bench.stop()
  await rm(directory, { recursive: true, force: true })
})

let victim: Replica | undefined

afterEach(async () => {
  await victim?.kill()
  bench.proxy.clearFaults()
  await runClock(bench.service.databaseUrl)
})

interface Case {
  readonly owner: Party
  readonly plan: Plan
  readonly raw: `0x${string}`
  readonly key: string
}

const prepare = async (): Promise<Case> => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  return { owner, plan, raw: await signCall(bench, owner, callOf(plan)), key: freshNonce() }
}

const relayOn = (service: Replica["service"], { owner, plan, raw, key }: Case, idempotencyKey = key) =>
  submit(service, owner, plan, { rawSignedTransaction: raw }, { idempotencyKey })

const asked = (method: string): number =>
  bench.proxy.records.filter(record => record.method === method).length

/** Kills the replica while the node's answer to the method hangs. */
const killedAt = async (made: Case, fault: Pick<ProxyFault, "method" | "phase">): Promise<void> => {
  const { service, kill } = await startReplica()
  victim = { service, kill }
  const before = asked(fault.method)
  bench.proxy.fault({ ...fault, act: { kind: "hang" } })
  const answer = relayOn(service, made).then(
    ({ status }) => status,
    () => "lost"
  )
  await until(
    async () => asked(fault.method),
    count => count > before
  )
  if (fault.method === SEND && fault.phase === "after")
    await until(
      () => rpc(bench.chain.url, "eth_getTransactionByHash", [hashOf(made.raw)]),
      known => known !== null
    )
  await kill()
  assert.strictEqual(await answer, "lost")
}

const accepted = async (answer: Response): Promise<Submission & { readonly replayed: boolean }> => {
  const body = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(body))
  return { ...body, replayed: answer.headers.get("idempotent-replayed") === "true" }
}

const forwarded = ({ raw }: Case): number =>
  bench.proxy.sent().filter(sent => sent.forwarded && sent.raw.bytes === raw).length

/** Nobody asks for a refresh: recovery alone looks at the chain. */
const confirmedByRecovery = async ({ owner, plan, raw }: Case): Promise<void> => {
  await mine(bench)
  const look = async () => {
    await sqlOn(
      bench.service.databaseUrl,
      "UPDATE plans SET sweep_at = 0 WHERE id = $1 AND sweep_at IS NOT NULL",
      [plan.id]
    )
    return shown(survivor.service, owner, plan)
  }
  const final = await until(look, ({ status }) => status === "transactions_confirmed")
  const step = stepOf(final)
  assert.strictEqual(step.state, "confirmed")
  assert.strictEqual(step.transaction?.hash, hashOf(raw))
  assert.strictEqual(step.receipt?.transactionHash, hashOf(raw))
}

const leases = (plan: Plan) =>
  sqlOn(bench.service.databaseUrl, "SELECT hash, count FROM dispatch_leases WHERE plan = $1", [plan.id])

/** What the first key was told before, it is told for good. */
const toldForGood = async (made: Case): Promise<void> => {
  const again = await accepted(await relayOn(survivor.service, made))
  assert.isTrue(again.replayed)
  assert.strictEqual(again.dispatch.hash, hashOf(made.raw))
  assert.strictEqual(again.plan.id, made.plan.id)
}

describe("a replica killed", { timeout: 120_000 }, () => {
  it("before its claim has admitted nothing; the retry does it all, once", async () => {
    const made = await prepare()
    await killedAt(made, { method: "eth_estimateGas", phase: "after" })
    assert.deepStrictEqual(await leases(made.plan), [])
    const retried = await accepted(await relayOn(survivor.service, made))
    assert.isFalse(retried.replayed)
    await confirmedByRecovery(made)
    await toldForGood(made)
    assert.strictEqual(timesSent(bench, made.raw), 1)
  })

  it("after its claim, before its bytes reach the node, leaves them to a new claim for the same bytes", async () => {
    const made = await prepare()
    await killedAt(made, { method: SEND, phase: "before" })
    assert.deepStrictEqual(await leases(made.plan), [{ hash: hashOf(made.raw), count: 1 }])
    const retried = await accepted(await relayOn(survivor.service, made))
    assert.isTrue(retried.replayed)
    assert.strictEqual(retried.dispatch.status, "in-flight")
    const early = await accepted(await relayOn(survivor.service, made, freshNonce()))
    assert.strictEqual(early.dispatch.status, "in-flight")
    assert.strictEqual(forwarded(made), 0)
    await runClock(bench.service.databaseUrl, LEASE_SECONDS + 1)
    assert.strictEqual((await accepted(await relayOn(survivor.service, made))).dispatch.status, "unknown")
    const anew = await accepted(await relayOn(survivor.service, made, freshNonce()))
    assert.strictEqual(anew.dispatch.status, "submitted")
    assert.strictEqual(forwarded(made), 1)
    assert.deepStrictEqual(await leases(made.plan), [{ hash: hashOf(made.raw), count: 2 }])
    await confirmedByRecovery(made)
    await toldForGood(made)
    assert.strictEqual(forwarded(made), 1)
  })

  it("after its bytes reached the node leaves nothing to send", async () => {
    const made = await prepare()
    await killedAt(made, { method: SEND, phase: "after" })
    const retried = await accepted(await relayOn(survivor.service, made))
    assert.isTrue(retried.replayed)
    await confirmedByRecovery(made)
    await runClock(bench.service.databaseUrl, LEASE_SECONDS + 1)
    await toldForGood(made)
    const late = await accepted(await relayOn(survivor.service, made, freshNonce()))
    assert.strictEqual(late.dispatch.count, 1)
    assert.strictEqual(timesSent(bench, made.raw), 1)
  })

  it("after its answer leaves the outcome to the other", async () => {
    const made = await prepare()
    victim = await startReplica()
    const { plan } = await submitted(
      victim.service,
      made.owner,
      made.plan,
      { rawSignedTransaction: made.raw },
      { idempotencyKey: made.key }
    )
    await victim.kill()
    assert.strictEqual(plan.id, made.plan.id)
    await toldForGood(made)
    await confirmedByRecovery(made)
    assert.strictEqual(timesSent(bench, made.raw), 1)
  })
})
