/** The service that the demo walks through: the one that is named, the one that runs here, or one that is started for it. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { createPublicClient } from "../../src/client/Client.ts"
import { readRunning } from "../../src/settings/RunningFile.ts"

export interface Running {
  readonly baseUrl: string
  /** The node of its local chain, where it is known. */
  readonly rpcUrl: string | undefined
  /** Rejects once the service answers no more; never resolves. */
  readonly lost: Promise<never>
  readonly stop: () => Promise<void>
}

type Say = (text: string) => void

const STANDARD = "http://localhost:8787"
const LOCAL = ["localhost", "127.0.0.1"]

const START_MILLIS = 120_000
const STOP_MILLIS = 40_000
const LOOK_MILLIS = 2_000
const LOOKS_MISSED = 3

const named = (process.env.FUNDING_URL || "").replace(/\/+$/, "")

const told = () => readRunning(process.env.SERVICE_DATA_DIR || ".data")

const isUp = (baseUrl: string): Promise<boolean> =>
  createPublicClient({ baseUrl, retries: 0, timeoutMillis: LOOK_MILLIS })
    .capabilities()
    .then(
      () => true,
      () => false
    )

/** One look that is missed is a pause of a busy machine. */
const lostAt = async (baseUrl: string): Promise<never> => {
  for (let missed = 0; missed < LOOKS_MISSED; ) {
    await pause(LOOK_MILLIS, undefined, { ref: false })
    missed = (await isUp(baseUrl)) ? 0 : missed + 1
  }
  throw new Error(`The service at ${baseUrl} answers no more.`)
}

const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    const late = () => reject(new Error(`The service did not start within ${START_MILLIS / 1000} seconds.`))
    const timer = setTimeout(late, START_MILLIS)
    if (child.stdout !== null)
      createInterface(child.stdout).on("line", line => {
        if (!line.includes('"event":"ready"')) return
        clearTimeout(timer)
        resolve()
      })
    child.once("exit", () => {
      clearTimeout(timer)
      reject(new Error("The service did not start."))
    })
  })

const stopped = async (child: ChildProcess, ended: Promise<unknown>): Promise<void> => {
  child.kill("SIGTERM")
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MILLIS)
  await ended
  clearTimeout(timer)
}

const portOf = (url: string): Readonly<Record<string, string>> =>
  url === "" ? {} : { SERVICE_PORT: new URL(url).port || "80" }

const boot = async (say: Say): Promise<Running> => {
  if (named !== "" && !LOCAL.includes(new URL(named).hostname))
    throw new Error(`Nothing answers at ${named}, which FUNDING_URL names.`)
  say(`Nothing answers at ${named || STANDARD}: starting the service with its sandbox.`)
  spawnSync(process.execPath, ["scripts/build.mjs", "--if-needed"], { stdio: "inherit" })
  const env = { ...process.env, SERVICE_LOG_FORMAT: "json", ...portOf(named) }
  const child = spawn(process.execPath, ["dist/main.js"], { env, stdio: ["ignore", "pipe", "inherit"] })
  const ended = new Promise<number | null>(resolve => child.once("exit", resolve))
  const stop = () => stopped(child, ended)
  try {
    await ready(child)
    const running = await told()
    const lost = ended.then((code): never => {
      throw new Error(`The service ended${code === null ? "" : ` with ${code}`}.`)
    })
    return { baseUrl: named || running?.url || STANDARD, rpcUrl: running?.rpc, lost, stop }
  } catch (failure) {
    await stop()
    throw failure
  }
}

export const runningService = async (say: Say): Promise<Running> => {
  const running = await told()
  const baseUrl = named || running?.url || STANDARD
  if (!(await isUp(baseUrl))) {
    if (named !== "" || baseUrl === STANDARD || !(await isUp(STANDARD))) return boot(say)
    return {
      baseUrl: STANDARD,
      rpcUrl: process.env.FUNDING_RPC,
      lost: lostAt(STANDARD),
      stop: async () => {}
    }
  }
  const own = running?.url === baseUrl ? running.rpc : undefined
  return { baseUrl, rpcUrl: process.env.FUNDING_RPC || own, lost: lostAt(baseUrl), stop: async () => {} }
}
