/** The plans by which owners enable and revoke a session: one of a kind at a time, replaced where it never left, and refused to whom they are not for. */
import { afterAll, assert, describe, it } from "vitest"
import { freshNonce } from "../support/SignedFetch.ts"
import { connected, sqlOn, waitedFor } from "../support/Sql.ts"
import {
  askOperation,
  askWalletPlan,
  newWallet,
  startOperatingBench
} from "../useroperations/support/Operating.ts"
import { enableData } from "./support/Guarded.ts"
import {
  askLifecycle,
  carriedOut,
  type LifecycleRoute,
  lifecyclePlan,
  refusedWith,
  sessionForWeek,
  sessionNow,
  walletWithBot
} from "./support/LifecycleBench.ts"
import { ownersTell } from "./support/Operated.ts"

const bench = await startOperatingBench()
const { service } = bench

afterAll(() => bench.stop())

const SLOW = { timeout: 120_000 }

const expire = (plan: { readonly id: string }) =>
  sqlOn(
    service.databaseUrl,
    "UPDATE plans SET created_at = least(created_at, unix_millis() - 1), expires_at = unix_millis() WHERE id = $1",
    [plan.id]
  )

describe("a plan of a session", SLOW, () => {
  it("is the same for its key, and no other for another one while it may leave", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const idempotencyKey = freshNonce()
    const ask = () => askLifecycle(service, given.owner, "activation-plans", session, { idempotencyKey })
    const answers = await Promise.all([ask(), ask()])
    const plans = await Promise.all(answers.map(answer => answer.json()))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201]
    )
    assert.equal(plans[0].plan.id, plans[1].plan.id)
    const replayed = await ask()
    assert.equal(replayed.headers.get("idempotent-replayed"), "true")
    const other = await askLifecycle(service, given.owner, "activation-plans", session)
    const context = { reason: "current", planId: plans[0].plan.id }
    assert.deepEqual(await refusedWith(other), [409, "SESSION_PLAN_NOT_REPLACEABLE", context])
  })

  it("is replaced once it ran out without having left, and never prepared after that", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const { plan: former } = await lifecyclePlan(service, given.owner, "activation-plans", session)
    await expire(former)
    const told = await lifecyclePlan(service, given.owner, "activation-plans", session)
    assert.notEqual(told.plan.id, former.id)
    assert.deepEqual(
      told.session.superseded.map(({ kind, planId }: { kind: string; planId: string }) => [kind, planId]),
      [["activation", former.id]]
    )
    await sqlOn(service.databaseUrl, "UPDATE plans SET expires_at = unix_millis() + 60000 WHERE id = $1", [
      former.id
    ])
    const answer = await askOperation(service, given.owner, { planId: former.id, stepIndexes: [0] })
    assert.include(await refusedWith(answer), "SESSION_PLAN_NOT_ADMITTED")
    assert.deepInclude(await carriedOut(bench, given, told.plan), { status: "verified" })
  })

  it("is replaced once it ran out and what left of it can be executed no more", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    await lifecyclePlan(service, given.owner, "activation-plans", session)
    const { plan: former } = await lifecyclePlan(service, given.owner, "revocation-plans", session)
    await sqlOn(
      service.databaseUrl,
      "INSERT INTO transport_bindings (plan, step, transport, binding_id, bound_at) VALUES ($1, 0, 'eip4337-user-operation', $2, 1)",
      [former.id, crypto.randomUUID()]
    )
    await expire(former)
    const isRefused = async () => {
      const answer = await askLifecycle(service, given.owner, "revocation-plans", session)
      assert.include(await refusedWith(answer), "SESSION_PLAN_NOT_REPLACEABLE")
    }
    const reverts = (finality: "latest" | "finalized") =>
      sqlOn(
        service.databaseUrl,
        "UPDATE plan_steps SET observed = 'reverted', receipt = jsonb_build_object('finality', $2::text) WHERE plan = $1",
        [former.id, finality]
      )
    await isRefused()
    await reverts("latest")
    await isRefused()
    await reverts("finalized")
    const told = await lifecyclePlan(service, given.owner, "revocation-plans", session)
    assert.notEqual(told.plan.id, former.id)
  })

  it("is replaced 32 times, which leaves as many of the other kind", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const limit = [409, "SESSION_PLAN_NOT_REPLACEABLE", { reason: "superseded-limit" }]
    for (const route of ["activation-plans", "revocation-plans"] as const) {
      for (let time = 0; time <= 32; time++)
        await expire((await lifecyclePlan(service, given.owner, route, session)).plan)
      assert.deepEqual(await refusedWith(await askLifecycle(service, given.owner, route, session)), limit)
    }
  })

  it("that revokes what its guard has is replaced as often as it runs out", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const { encodedPolicy, enableNonce } = session.compiled
    await ownersTell(bench, given, enableData(encodedPolicy, BigInt(enableNonce)))
    const former: Array<string> = []
    for (let time = 0; time <= 33; time++) {
      const { plan } = await lifecyclePlan(service, given.owner, "revocation-plans", session)
      await expire(plan)
      former.push(plan.id)
    }
    const { superseded } = await sessionNow(service, given.owner, session)
    assert.deepEqual(
      superseded.map(({ planId }) => planId),
      former.slice(1, 33)
    )
  })

  it("that enables it is none of the plans of calls that owners make up", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const call = {
      chainId: 31_337,
      contractId: "signed-request-service:sandbox/contracts/SessionGuard.sol:SessionGuard",
      function: "enable(uint64,bytes)",
      args: ["0", session.compiled.encodedPolicy],
      value: "0"
    }
    const answer = await askWalletPlan(bench, given, { calls: [call] })
    assert.deepEqual(await refusedWith(answer), [409, "SESSION_PLAN_NOT_ADMITTED", { call: 0 }])
    const installing = {
      ...call,
      contractId: "@rhinestone/modulekit:src/deployment/precompiles/Safe7579Precompiles.sol:Safe7579",
      function: "installModule(uint256,address,bytes)",
      args: ["1", session.compiled.guard, "0x"]
    }
    const installation = await askWalletPlan(bench, given, { calls: [installing] })
    assert.deepEqual(await refusedWith(installation), [409, "SESSION_PLAN_NOT_ADMITTED", { call: 0 }])
    const revoking = { ...call, function: "revoke(bytes32)", args: [session.compiled.permissionId] }
    assert.equal((await askWalletPlan(bench, given, { calls: [revoking] })).status, 201)
  })
})

