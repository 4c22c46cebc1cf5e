import { readFileSync } from "node:fs"
import { afterAll, assert, describe, it, vi } from "vitest"
import { startServiceProcess } from "../support/ServiceProcess.ts"
import { startGuest, startVisitors } from "./support/Visitors.ts"

const PROCESSES = 2
/** Starting a process takes its time on a machine that does other work. */
const PATIENCE = { timeout: 600_000 }

/** Asks until the answer fits. */
const until = async <A>(ask: () => Promise<A>, fits: (value: A) => boolean): Promise<A> => {
  let latest = await ask()
  await vi.waitUntil(
    async () => {
      latest = await ask()
      return fits(latest)
    },
    { timeout: 180_000, interval: 50 }
  )
  return latest
}

const service = await startServiceProcess({ settings: { SERVICE_PROCESSES: String(PROCESSES) } })
const asked = `${service.url}/api/v1/capabilities`

afterAll(service.stop)

const children = async (): Promise<ReadonlyArray<number>> =>
  readFileSync(`/proc/${service.pid}/task/${service.pid}/children`, "utf8").trim().split(" ").map(Number)

const readiness = async () => {
  const answer = await fetch(`${service.opsUrl}/readyz`)
  const { status, parts }: Record<string, unknown> = Object(await answer.json())
  const all: ReadonlyArray<unknown> = Array.isArray(parts) ? parts : []
  const states = all.map(part => [Object(part).name, Object(part).state])
  return { code: answer.status, status, states: Object.fromEntries(states) }
}

const metricsTold = async (): Promise<ReadonlyArray<string>> =>
  (await (await fetch(`${service.opsUrl}/metrics`)).text()).split("\n")

const requestsCounted = async (): Promise<number> => {
  const lines = await metricsTold()
  return lines
    .filter(line => line.startsWith("service_requests_total{"))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0)
}

const replacedOf = (former: ReadonlyArray<number>) => (now: ReadonlyArray<number>) =>
  now.length === PROCESSES && now.every(pid => !former.includes(pid))

const sum = (counts: Iterable<number>): number => [...counts].reduce((all, each) => all + each, 0)

describe("several processes on one port", PATIENCE, () => {
  it("answer their operators as one, with each of them as a part", async () => {
    const { code, states } = await readiness()
    assert.strictEqual(code, 200)
    assert.deepInclude(states, { database: "healthy", migrations: "healthy" })
    assert.containsAllKeys(states, ["process 1", "process 2"])
    assert.strictEqual((await children()).length, PROCESSES)
  })

  it("refuse no request while they are replaced three times, and count each one once", async () => {
    const before = await requestsCounted()
    const visitors = startVisitors(asked)
    for (let time = 0; time < 3; time++) {
      const former = await children()
      process.kill(service.pid, "SIGHUP")
      await until(children, replacedOf(former))
    }
    const { answers, failures } = await visitors.leave()
    assert.deepStrictEqual(failures, [])
    assert.deepStrictEqual([...answers.keys()], [200])
    assert.isAbove(sum(answers.values()), 100)
    assert.strictEqual(await requestsCounted(), before + sum(answers.values()))
  })

  it("lose what one of them worked on when it is killed, and nothing else, and start it anew", async () => {
    const visitors = startVisitors(asked)
    const former = await children()
    await until(
      async () => sum(visitors.answers.values()),
      count => count > 20
    )
    const [killed = 0] = former
    process.kill(killed, "SIGKILL")
    const now = await until(children, pids => pids.length === PROCESSES && !pids.includes(killed))
    await until(readiness, ({ code, states }) => code === 200 && states["process 1"] !== undefined)
    const { answers, failures } = await visitors.leave()
    assert.deepStrictEqual([...answers.keys()], [200])
    assert.isAtMost(failures.length, 6)
    assert.include(now, former[1])
  })

  it("count each that ends by itself, before it is ready too, and say who serves", async () => {
    const began = await children()
    const counts = (lines: ReadonlyArray<string>) =>
      lines
        .filter(line => line.startsWith("service_process_failures_total{"))
        .map(line => Number(line.slice(line.lastIndexOf(" ") + 1)))
    const before = sum(counts(await metricsTold()))
    const killed = [began[0] ?? 0]
    process.kill(began[0] ?? 0, "SIGKILL")
    const young = await until(children, pids => pids.length === PROCESSES && !pids.includes(killed[0] ?? 0))
    process.kill(young.find(pid => !began.includes(pid)) ?? 0, "SIGKILL")
    const missing = await until(metricsTold, lines => sum(counts(lines)) === before + 2)
    assert.isTrue(missing.some(line => /^service_process_serving\{process="[12]"\} 0$/.test(line)))
    await until(
      metricsTold,
      lines =>
        lines.filter(line => /^service_process_serving\{process="[12]"\} 1$/.test(line)).length === PROCESSES
    )
  })

  it("are started anew when they die while the former one still answers whom it is connected to", async () => {
    const former = await children()
    const isFresh = (pid: number) => !former.includes(pid)
    const guests = Array.from({ length: 2 * PROCESSES }, () => startGuest(asked))
    for (const { ask } of guests) await ask()
    process.kill(service.pid, "SIGHUP")
    const asking = guests.slice(PROCESSES).map(({ ask }) => ask)
    await until(
      () => Promise.all(asking.map(ask => ask())),
      told => told.includes("close")
    )
    const [killed = assert.fail("none is fresh")] = (await children()).filter(isFresh)
    process.kill(killed, "SIGKILL")
    const now = await until(children, pids => pids.some(pid => isFresh(pid) && pid !== killed))
    assert.includeMembers([...now], [...former])
    await until(readiness, ({ code, states }) => code === 200 && states["process 1"] !== undefined)
    for (const { leave } of guests) leave()
    await until(children, replacedOf(former))
  })

  it("finish what they work on when the supervisor is told to stop", async () => {
    const visitors = startVisitors(asked)
    await until(
      async () => sum(visitors.answers.values()),
      count => count > 20
    )
    process.kill(service.pid, "SIGTERM")
    assert.strictEqual(await service.ended, 0)
    const { answers, failures } = await visitors.leave()
    assert.isAbove(answers.get(200) ?? 0, 20)
    assert.deepStrictEqual(
      failures.filter(code => !["ECONNREFUSED", "ECONNRESET"].includes(code)),
      []
    )
  })
})
