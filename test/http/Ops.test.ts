import { setTimeout } from "node:timers/promises"
import { Redacted } from "effect"
import { Client } from "pg"
import { afterAll, assert, describe, it, onTestFinished } from "vitest"
import { startFakeSource } from "../indexer/support/FakeSource.ts"
import { sendRaw } from "../support/HttpRaw.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { assertProblem } from "../support/OpenApiResponses.ts"
import { rawProblem } from "../support/Problem.ts"
import { startService } from "../support/Service.ts"
import { newOwner, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"

const TOKEN = "a token of operators"
/** As long as the server lets a statement take. */
const STATEMENT_MILLIS = 10_000

const service = await startService({
  settings: { metricsToken: Redacted.make(TOKEN), opsNames: ["ops.internal"] }
})

afterAll(() => service.stop())

const ask = (path: string, init: RequestInit = {}) => fetch(`${service.opsUrl}${path}`, init)

const metrics = async () => {
  const response = await ask("/metrics", { headers: { authorization: `Bearer ${TOKEN}` } })
  assert.strictEqual(response.status, 200)
  return response.text()
}

/** What a line of the metrics counts; zero before the first. */
const countIn = (text: string, line: string): number =>
  Number(
    text
      .split("\n")
      .find(found => found.startsWith(`${line} `))
      ?.slice(line.length) ?? 0
  )

const administer = async (sql: string) => {
  const client = new Client({
    connectionString: service.databaseUrl,
    options: "-c default_transaction_read_only=off"
  })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

const readyState = async () => {
  const response = await ask("/readyz")
  const { status, parts } = await response.json()
  const byName = Object.fromEntries(parts.map((part: { name: string }) => [part.name, part]))
  return { http: response.status, status, byName }
}

/** A look lasts a second, so a change shows once the look is renewed. */
const eventually = (http: number) => until(readyState, found => found.http === http)

describe("a source of the index", () => {
  it("is unhealthy soon after it died, though nobody asked it anything", async () => {
    const source = await startFakeSource()
    source.answer({ data: { _meta: { status: {} } } })
    const urls = {
      mainnetUrl: undefined,
      testnetUrl: Redacted.make(source.url),
      headers: Redacted.make({})
    }
    const own = await startService({ settings: { indexer: urls } })
    const stateOf = async (): Promise<string> => {
      const { parts } = await (await fetch(`${own.opsUrl}/readyz`)).json()
      return parts.find(({ name }: { name: string }) => name === "indexer:testnet").state
    }
    try {
      assert.strictEqual(await stateOf(), "healthy")
      await source.stop()
      while ((await stateOf()) !== "unhealthy") await setTimeout(50)
    } finally {
      await own.stop()
    }
  })
})

describe("a database that lost what was committed in it", () => {
  it("is degraded, and works, until it is marked as restored", async () => {
    const database = await migratedDatabase()
    onTestFinished(database.drop)
    const { url: databaseUrl } = database
    await sqlOn(databaseUrl, "UPDATE history SET behind_since = unix_millis()")
    const own = await startService({ databaseUrl })
    const { status, parts } = await (await fetch(`${own.opsUrl}/readyz`)).json()
    assert.strictEqual(status, "degraded")
    assert.deepInclude(parts, { name: "database", state: "degraded", facts: { behind: true } })
    const text = await (await fetch(`${own.opsUrl}/metrics`)).text()
    assert.strictEqual(countIn(text, "service_database_behind"), 1)
    await own.stop()
    await sqlOn(databaseUrl, "SELECT mark_restored(true)")
    const marked = await startService({ databaseUrl })
    assert.strictEqual((await (await fetch(`${marked.opsUrl}/readyz`)).json()).status, "healthy")
    await marked.stop()
  })
})

describe("the operators' listener", () => {
  it("is alive", async () => {
    const response = await ask("/healthz")
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual(await response.json(), { status: "healthy" })
    const head = await ask("/healthz", { method: "HEAD" })
    assert.strictEqual(head.headers.get("content-length"), "20")
    assert.strictEqual(await head.text(), "")
  })

  it("says of every part how it is", async () => {
    const { http, status, byName } = await readyState()
    assert.strictEqual(http, 200)
    assert.strictEqual(status, "healthy")
    assert.deepStrictEqual(byName, {
      database: { name: "database", state: "healthy" },
      migrations: { name: "migrations", state: "healthy" },
      "indexer:mainnet": { name: "indexer:mainnet", state: "healthy", facts: { configured: false } },
      "indexer:testnet": { name: "indexer:testnet", state: "healthy", facts: { configured: false } },
      provider: { name: "provider", state: "healthy", facts: { configured: false } }
    })
  })

  it("is not ready on a database that cannot be written, and ready again afterwards", async () => {
    const name = new URL(service.databaseUrl).pathname.slice(1)
    const started = performance.now()
    await administer(
      `ALTER DATABASE ${name} SET default_transaction_read_only = on;
       SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`
    )
    const { status, byName } = await eventually(503)
    assert.isBelow(performance.now() - started, STATEMENT_MILLIS)
    assert.strictEqual(status, "unhealthy")
    assert.deepInclude(byName, { database: { name: "database", state: "unhealthy" } })
    await administer(
      `ALTER DATABASE ${name} RESET default_transaction_read_only;
       SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`
    )
    assert.strictEqual((await eventually(200)).status, "healthy")
  })

  it("is not ready where a migration is missing", async () => {
    await administer("UPDATE migrations SET name = 'x' WHERE name = '0001_accounts.sql'")
    assert.strictEqual((await eventually(503)).byName.migrations?.state, "unhealthy")
    await administer("UPDATE migrations SET name = '0001_accounts.sql' WHERE name = 'x'")
    await eventually(200)
  })

  it("counts requests by route, status and code", async () => {
    const owner = newOwner()
    const target = "/api/v1/accounts/me"
    const before = await metrics()
    await signedFetch(service, owner, "GET", target)
    await signedFetch(service, owner, "GET", target, { issuedAt: 1_000 })
    const text = await metrics()
    const counted = [
      ['service_requests_total{route="getAccount",status="404",code="ACCOUNT_NOT_FOUND"}', 1],
      ['service_auth_failures_total{code="AUTH_EXPIRED"}', 1],
      ['service_request_seconds_bucket{route="getAccount",le="+Inf"}', 2],
      ['service_request_seconds_count{route="getAccount"}', 2]
    ] as const
    for (const [line, times] of counted)
      assert.strictEqual(countIn(text, line) - countIn(before, line), times, line)
    assert.match(text, /service_ledger_batch_size_count [1-9]/)
    for (const name of [
      "service_database_connections",
      "service_in_work",
      "service_in_work_limit",
      "service_part_state",
      "service_plans",
      "service_build_info",
      "process_resident_memory_bytes",
      "nodejs_eventloop_lag_p99_seconds"
    ])
      assert.match(text, new RegExp(`^# TYPE ${name} gauge$`, "m"))
  })

  it("shows metrics to the bearer of the token alone", async () => {
    for (const authorization of ["", "Bearer wrong", TOKEN, `bearer ${TOKEN}`]) {
      const response = await ask("/metrics", authorization === "" ? {} : { headers: { authorization } })
      assert.strictEqual(response.status, 401)
      assert.strictEqual(response.headers.get("www-authenticate"), "Bearer")
      assert.strictEqual((await assertProblem(response)).code, "AUTH_REQUIRED")
    }
  })

  describe("asked by a name", () => {
    const asHost = (host: string | undefined, path = "/healthz") =>
      sendRaw(
        service.opsUrl,
        host === undefined ? `GET ${path} HTTP/1.0\r\n\r\n` : `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
      )

    it("of this machine, of its settings or by any address, is answered", async () => {
      for (const host of [
        "localhost",
        "LOCALHOST:8788",
        "localhost.:80",
        "127.0.0.1",
        "127.9.9.9:1",
        "[::1]:8788",
        "[::ffff:10.0.0.1]",
        "10.42.0.17:8788",
        "[fd00::17]",
        "ops.internal",
        "Ops.Internal:8788",
        undefined
      ])
        assert.strictEqual((await asHost(host))?.status, 200, host)
    })

    it("that could be anybody's is refused, whatever it asks for", async () => {
      for (const host of [
        "evil.example",
        "evil.example:8788",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "1.2.3",
        "[evil.example]",
        "ops.internal.evil.example",
        "ops.internal:8788:8788",
        "evil.example@localhost",
        ""
      ])
        for (const path of ["/healthz", "/readyz", "/metrics", "/none"])
          assert.strictEqual(rawProblem(await asHost(host, path)).code, "INVALID_REQUEST_TARGET", host)
    })
  })

  it("answers anything else with a problem", async () => {
    assert.strictEqual((await assertProblem(await ask("/"))).code, "ENDPOINT_NOT_FOUND")
    assert.strictEqual((await assertProblem(await ask("/api/v1"))).code, "ENDPOINT_NOT_FOUND")
    const posted = await ask("/healthz", { method: "POST", body: "{}" })
    assert.strictEqual(posted.headers.get("allow"), "GET, HEAD")
    assert.strictEqual((await assertProblem(posted)).code, "METHOD_NOT_ALLOWED")
  })
})