describe("a generation", SLOW, () => {
  it("whose plan is replaced while it is looked at is not released", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const { plan } = await lifecyclePlan(service, given.owner, "activation-plans", session)
    await sqlOn(
      service.databaseUrl,
      "UPDATE plans SET created_at = unix_millis() - 200000, expires_at = unix_millis() - 100000 WHERE id = $1",
      [plan.id]
    )
    const admitting = await connected(service.databaseUrl)
    await admitting.query("BEGIN")
    await admitting.query("SELECT 1 FROM sessions WHERE id = $1 FOR UPDATE", [session.id])
    const releasing = sqlOn(service.databaseUrl, "SELECT release_generations($1::uuid[]) AS released", [
      [session.id]
    ])
    await waitedFor(admitting, service.databaseUrl)
    await admitting.query("UPDATE plans SET expires_at = unix_millis() + 100000 WHERE id = $1", [plan.id])
    await admitting.query("COMMIT")
    await admitting.end()
    assert.deepEqual(await releasing, [{ released: 0 }])
    const generations = "SELECT session FROM wallet_generations WHERE session = $1"
    assert.lengthOf(await sqlOn(service.databaseUrl, generations, [session.id]), 1)
  })

  it("that is seen enabled waits for the plan of another one of its wallet, and that not for it", async () => {
    const given = await walletWithBot(bench)
    const seen = await sessionForWeek(bench, given)
    const other = await sessionForWeek(bench, given, { generation: "2" })
    const admitting = await connected(service.databaseUrl)
    await admitting.query("BEGIN")
    await admitting.query(
      "SELECT 1 FROM wallets w JOIN sessions s ON s.chain_id = w.chain_id AND s.wallet = w.address WHERE s.id = $1 FOR UPDATE OF w",
      [other.id]
    )
    const recording = sqlOn(
      service.databaseUrl,
      `SELECT record_session(id, revision, '{"status":"enabled"}', unix_millis(), false, NULL, false, 3600000) AS recorded
       FROM sessions WHERE id = $1`,
      [seen.id]
    )
    await waitedFor(admitting, service.databaseUrl)
    await admitting.query(
      `INSERT INTO wallet_generations SELECT chain_id, wallet, id, unix_millis() FROM sessions WHERE id = $1
       ON CONFLICT DO NOTHING`,
      [other.id]
    )
    await admitting.query("COMMIT")
    await admitting.end()
    assert.deepEqual(await recording, [{ recorded: true }])
    const generations = "SELECT session FROM wallet_generations WHERE session = ANY ($1::uuid[])"
    assert.deepEqual(await sqlOn(service.databaseUrl, generations, [[seen.id, other.id]]), [
      { session: other.id }
    ])
  })

  it("that is about to be revoked is enabled by no plan that was admitted before", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const { plan } = await lifecyclePlan(service, given.owner, "activation-plans", session)
    await lifecyclePlan(service, given.owner, "revocation-plans", session)
    const answer = await askOperation(service, given.owner, { planId: plan.id, stepIndexes: [0] })
    assert.include(await refusedWith(answer), "SESSION_PLAN_NOT_ADMITTED")
  })
})

describe("refusals", SLOW, () => {
  const routes: ReadonlyArray<LifecycleRoute> = ["activation-plans", "revocation-plans"]

  it.each(routes)("%s: another policy, another account, a bot, nothing there", async route => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const compiled = { ...session.compiled, compiledHash: `0x${"ab".repeat(32)}` as const }
    assert.include(
      await refusedWith(await askLifecycle(service, given.owner, route, { ...session, compiled })),
      "SESSION_CHANGED"
    )
    const { owner: stranger } = await newWallet(bench)
    const foreign = await askLifecycle(service, stranger, route, session)
    const absent = await askLifecycle(service, given.owner, route, {
      ...session,
      id: "00000000-0000-4000-8000-000000000000"
    })
    assert.deepEqual(await refusedWith(foreign), await refusedWith(absent))
    assert.equal(foreign.status, 404)
    assert.equal((await askLifecycle(service, given.bot, route, session)).status, 403)
  })

  it("what nothing enables is not there to be revoked", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const answer = await askLifecycle(service, given.owner, "revocation-plans", session)
    assert.deepEqual(await refusedWith(answer), [409, "SESSION_NOT_ACTIVE", { state: "prepared" }])
  })

  it("a session that is about to be revoked is enabled no more", async () => {
    const given = await walletWithBot(bench)
    const session = await sessionForWeek(bench, given)
    const { plan } = await lifecyclePlan(service, given.owner, "activation-plans", session)
    await lifecyclePlan(service, given.owner, "revocation-plans", session)
    await expire(plan)
    const answer = await askLifecycle(service, given.owner, "activation-plans", session)
    assert.deepEqual(await refusedWith(answer), [409, "SESSION_NOT_ACTIVE", { state: "revoking" }])
  })
})
