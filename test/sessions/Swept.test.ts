/** What the sweep gives free of wallets whose admitted session was never enabled. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { PublicSession } from "../../src/sessions/Session.ts"
import { manifestFile } from "../smartaccounts/support/WalletService.ts"
import { sqlOn } from "../support/Sql.ts"
import { sweepSessions } from "../support/Sweeps.ts"
import { workerOf } from "../support/Worker.ts"
import { askLifecycle, lifecyclePlan, refusedWith } from "./support/LifecycleBench.ts"
import {
  type Bound,
  boundWallet,
  enabled,
  preparedSession,
  revoked,
  type SessionBench,
  shownSession,
  startSessionBench
} from "./support/SessionBench.ts"

let bench: SessionBench
let worker: ReturnType<typeof workerOf>
let file: Awaited<ReturnType<typeof manifestFile>>

beforeAll(async () => {
  bench = await startSessionBench()
  file = await manifestFile()
  worker = workerOf(bench, { audience: bench.service.audience, smartManifests: file.smartManifests })
})
afterAll(async () => {
  await worker.dispose()
  await bench.stop()
  await file.remove()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

const swept = async () => {
  await sql("UPDATE sessions SET sweep_at = 0 WHERE sweep_at IS NOT NULL")
  await worker.runPromise(sweepSessions)
}

/** As if the plan had run out so many seconds ago. */
const runOut = ({ id }: { readonly id: string }, seconds: number) =>
  sql(
    `UPDATE plans SET created_at = unix_millis() - 900000, expires_at = unix_millis() - $2::bigint * 1000 WHERE id = $1`,
    [id, seconds]
  )

const two = async (of: Bound) => [
  await preparedSession(bench, of),
  await preparedSession(bench, of, { generation: "2" })
]

const activation = (session: PublicSession) =>
  askLifecycle(bench.service, bench.owner, "activation-plans", session)

describe("an admitted session whose plan runs out unsent", () => {
  it("gives its wallet free after a minute, and takes it again by another plan", async () => {
    const of = await boundWallet(bench)
    const [first = assert.fail(), second = assert.fail()] = await two(of)
    const { plan } = await lifecyclePlan(bench.service, bench.owner, "activation-plans", first)
    assert.equal((await shownSession(bench, first)).state, "installing")
    await runOut(plan, 30)
    await swept()
    const held = await shownSession(bench, first, "?refresh=false")
    assert.isFalse(held.reservationReleased)
    assert.isBelow(held.activation?.expiresAt ?? assert.fail("no plan"), plan.expiresAt)
    assert.include(await refusedWith(await activation(second)), "SESSION_RETIREMENT_REQUIRED")
    await runOut(plan, 90)
    // Not due for long, unless somebody waits for it.
    await sql("UPDATE sessions SET sweep_at = unix_millis() + 600000 WHERE sweep_at IS NOT NULL")
    assert.include(await refusedWith(await activation(second)), "SESSION_RETIREMENT_REQUIRED")
    await worker.runPromise(sweepSessions)
    assert.deepInclude(await shownSession(bench, first, "?refresh=false"), {
      state: "prepared",
      reservationReleased: true
    })
    const revocation = await askLifecycle(bench.service, bench.owner, "revocation-plans", first)
    assert.include(await refusedWith(revocation), "SESSION_NOT_ACTIVE")
    const { plan: next } = await lifecyclePlan(bench.service, bench.owner, "activation-plans", second)
    assert.include(await refusedWith(await activation(first)), "SESSION_RETIREMENT_REQUIRED")
    await runOut(next, 90)
    await swept()
    assert.equal((await activation(first)).status, 201)
    const again = await shownSession(bench, first, "?refresh=false")
    assert.deepInclude(again, { state: "installing", reservationReleased: false })
  })

  it("gives its wallet free to whoever looks, though nobody sweeps", async () => {
    const of = await boundWallet(bench)
    const session = await preparedSession(bench, of)
    const { plan } = await lifecyclePlan(bench.service, bench.owner, "activation-plans", session)
    await runOut(plan, 30)
    const held = await shownSession(bench, session)
    assert.deepInclude(held, { state: "installing", reservationReleased: false })
    await runOut(plan, 90)
    const free = await shownSession(bench, session)
    assert.deepInclude(free, { state: "prepared", reservationReleased: true })
  })

  it("keeps it where its owners enabled it by themselves meanwhile", async () => {
    const of = await boundWallet(bench)
    const [first = assert.fail(), second = assert.fail()] = await two(of)
    const { plan } = await lifecyclePlan(bench.service, bench.owner, "activation-plans", first)
    await enabled(bench, of, first)
    await runOut(plan, 90)
    await swept()
    assert.deepInclude(await shownSession(bench, first, "?refresh=false"), {
      state: "active",
      reservationReleased: false
    })
    assert.deepEqual(await refusedWith(await activation(second)), [
      409,
      "SESSION_NOT_ACTIVE",
      { state: "stale", reason: "configuration-changed" }
    ])
  })

  it("keeps it while nobody can tell whether they did", async () => {
    const of = await boundWallet(bench)
    const session = await preparedSession(bench, of)
    const { plan } = await lifecyclePlan(bench.service, bench.owner, "activation-plans", session)
    await enabled(bench, of, session)
    await runOut(plan, 90)
    await sql("UPDATE sessions SET observed_at = unix_millis() - 100000 WHERE id = $1", [session.id])
    const act = { kind: "error", code: -32_000, message: "busy" } as const
    bench.proxy.fault({ method: "eth_getBlockByNumber", phase: "after", times: 100, act })
    await swept()
    bench.proxy.clearFaults()
    const unseen = await shownSession(bench, session, "?refresh=false")
    assert.deepInclude(unseen, { state: "installing", reservationReleased: false })
    await swept()
    assert.equal((await shownSession(bench, session, "?refresh=false")).state, "active")
  })
})

