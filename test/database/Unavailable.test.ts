import { afterAll, assert, describe, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { connected, sqlOn } from "../support/Sql.ts"
import { startTcpProxy } from "../support/TcpProxy.ts"

const ME = "/api/v1/accounts/me"
const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }

const first = await startService()
const behind = new URL(first.databaseUrl)
const proxy = await startTcpProxy(Number(behind.port))
behind.port = String(proxy.port)
const service = await startService({ databaseUrl: behind.href, settings: { quotas, databaseConnections: 3 } })
const owner = newOwner()
assert.strictEqual((await enroll(service, owner)).status, 200)

afterAll(async () => {
  await service.stop()
  await proxy.close()
  await first.stop()
})

const show = () => signedFetch(service, owner, "GET", ME)
const recovered = async () => {
  for (let attempt = 0; attempt < 50; attempt++) if ((await show()).status === 200) return true
  return false
}

describe("without its database", () => {
  it("the service says so, quickly, on every signed route, and recovers", { timeout: 120_000 }, async () => {
    proxy.cut()
    const started = performance.now()
    const answers = await Promise.all([
      show(),
      signedFetch(service, owner, "PATCH", ME, { body: {} }),
      signedFetch(service, owner, "GET", `${ME}/bots`),
      enroll(service, newOwner()),
      ...Array.from({ length: 30 }, show)
    ])
    for (const answer of answers) {
      const problem = await assertProblem(answer, "DATABASE_UNAVAILABLE")
      assert.isTrue(problem.retryable)
      assert.notMatch(JSON.stringify(problem), /postgres|ECONN|127\.0\.0\.1:|connection terminated/i)
      assert.isNotNull(answer.headers.get("retry-after"))
    }
    assert.isBelow(performance.now() - started, 20_000)
    assert.strictEqual((await fetch(`${service.url}/api/v1/capabilities`)).status, 200)
    assert.strictEqual((await fetch(`${service.url}/api/v1/catalog/contracts`)).status, 200)
    proxy.restore()
    assert.isTrue(await recovered())
  })

  it("the service lives through the end of every backend", async () => {
    for (let round = 0; round < 5; round++) {
      const busy = Array.from({ length: 20 }, show)
      await sqlOn(
        first.databaseUrl,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      for (const answer of await Promise.all(busy))
        if (answer.status !== 200) assert.strictEqual((await problemIn(answer)).code, "DATABASE_UNAVAILABLE")
    }
    assert.isTrue(await recovered())
  })
})

describe("with a database that cannot be written", () => {
  it("the service says that it is unavailable, and recovers when it can be written again", async () => {
    const name = new URL(first.databaseUrl).pathname.slice(1)
    const others =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    await sqlOn(first.databaseUrl, `ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await sqlOn(first.databaseUrl, others)
    for (let round = 0; round < 5; round++) await assertProblem(await show(), "DATABASE_UNAVAILABLE")
    await assertProblem(await enroll(service, newOwner()), "DATABASE_UNAVAILABLE")
    const admin = await connected(first.databaseUrl)
    await admin.query("SET default_transaction_read_only = off")
    await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
    await admin.end()
    assert.isTrue(await recovered(), "the pool keeps connections that cannot write")
  })
})
