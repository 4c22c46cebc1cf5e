/** Sessions that are over and reserve nothing stop counting, and their names stay used. */
import { Effect } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { archiveSessions } from "../../src/sessions/ArchiveSessions.ts"
import { assertProblem } from "../support/Problem.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { connected, sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { workerOf } from "../support/Worker.ts"
import {
  askSession,
  boundWallet,
  DAY,
  enabled,
  preparedSession,
  type SessionBench,
  sessionInput,
  shownSession,
  startSessionBench
} from "./support/SessionBench.ts"

const CAP = 33

let bench: SessionBench

beforeAll(async () => {
  bench = await startSessionBench({ sessions: { recordsPerAccount: CAP } })
})
afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

/** As if all of them had been prepared so many days ago. */
const age = (days: number) =>
  sql(
    `UPDATE sessions SET valid_until = valid_until - $1::bigint, updated_at = updated_at - $1::bigint * 1000`,
    [days * DAY]
  )

it("are archived thirty days later with their keys, but for those that still reserve their wallet", async () => {
  const of = await boundWallet(bench)
  const idempotencyKey = freshNonce()
  const body = await sessionInput(bench, of)
  const first = await askSession(bench, body, bench.owner, { idempotencyKey })
  assert.equal(first.status, 201)
  const { id } = await first.json()
  const own = await boundWallet(bench)
  const living = await preparedSession(bench, own, { generation: "2" })
  await enabled(bench, own, living)
  await shownSession(bench, living)
  await sql("UPDATE sessions SET sweep_at = NULL")
  const worker = workerOf(bench)
  const archived = async () => {
    await worker.runPromise(archiveSessions)
    const rows = await sql("SELECT id FROM sessions WHERE archived_at IS NOT NULL")
    return rows.map(row => row.id)
  }
  try {
    assert.deepEqual(await archived(), [])
    await age(36)
    assert.deepEqual(await archived(), [])
    await age(2)
    assert.deepEqual(await archived(), [id])
  } finally {
    await worker.dispose()
  }
  assert.deepEqual(await sql("SELECT kind FROM idempotency_archive"), [{ kind: "session" }])
  const again = await askSession(bench, body, bench.owner, { idempotencyKey })
  await assertProblem(again, "SESSION_CONFLICT")
  assert.equal((await shownSession(bench, { id }, "?refresh=false")).id, id)
})

const KEEP = "SELECT verdict, plan FROM keep_reached($1, $2, $3, 'i', $4, 'revocation', 1000)"

/** Of the one that reserves nothing. */
const keptWith = async (key: string) => {
  const { accountId } = bench.owner
  const free =
    "SELECT id FROM sessions s WHERE NOT EXISTS (SELECT 1 FROM wallet_generations WHERE session = s.id)"
  const [row] = await sql(free)
  return [accountId, `owner:${accountId}`, key, row?.id]
}

it("count again once a key leads to them, which goes with them", async () => {
  const kept = await sql(KEEP, await keptWith("k"))
  assert.deepEqual(kept, [{ verdict: "STORED", plan: null }])
  assert.deepEqual(await sql("SELECT id FROM sessions WHERE archived_at IS NOT NULL"), [])
})

/** Whoever looks at the clock has its snapshot already, and waits there for the lock. */
const HOLDING_LOOKS = `CREATE OR REPLACE FUNCTION unix_millis() RETURNS bigint LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(730005);
    RETURN floor(extract(epoch FROM clock_timestamp()) * 1000);
  END $$`

it("are left where a key is given to one while those that are over are looked for", async () => {
  await age(31)
  const given = await keptWith("late")
  const keys = "SELECT key FROM idempotency_archive WHERE key IN ('k', 'late') ORDER BY key"
  const worker = workerOf(bench)
  const keeper = await connected(bench.service.databaseUrl)
  await worker.runPromise(Effect.void)
  await sql(HOLDING_LOOKS)
  try {
    await keeper.query("BEGIN; SELECT pg_advisory_xact_lock(730005)")
    const archiving = worker.runPromise(archiveSessions)
    await until(
      () => sql("SELECT 1 FROM pg_stat_activity WHERE wait_event = 'advisory' AND query LIKE '%WITH ended%'"),
      rows => rows.length > 0
    )
    await keeper.query(KEEP, given)
    await keeper.query("COMMIT")
    assert.equal(await archiving, 0)
    assert.deepEqual(await sql(keys), [])
    await age(31)
    assert.equal(await worker.runPromise(archiveSessions), 1)
    assert.deepEqual(await sql(keys), [{ key: "k" }, { key: "late" }])
  } finally {
    await keeper.end()
    await worker.dispose()
  }
})

it("count against what an account keeps, of which the last are the owner's", async () => {
  const of = await boundWallet(bench)
  const bot = await askSession(bench, await sessionInput(bench, of, { generation: "70" }), bench.bot)
  await assertProblem(bot, "STORAGE_LIMIT")
  const [row] = await sql("SELECT count(*)::integer AS count FROM sessions WHERE archived_at IS NULL")
  for (let left = CAP - Number(row?.count); left > 0; left -= 1)
    await preparedSession(bench, of, { generation: String(100 + left) })
  const owner = await askSession(bench, await sessionInput(bench, of, { generation: "71" }))
  const { context } = await assertProblem(owner, "STORAGE_LIMIT")
  assert.deepEqual(context, { limit: "sessions" })
})