const overSince = ({ id }: PublicSession, seconds: number) =>
  sql(
    "UPDATE sessions SET terms = jsonb_set(terms::jsonb, '{validUntil}', to_jsonb(unix_seconds() - $2::bigint))::json WHERE id = $1",
    [id, seconds]
  )

const looksIn = async ({ id }: PublicSession) => {
  await swept()
  const [row] = await sql("SELECT sweep_at - unix_millis() AS millis FROM sessions WHERE id = $1", [id])
  return Number(row?.millis)
}

describe("a session that is over, whose revocation runs out unsent", () => {
  it("is looked at as often as before until that can be executed no more, and ever more seldom from then on", async () => {
    const of = await boundWallet(bench)
    const session = await preparedSession(bench, of)
    await enabled(bench, of, session)
    await shownSession(bench, session)
    await overSince(session, 60)
    const { plan } = await lifecyclePlan(bench.service, bench.owner, "revocation-plans", session)
    const overFor = async (seconds: number) => {
      await overSince(session, seconds)
      return looksIn(session)
    }
    assert.isAtMost(await looksIn(session), 30_000)
    await runOut(plan, 90)
    const [minute, days, months] = [60, 2 * 86_400, 90 * 86_400]
    assert.closeTo(await overFor(minute), 600_000, 10_000)
    assert.closeTo(await overFor(days), (days / 8) * 1000, 10_000)
    assert.closeTo(await overFor(months), 86_400_000, 10_000)
    assert.equal((await shownSession(bench, session, "?refresh=false")).state, "revoking")
  })
})

describe("a session that is over, and was revoked", () => {
  it("is looked at as often as before until that is final", async () => {
    const of = await boundWallet(bench)
    const session = await preparedSession(bench, of)
    await enabled(bench, of, session)
    await shownSession(bench, session)
    await revoked(bench, of, session)
    await overSince(session, 90 * 86_400)
    assert.isAtMost(await looksIn(session), 30_000)
    assert.equal((await shownSession(bench, session, "?refresh=false")).state, "revoked")
  })
})

describe("a session that cannot be read", () => {
  it("holds up none that is looked at beside it", async () => {
    const [broken, other] = [await boundWallet(bench), await boundWallet(bench)]
    const unread = await preparedSession(bench, broken)
    const session = await preparedSession(bench, other)
    for (const each of [unread, session])
      await lifecyclePlan(bench.service, bench.owner, "activation-plans", each)
    await enabled(bench, other, session)
    const [kept] = await sql("SELECT terms FROM sessions WHERE id = $1", [unread.id])
    await sql("UPDATE sessions SET terms = '{}' WHERE id = $1", [unread.id])
    await swept()
    await sql("UPDATE sessions SET terms = $2 WHERE id = $1", [unread.id, kept?.terms])
    assert.equal((await shownSession(bench, session, "?refresh=false")).state, "active")
  })
})
