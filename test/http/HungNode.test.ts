/** A node that hangs: a real one, stopped by SIGSTOP, that takes connections and answers nothing. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { startAnvil } from "../support/Anvil.ts"
import { metricValue } from "../support/MetricValue.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { until } from "../support/Until.ts"

const PART = "chain:31337"
const TOLD_WITHIN_MILLIS = 15_000

const node = await startAnvil()
const chains = [{ chainId: 31337, confirmations: 1, urls: [Redacted.make(node.url)] }]
const log = { level: "error", format: "json" } as const
const needing = await startService({
  settings: { chains, log, readiness: { needs: [PART], deadlineMillis: 2_000 } }
})

afterAll(async () => {
  process.kill(node.pid, "SIGCONT")
  await needing.stop()
  await node.stop()
})

interface Ready {
  readonly http: number
  readonly status: string
  readonly states: Readonly<Record<string, string>>
}

const readyOf = async ({ opsUrl }: RunningService): Promise<Ready> => {
  const answer = await fetch(`${opsUrl}/readyz`)
  const { status, parts } = await answer.json()
  const states = parts.map(({ name, state }: { name: string; state: string }) => [name, state])
  return { http: answer.status, status, states: Object.fromEntries(states) }
}

const inState = (state: string) => metricValue(needing, `service_part_state{part="${PART}",state="${state}"}`)
const ofEndpoint = (name: string) =>
  metricValue(needing, `service_rpc_${name}{chain="31337",endpoint="31337/0"}`)

/** As the image asks it. */
const healthCheck = async ({ opsUrl }: RunningService): Promise<number> => {
  const [, words = "[]"] = /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(await readFile("Dockerfile", "utf8")) ?? []
  const [program, ...rest]: ReadonlyArray<string> = JSON.parse(words)
  assert.strictEqual(program, "node")
  const env = { ...process.env, SERVICE_OPS_PORT: new URL(opsUrl).port }
  return new Promise(resolve => {
    const child = execFile(process.execPath, rest, { env })
    child.once("exit", code => resolve(code ?? -1))
  })
}

describe("a node that hangs", () => {
  it("is told by readiness and metrics within fifteen seconds, under the name that it had", async () => {
    const before = await readyOf(needing)
    assert.deepStrictEqual([before.http, before.status, before.states[PART]], [200, "healthy", "healthy"])
    assert.strictEqual(await inState("healthy"), 1)
    assert.strictEqual(await healthCheck(needing), 0)

    process.kill(node.pid, "SIGSTOP")
    const stopped = performance.now()
    const hung = await until(
      () => readyOf(needing),
      ({ http }) => http === 503
    )
    assert.deepStrictEqual(hung, {
      http: 503,
      status: "unhealthy",
      states: { ...before.states, [PART]: "unhealthy" }
    })
    await until(
      () => inState("unhealthy"),
      found => found === 1
    )
    assert.isBelow(performance.now() - stopped, TOLD_WITHIN_MILLIS)
    assert.strictEqual(await metricValue(needing, "service_ready"), 0)
    assert.strictEqual(await inState("healthy"), 0)
    assert.strictEqual(await healthCheck(needing), 1)
  })

  it("grows older and more silent each time that somebody looks", async () => {
    const age = await ofEndpoint("head_age_seconds")
    const silence = await ofEndpoint("silence_seconds")
    await until(
      () => ofEndpoint("silence_seconds"),
      found => found > silence
    )
    assert.isAbove(await ofEndpoint("head_age_seconds"), age)
    await until(
      () => ofEndpoint("endpoint_serving"),
      found => found === 0
    )
  })

  /** Beside the other no longer than it must: both write one process' gauges. */
  it("leaves ready, though degraded, whoever does not need it", async () => {
    const content = await startService({ settings: { chains, log }, databaseUrl: needing.databaseUrl })
    try {
      const { http, status } = await until(
        () => readyOf(content),
        ({ states }) => states[PART] === "unhealthy"
      )
      assert.deepStrictEqual([http, status], [200, "degraded"])
      assert.strictEqual((await fetch(`${content.opsUrl}/healthz`)).status, 200)
    } finally {
      await content.stop()
    }
  })

  it("is well again once it goes on", async () => {
    process.kill(node.pid, "SIGCONT")
    await until(
      () => readyOf(needing),
      ({ http, states }) => http === 200 && states[PART] === "healthy"
    )
    await until(
      () => ofEndpoint("endpoint_serving"),
      found => found === 1
    )
    await until(
      () => inState("healthy"),
      found => found === 1
    )
    await until(
      () => ofEndpoint("silence_seconds"),
      seconds => seconds < 10
    )
  })
})

it("is not ready without a part that is needed and not there", async () => {
  const own = await startService({
    settings: { log, readiness: { needs: ["chain:1", "provider"], deadlineMillis: 2_000 } }
  })
  try {
    const { http, status, states } = await readyOf(own)
    assert.deepStrictEqual([http, status, states["chain:1"]], [503, "unhealthy", "unhealthy"])
  } finally {
    await own.stop()
  }
})
