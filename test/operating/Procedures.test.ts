/** What the pages of unknown plans, stuck nonces and the archive have operators ask the database, and what frees who is stuck. */

import { Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { poolLayer } from "../../src/database/Pool.ts"
import { readStock } from "../../src/http/ops/StockRead.ts"
import { archivePage } from "../../src/plans/Archive.ts"
import { lookedOften } from "../support/LookedOften.ts"
import { callOf, stepOf } from "../support/PlannedCalls.ts"
import { mine, type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import { endLease, sendDirectly, signedPayment } from "../support/Relayed.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submitted } from "../support/Submissions.ts"
import { workerOf } from "../support/Worker.ts"
import { sqlIn } from "./support/Pages.ts"

/** Beyond what the local chain calls final. */
const FINAL = 100

let bench: RelayBench
let recovery: ReturnType<typeof workerOf>

beforeAll(async () => {
  bench = await startRelayBench()
  recovery = workerOf(bench)
})
afterAll(async () => {
  await recovery.dispose()
  await bench.stop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, [...values])

const asked = (page: string, nth = 0) => sql(sqlIn(page)[nth] ?? assert.fail(`${page} asks for nothing`))

const rowOf = async (page: string, plan: { readonly id: string }) =>
  (await asked(page)).find(row => row.plan === plan.id)

/** Admitted, and lost on its way. */
const lost = async () => {
  const made = await signedPayment(bench)
  bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
  await submitted(bench.service, made.owner, made.plan, made.body)
  await endLease(bench, made.plan.id)
  return { ...made, refresh: () => refreshed(bench.service, made.owner, made.plan) }
}

const pool = () => poolLayer({ url: Redacted.make(bench.service.databaseUrl), connections: 1 })

/** Published, and followed by its chain alone. */
const sponsored = async () => {
  const made = await lost()
  await sql("DELETE FROM dispatch_leases WHERE plan = $1", [made.plan.id])
  await sql("DELETE FROM reserved_nonces WHERE plan = $1", [made.plan.id])
  await sql("UPDATE transport_bindings SET transport = 'forwarder-prepaid-erc2771' WHERE plan = $1", [
    made.plan.id
  ])
  return made
}

describe("a step of which nobody knows", () => {
  it("is not one that others execute while nothing is wrong", async () => {
    assert.isUndefined(await rowOf("unknown-plan.md", (await sponsored()).plan))
  })

  it("is found with its account and hash, until its own bytes were sent again and seen", async () => {
    const { owner, plan, raw, body, refresh } = await lost()
    await refresh()
    const row = await rowOf("unknown-plan.md", plan)
    assert.deepInclude(row, {
      step: 0,
      account: owner.accountId,
      transport: "signed-eoa-transaction",
      hash: hashOf(raw)
    })
    await submitted(bench.service, owner, plan, body)
    await mine(bench)
    assert.strictEqual((await refresh()).status, "transactions_confirmed")
    assert.isUndefined(await rowOf("unknown-plan.md", plan))
  })
})

describe("a wallet whose nonce is stuck", () => {
  it("is found with the step that holds it, and is free once its owner spent the nonce elsewhere for good", async () => {
    const { owner, plan, raw, refresh } = await lost()
    const row = await rowOf("stuck-nonce.md", plan)
    const scope = `eip155:31337:${owner.key.address.toLowerCase()}`
    assert.deepInclude(row, { scope, nonce: "0", step: 0, hash: hashOf(raw) })
    const nothing = { ...callOf(plan), to: owner.key.address, data: "0x", value: "0" } as const
    const over = { nonce: 0, maxFeePerGas: 200_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n }
    await sendDirectly(bench, await signCall(bench, owner, nothing, over))
    await mine(bench, FINAL)
    assert.strictEqual(stepOf(await refresh()).state, "unknown")
    await lookedOften(bench.service.databaseUrl, recovery, plan.id)
    for (const page of ["stuck-nonce.md", "unknown-plan.md"])
      assert.isUndefined(await rowOf(page, plan), page)
  })
})

describe("a plan that is not final", () => {
  it("is found though its chain confirmed it", async () => {
    const { owner, plan, body } = await signedPayment(bench)
    await submitted(bench.service, owner, plan, body)
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    assert.deepInclude(await rowOf("stuck-nonce.md", plan), { nonce: "0", observed: "confirmed" })
  })

  it("is alerted by where a wallet's own transaction of it left", async () => {
    const begun = async ({ plan }: { readonly plan: { readonly id: string } }, at: number) =>
      sql("UPDATE plans SET pending_since = $2 WHERE id = $1", [plan.id, at])
    await begun(await sponsored(), 1)
    await begun(await lost(), 2)
    const { plans, steps } = await Effect.runPromise(readStock().pipe(Effect.provide(pool()), Effect.scoped))
    assert.strictEqual(plans.pendingSince, 1)
    assert.strictEqual(Math.min(...steps.flatMap(({ directSince }) => directSince ?? [])), 2)
  })

  it("is found behind all that hold a nonce where others execute it", async () => {
    const { plan } = await sponsored()
    await lost()
    const rows = await asked("stuck-nonce.md")
    const at = rows.findIndex(row => row.plan === plan.id)
    assert.deepInclude(rows[at], { scope: null, transport: "forwarder-prepaid-erc2771" })
    assert.isTrue(rows.slice(at).every(({ scope }) => scope === null))
  })
})

describe("the archive", () => {
  const archived = () => Effect.runPromise(archivePage.pipe(Effect.provide(pool()), Effect.scoped))

  it("is told how much waits for it, and its keys of long ago are cut", async () => {
    const { plan } = await signedPayment(bench)
    const counts = async () => (await asked("archive-and-retention.md"))[0]
    const before = await counts()
    const long = 400 * 86_400_000
    await sql("UPDATE plans SET created_at = 0, expires_at = 1, changed_at = 1 WHERE id = $1", [plan.id])
    await sql("UPDATE idempotency_keys SET created_at = created_at - $2 WHERE plan = $1", [plan.id, long])
    assert.strictEqual(Number((await counts())?.due), Number(before?.due) + 1)
    assert.strictEqual(await archived(), 1)
    const after = await counts()
    assert.deepStrictEqual(
      [Number(after?.due), Number(after?.archived), Number(after?.keys_kept)],
      [Number(before?.due), Number(before?.archived) + 1, Number(before?.keys_kept) + 1]
    )
    await asked("archive-and-retention.md", 1)
    assert.strictEqual(Number((await counts())?.keys_kept), Number(before?.keys_kept))
  })
})
