/** P8 and P9: how soon a process is ready, and what memory it holds idle, after many accounts were active, and later. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { passableDirectory } from "../test/support/PassableDirectory.ts"
import { migrated, seedAccounts, startPostgres } from "./support/Database.ts"
import { median, say, sayBar } from "./support/Figures.ts"
import { load, SERVICE_PROGRAM, startBench } from "./support/Processes.ts"
import { AUDIENCE, type BenchAccount, benchAccounts, signedGets } from "./support/Requests.ts"

const PORT = 18_931
const OPS_PORT = PORT + 100
const NODE_PORT = 18_932
const READY_MILLIS = 60_000
const LOOK_MILLIS = 10
const CONNECTIONS = 64
const MEBIBYTE = 1024 * 1024
/** As many as are signed and sent at once. */
const BATCH = 20_000
const REST_SECONDS = 15
const REST_MINUTES = 10

interface Running {
  readonly seconds: number
  readonly stop: () => Promise<void>
}

const ops = (path: string) => fetch(`http://127.0.0.1:${OPS_PORT}${path}`)

const isReady = async (): Promise<boolean> => {
  try {
    return (await ops("/readyz")).ok
  } catch {
    return false
  }
}

const pause = (millis: number) => new Promise(resolve => setTimeout(resolve, millis))

const ready = async (child: ChildProcess): Promise<number> => {
  const begun = performance.now()
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - begun > READY_MILLIS)
      throw new Error("the service did not become ready")
    await pause(LOOK_MILLIS)
  }
  return (performance.now() - begun) / 1_000
}

const start = async (directory: string, database?: string): Promise<Running> => {
  const environment = {
    SERVICE_PORT: String(PORT),
    SERVICE_OPS_PORT: String(OPS_PORT),
    SERVICE_PUBLIC_URL: AUDIENCE,
    SERVICE_DATA_DIR: directory,
    SERVICE_RPC_1: `http://127.0.0.1:${NODE_PORT}/1`,
    SERVICE_QUOTA_OWNER: "1000000000",
    SERVICE_QUOTA_ADDRESS: "1000000000",
    SERVICE_ENROLMENTS_PER_ADDRESS: "0",
    ...(database === undefined ? {} : { SERVICE_DATABASE_URL: database })
  }
  const child = spawn("node", SERVICE_PROGRAM, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const seconds = await ready(child)
  const stop = async () => {
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }
  return { seconds, stop }
}

const startTimes = async (database: string): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), "bench-start-"))
  const times: Array<number> = []
  for (let look = 0; look < 3; look++) {
    const { seconds, stop } = await start(directory, database)
    times.push(seconds)
    await stop()
  }
  const filled = median(times)
  sayBar("start to ready, filled database", `${filled.toFixed(2)} s`, filled < 2, "< 2 s")
  const embedding = await passableDirectory("bench-embedded-")
  const first = await start(embedding)
  await first.stop()
  sayBar("first start, own PostgreSQL", `${first.seconds.toFixed(2)} s`, first.seconds < 12, "< 12 s")
  const later = await start(embedding)
  await later.stop()
  sayBar("later start, own PostgreSQL", `${later.seconds.toFixed(2)} s`, later.seconds < 5, "< 5 s")
  for (const each of [directory, embedding]) rmSync(each, { recursive: true, force: true })
}

const residentMebibytes = async (): Promise<number> => {
  const text = await (await ops("/metrics")).text()
  const bytes = /^service_memory_bytes\{kind="resident"\} (\d+)$/m.exec(text)?.[1]
  if (bytes === undefined) throw new Error("the service does not tell its memory")
  return Number(bytes) / MEBIBYTE
}

const activate = async (accounts: ReadonlyArray<BenchAccount>): Promise<void> => {
  for (let first = 0; first < accounts.length; first += BATCH) {
    const requests = signedGets(
      accounts.slice(first, first + BATCH),
      Math.min(BATCH, accounts.length - first)
    )
    const { statuses } = await load(requests, { port: PORT, connections: CONNECTIONS, seconds: 120 })
    const answered = statuses["200"] ?? 0
    if (answered !== requests.length) throw new Error(`${JSON.stringify(statuses)} of ${requests.length}`)
  }
}

const untilAtRest = async (
  bar: number
): Promise<{ readonly minutes: number; readonly mebibytes: number }> => {
  const begun = performance.now()
  for (;;) {
    const minutes = (performance.now() - begun) / 60_000
    const mebibytes = await residentMebibytes()
    if (mebibytes < bar || minutes >= REST_MINUTES) return { minutes, mebibytes }
    await pause(REST_SECONDS * 1_000)
  }
}

const memory = async (database: string, accounts: ReadonlyArray<BenchAccount>): Promise<void> => {
  const { stop } = await start(mkdtempSync(join(tmpdir(), "bench-memory-")), database)
  try {
    await pause(REST_SECONDS * 1_000)
    const idle = await residentMebibytes()
    sayBar("memory, idle", `${idle.toFixed(0)} MB`, idle < 200, "< 200 MB")
    await activate(accounts)
    const active = await residentMebibytes()
    const name = `memory, ${accounts.length} accounts active`
    sayBar(name, `${active.toFixed(0)} MB`, active < 400, "< 400 MB")
    const rest = await untilAtRest(200)
    const told = `${rest.mebibytes.toFixed(0)} MB`
    sayBar(`memory, ${rest.minutes.toFixed(1)} minutes later`, told, rest.mebibytes < 200, "< 200 MB")
  } finally {
    await stop()
  }
}

export const run = async (quick: boolean): Promise<void> => {
  const postgres = await startPostgres()
  const stopNode = await startBench("relayNode.ts", NODE_PORT, { ANSWER_MILLIS: "20" })
  try {
    const accounts = benchAccounts(quick ? 5_000 : 100_000)
    const database = await postgres.database("footprint")
    await migrated(database)
    for (let first = 0; first < accounts.length; first += BATCH)
      await seedAccounts(database, accounts.slice(first, first + BATCH))
    say(`a process over a database of ${accounts.length} accounts:`)
    await startTimes(database)
    await memory(database, accounts)
  } finally {
    await stopNode()
    await postgres.stop()
  }
}
