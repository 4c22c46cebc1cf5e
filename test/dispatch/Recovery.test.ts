import { createServer } from "node:http"
import { Duration, Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { refresh } from "../../src/dispatch/Reconcile.ts"
import { newSweep } from "../../src/dispatch/Recovery.ts"
import { PAGE, SweepStore } from "../../src/dispatch/SweepStore.ts"
import { close, listen } from "../support/Listening.ts"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { mine, newPayer, newRelayBot, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { signCall } from "../support/SignedCalls.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { approvedStep, signApproval } from "../support/StepApproval.ts"
import { shown, submitted } from "../support/Submissions.ts"
import { sweep } from "../support/Sweeps.ts"
import { until } from "../support/Until.ts"
import { workerOf } from "../support/Worker.ts"

const bench = await startRelayBench()
const worker = workerOf(bench)

afterAll(async () => {
  await worker.dispose()
  await bench.stop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

const dueNow = () => sql("UPDATE plans SET sweep_at = unix_millis() WHERE sweep_at IS NOT NULL")

/** The database's clock stands still, so that waits can be read exactly however slow the machine is. */
const withStillClock = async (act: () => Promise<void>) => {
  const [row] = await sql("SELECT unix_millis() AS now, prosrc FROM pg_proc WHERE proname = 'unix_millis'")
  const define = (body: string) =>
    sql(`CREATE OR REPLACE FUNCTION unix_millis() RETURNS bigint LANGUAGE sql VOLATILE AS $$ ${body} $$`)
  await define(`SELECT ${row?.now}::bigint`)
  await act().finally(() => define(String(row?.prosrc)))
}

const sweepOnce = () => worker.runPromise(sweep)

const relayed = async () => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const raw = await signCall(bench, owner, callOf(plan))
  await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
  return { owner, plan, raw, see: () => shown(bench.service, owner, plan) }
}

describe("recovery", () => {
  it("reconciles what was admitted, and sends nothing", async () => {
    const { see } = await relayed()
    await mine(bench)
    await dueNow()
    const sent = bench.proxy.sent().length
    assert.isAbove(await sweepOnce(), 0)
    assert.strictEqual((await see()).status, "transactions_confirmed")
    assert.strictEqual(bench.proxy.sent().length, sent)
  })

  const several = async () => {
    const all = [await relayed(), await relayed(), await relayed()]
    await mine(bench)
    await dueNow()
    return async () => (await Promise.all(all.map(({ see }) => see()))).map(({ status }) => status)
  }

  const CONFIRMED = ["transactions_confirmed", "transactions_confirmed", "transactions_confirmed"]

  it("reconciles many plans with the round trips of one", async () => {
    const statuses = await several()
    const before = bench.proxy.roundTrips()
    assert.isAtLeast(await sweepOnce(), 3)
    assert.strictEqual(bench.proxy.roundTrips() - before, 2)
    assert.deepStrictEqual(await statuses(), CONFIRMED)
  })

  it("looks at each plan alone when an answer cannot be read", async () => {
    const statuses = await several()
    bench.proxy.fault({
      method: "eth_getTransactionReceipt",
      phase: "before",
      act: { kind: "result", result: { spoilt: true } }
    })
    await sweepOnce()
    assert.deepStrictEqual(await statuses(), CONFIRMED)
  })

  it("finds by its hash alone what a lost answer left unknown", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "reset" } })
    const { dispatch } = await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    assert.strictEqual(dispatch.status, "unknown")
    await dueNow()
    const sent = bench.proxy.sent().length
    await sweepOnce()
    assert.strictEqual(stepOf(await shown(bench.service, owner, plan)).state, "unknown")
    assert.strictEqual(bench.proxy.sent().length, sent)
    await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    await mine(bench)
    await dueNow()
    await sweepOnce()
    assert.strictEqual((await shown(bench.service, owner, plan)).status, "transactions_confirmed")
    assert.strictEqual(bench.proxy.sent().length, sent)
  })

  it("goes on after expiry and revocation", async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    const plan = await planned(bench, owner, { by: bot })
    const raw = await signCall(bench, owner, callOf(plan))
    const ownerApproval = await signApproval(owner.key, bench.service, approvedStep(bot, plan, raw))
    await submitted(bench.service, bot, plan, { rawSignedTransaction: raw, ownerApproval })
    await signedFetch(bench.service, owner, "DELETE", `/api/v1/accounts/me/bots/${bot.grantId}`)
    await sql("UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [plan.id])
    await mine(bench)
    await dueNow()
    await sweepOnce()
    assert.strictEqual((await shown(bench.service, owner, plan)).status, "transactions_confirmed")
  })

  it("looks on until the receipt is final, and sees it leave the chain before that", async () => {
    const { plan, see } = await relayed()
    await mine(bench, 3)
    await dueNow()
    await sweepOnce()
    assert.strictEqual((await see()).status, "transactions_confirmed")
    await rpc(bench.chain.url, "anvil_reorg", [4, []])
    await dueNow()
    await sweepOnce()
    assert.strictEqual((await see()).status, "reorged")
    const { raw } = {
      raw: (
        await sql("SELECT '0x' || encode(raw, 'hex') AS raw FROM transport_bindings WHERE plan = $1", [
          plan.id
        ])
      )[0]?.raw
    }
    await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    await mine(bench, 100)
    await dueNow()
    await sweepOnce()
    const done = await see()
    assert.strictEqual(done.status, "transactions_confirmed")
    assert.strictEqual(stepOf(done).receipt?.finality, "finalized")
    assert.deepStrictEqual(await sql("SELECT sweep_at, pending_since FROM plans WHERE id = $1", [plan.id]), [
      { sweep_at: null, pending_since: null }
    ])
  })

  it("is not stopped by a record that it cannot read", async () => {
    const spoilt = await relayed()
    const { see } = await relayed()
    await sql(`UPDATE plan_steps SET receipt = '{"spoilt":true}' WHERE plan = $1`, [spoilt.plan.id])
    await mine(bench)
    await sql("UPDATE plans SET sweep_at = CASE WHEN id = $1 THEN 0 ELSE 1 END WHERE sweep_at IS NOT NULL", [
      spoilt.plan.id
    ])
    await sweepOnce()
    assert.strictEqual((await see()).status, "transactions_confirmed")
    await sql("UPDATE plan_steps SET receipt = NULL WHERE plan = $1", [spoilt.plan.id])
  })

  it("backs off each plan by itself while nothing changes, further where it is pending for hours", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
    await submitted(bench.service, owner, plan, {
      rawSignedTransaction: await signCall(bench, owner, callOf(plan))
    })
    const waits: Array<number> = []
    const turnOnce = async (turn: number) => {
      await dueNow()
      await sweepOnce()
      const [row] = await sql(
        "SELECT sweep_at - unix_millis() AS wait, sweep_attempts FROM plans WHERE id = $1",
        [plan.id]
      )
      assert.strictEqual(row?.sweep_attempts, turn + 1)
      waits.push(Number(row?.wait) / 1000)
    }
    await withStillClock(async () => {
      for (let turn = 0; turn < 10; turn++) await turnOnce(turn)
    })
    assert.deepStrictEqual(waits, [1, 2, 4, 8, 16, 32, 60, 60, 60, 60])
    const afterHours = async (hours: number) => {
      await sql("UPDATE plans SET pending_since = unix_millis() - $2::bigint * 3600000 WHERE id = $1", [
        plan.id,
        hours
      ])
      await turnOnce(waits.length)
      return waits.at(-1)
    }
    await withStillClock(async () => {
      assert.strictEqual(await afterHours(1), 60)
      assert.strictEqual(await afterHours(10), 360)
      assert.strictEqual(await afterHours(100), 600)
    })
  })

  const SILENT_CHAIN = 10

  it("leaves plans of a chain that is not configured here as they are, to those that have it, and nobody goes by them here", async () => {
    const { plan, see } = await relayed()
    await mine(bench)
    await dueNow()
    await sweepOnce()
    const before = await see()
    assert.strictEqual(before.status, "transactions_confirmed")
    const others = chainSettings(bench.proxy.url).map(chain => ({ ...chain, chainId: SILENT_CHAIN }))
    const replica = workerOf(bench, { chains: others })
    await dueNow()
    await replica.runPromise(sweep)
    assert.deepStrictEqual(await see(), before)
    const { facts } = await replica.runPromise(refresh(plan.id))
    assert.strictEqual(facts[0]?.observed, "unknown")
    await replica.dispose()
    assert.deepStrictEqual(await see(), before)
  })

  /** Due before all others. */
  const copiedTo = (chainId: number, planId: string, copies: number) =>
    sql(
      `WITH copied AS (
        INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at, sweep_at)
        SELECT gen_random_uuid(), account, principal, operation, wallet,
          jsonb_set(terms::jsonb, '{calls,0,chainId}', to_jsonb($3::int))::json, commitment, created_at, expires_at, 0
        FROM plans, generate_series(1, $2::int) WHERE id = $1 RETURNING id),
      steps AS (INSERT INTO plan_steps (plan, step) SELECT id, 0 FROM copied)
      INSERT INTO transport_bindings SELECT c.id, 0, b.transport, gen_random_uuid(), b.hash, b.transaction, b.raw, b.bound_at
      FROM copied c, transport_bindings b WHERE b.plan = $1`,
      [planId, copies, chainId]
    )

  it("keeps no plan waiting for the many of a chain whose node does not answer", async () => {
    const { plan, see } = await relayed()
    await mine(bench)
    await sql("UPDATE plans SET sweep_at = NULL")
    await copiedTo(SILENT_CHAIN, plan.id, 2 * PAGE)
    await sql("UPDATE plans SET sweep_at = 1 WHERE id = $1", [plan.id])
    const silent = createServer(() => {})
    const url = `http://127.0.0.1:${await listen(silent)}`
    const elsewhere = chainSettings(url).map(chain => ({ ...chain, chainId: SILENT_CHAIN }))
    const replica = workerOf(bench, { chains: [...chainSettings(bench.proxy.url), ...elsewhere] })
    const inThreePages = Effect.gen(function* () {
      const page = yield* newSweep(Duration.zero)
      const due = yield* Effect.all([page, page, page])
      yield* Effect.promise(() => until(see, ({ status }) => status === "transactions_confirmed"))
      return due
    })
    assert.deepStrictEqual(await replica.runPromise(Effect.scoped(inThreePages)), [PAGE, PAGE, 1])
    await Promise.all([replica.dispose(), close(silent)])
    const touched = await sql(
      "SELECT id FROM plans WHERE sweep_at IS NOT NULL AND id <> $1 AND revision > 0",
      [plan.id]
    )
    assert.deepStrictEqual(touched, [])
    await sql("UPDATE plans SET sweep_at = NULL")
  })

  it("gives each due plan to one sweep and starves none", async () => {
    const { plan } = await relayed()
    await sql("UPDATE plans SET sweep_at = NULL")
    const copies = 130
    await sql(
      `WITH copied AS (
        INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at, sweep_at)
        SELECT gen_random_uuid(), account, principal, operation, wallet, terms, commitment, created_at, expires_at, unix_millis()
        FROM plans, generate_series(1, $2::int) WHERE id = $1 RETURNING id)
       INSERT INTO plan_steps (plan, step) SELECT id, 0 FROM copied`,
      [plan.id, copies]
    )
    const claim = () => worker.runPromise(Effect.flatMap(SweepStore, store => store.claimPage))
    await withStillClock(async () => {
      const pages = await Promise.all(Array.from({ length: 4 }, claim))
      const taken = [...pages, await claim(), await claim()].flat()
      assert.strictEqual(taken.length, copies)
      assert.strictEqual(new Set(taken.map(({ id }) => id)).size, copies)
    })
  })
})
