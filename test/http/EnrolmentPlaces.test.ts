/** Strangers who enrol, however many and however long that takes, keep out nobody who is known. */
import { afterAll, assert, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { stopClock } from "../support/DatabaseTime.ts"
import { problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { connected } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { standingClock } from "./support/StandingClock.ts"

const ENROLMENT_LOCK = 7_310_002
const BUDGET = 4

const service = await startService({
  settings: {
    quotas: { owner: 1e6, bots: 1e6, address: BUDGET, rpc: 1e6 },
    maximumInWork: 1,
    trustedProxies: ["127.0.0.1"]
  },
  clock: standingClock()
})

afterAll(() => service.stop())

const codeOf = async (answer: Response) => (answer.ok ? "OK" : (await problemIn(answer)).code)

const enrolling = (owner: ReturnType<typeof newOwner>, address: string) =>
  enroll(service, owner, { body: {}, headers: { "X-Forwarded-For": address } })

it("new accounts that wait have places of their own, and who is refused one has paid for it", async () => {
  await stopClock(service.databaseUrl, Math.floor(Date.now() / 1000))
  const known = newOwner()
  assert.strictEqual((await enrolling(known, "192.0.2.1")).status, 200)
  const holder = await connected(service.databaseUrl)
  await holder.query("SELECT pg_advisory_lock($1)", [ENROLMENT_LOCK])
  const waiting = enrolling(newOwner(), "192.0.2.2")
  const blocked = "SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
  await until(
    () => holder.query(blocked),
    ({ rows }) => rows.length > 0
  )
  assert.strictEqual(await codeOf(await signedFetch(service, known, "GET", "/api/v1/accounts/me")), "OK")
  assert.strictEqual(await codeOf(await enrolling(known, "192.0.2.1")), "OK")
  const codes: Array<string> = []
  for (let index = 0; index <= BUDGET; index++)
    codes.push(await codeOf(await enrolling(newOwner(), "192.0.2.3")))
  assert.deepStrictEqual(codes, [...Array(BUDGET).fill("SERVICE_BUSY"), "RATE_LIMITED"])
  assert.strictEqual(await codeOf(await signedFetch(service, known, "GET", "/api/v1/accounts/me")), "OK")
  await holder.end()
  assert.strictEqual((await waiting).status, 200)
  assert.strictEqual(await codeOf(await enrolling(newOwner(), "192.0.2.2")), "OK")
})
