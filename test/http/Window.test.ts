import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { newOwner, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"

const ME = "/api/v1/accounts/me"
const NOW = 1_800_000_000

let service: RunningService
let owner: Party

/** The database's clock stands still, years from the process's. */
const freeze = (seconds: number) =>
  sqlOn(
    service.databaseUrl,
    `CREATE OR REPLACE FUNCTION unix_seconds() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT ${seconds}::bigint $$;
     CREATE OR REPLACE FUNCTION unix_millis() RETURNS bigint LANGUAGE sql VOLATILE AS $$ SELECT ${seconds}000::bigint $$`
  )

beforeAll(async () => {
  service = await startService()
  await freeze(NOW)
  service = await restarted(service)
  owner = newOwner()
  const answer = await enroll(service, owner, { issuedAt: NOW })
  assert.strictEqual(answer.status, 200, await answer.text())
})

const replicas: Array<RunningService> = []

const restarted = async (running: RunningService) => {
  replicas.push(running)
  return startService({ databaseUrl: running.databaseUrl, settings: { audience: running.audience } })
}

afterAll(async () => {
  await service.stop()
  for (const replica of replicas) await replica.stop()
})

const within = (issuedAt: number, expiresAt: number) =>
  signedFetch(service, owner, "GET", ME, { issuedAt, expiresAt })

describe("the signed window, on the database's clock alone", () => {
  const accepted: ReadonlyArray<readonly [number, number]> = [
    [0, 1],
    [0, 300],
    [-299, 1],
    [30, 31],
    [30, 330]
  ]
  for (const [issued, expires] of accepted)
    it(`accepts ${issued} to ${expires}`, async () => {
      assert.strictEqual((await within(NOW + issued, NOW + expires)).status, 200)
    })

  const refused: ReadonlyArray<readonly [number, number]> = [
    [0, 0],
    [0, -1],
    [-10, 0],
    [-300, 0],
    [-60, -59],
    [31, 60],
    [0, 301],
    [1000, 1060],
    [-1000, -940],
    [60, 0]
  ]
  for (const [issued, expires] of refused)
    it(`refuses ${issued} to ${expires}`, async () => {
      await assertProblem(await within(NOW + issued, NOW + expires), "AUTH_EXPIRED")
    })

  it("tells a late caller the time and that the clock is at fault", async () => {
    const { diagnosis } = await assertProblem(await within(NOW - 60, NOW - 1), "AUTH_EXPIRED")
    assert.deepInclude(diagnosis, { likelyCause: "clock", serverTime: NOW, recovered: owner.key.address })
  })

  it("refuses what has 13 digits but is no time, and what is malformed", async () => {
    await assertProblem(await within(9_999_999_999_998, 9_999_999_999_999), "AUTH_EXPIRED")
    for (const value of ["", "01", "+1", "1.0", "1e9", "-1", "0x1", "12345678901234", " ", "1 2"]) {
      const answer = await signedFetch(service, owner, "GET", ME, {
        issuedAt: NOW,
        headers: { "X-Service-Issued-At": value }
      })
      await assertProblem(answer, value.trim() === "" ? "AUTH_REQUIRED" : "INVALID_AUTH")
    }
  })
})
