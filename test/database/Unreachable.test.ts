/** A server that answers, but lets the service in no longer: by its name, its database or the database's own will. */
import { randomBytes } from "node:crypto"
import { afterAll, assert, describe, inject, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"

const ME = "/api/v1/accounts/me"
const role = `service_${randomBytes(6).toString("hex")}`
const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }

const administer = (sql: string) => sqlOn(inject("postgresUrl"), sql)

const first = await startService()
await administer(`CREATE ROLE ${role} SUPERUSER LOGIN PASSWORD '${role}'`)
const url = new URL(first.databaseUrl)
url.username = role
url.password = role
const database = url.pathname.slice(1)
const service = await startService({ databaseUrl: url.href, settings: { quotas } })
const owner = newOwner()
assert.strictEqual((await enroll(service, owner)).status, 200)

afterAll(async () => {
  await service.stop()
  await first.stop()
  await administer(`DROP ROLE ${role}`)
})

const show = () => signedFetch(service, owner, "GET", ME)

/** Whoever is in is sent away, so that he must ask to come in again. */
const disconnect = () =>
  administer(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname IN ('${database}', '${database}_away')`
  )

const isUnavailable = async () => {
  await disconnect()
  for (let round = 0; round < 5; round++) {
    const problem = await assertProblem(await show(), "DATABASE_UNAVAILABLE")
    assert.isTrue(problem.retryable)
    assert.notInclude(JSON.stringify(problem), role)
    assert.notInclude(JSON.stringify(problem), database)
  }
  await assertProblem(await enroll(service, newOwner()), "DATABASE_UNAVAILABLE")
}

const recovers = async () => {
  for (let attempt = 0; attempt < 50; attempt++) if ((await show()).status === 200) return
  assert.fail("the service did not recover")
}

describe("the database is unavailable, and the service recovers,", () => {
  it("when its role may not log in", async () => {
    await administer(`ALTER ROLE ${role} NOLOGIN`)
    await isUnavailable()
    await administer(`ALTER ROLE ${role} LOGIN`)
    await recovers()
  })

  it("when it accepts no connections, and when it is gone", async () => {
    await administer(`ALTER DATABASE ${database} ALLOW_CONNECTIONS false`)
    await isUnavailable()
    await administer(`ALTER DATABASE ${database} RENAME TO ${database}_away`)
    await isUnavailable()
    await administer(`ALTER DATABASE ${database}_away RENAME TO ${database}`)
    await administer(`ALTER DATABASE ${database} ALLOW_CONNECTIONS true`)
    await recovers()
  })
})
