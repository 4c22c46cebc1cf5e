/** The processes of a benchmark: servers that say when they listen, and the load generator. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { writeRequests } from "./Wire.ts"

const run = promisify(execFile)
const LISTENING_MILLIS = 300_000

export interface LoadReport {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly statuses: Readonly<Record<string, number>>
}

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  readonly rate?: number
  readonly bursts?: number
  readonly repeat?: boolean
  readonly from?: ReadonlyArray<string>
}

const RUNNER = join("scripts", "run.mjs")

export const load = async (requests: ReadonlyArray<Buffer>, options: LoadOptions): Promise<LoadReport> => {
  const file = join(mkdtempSync(join(tmpdir(), "bench-")), "requests.bin")
  writeRequests(file, requests)
  const { stdout } = await run("node", [
    RUNNER,
    join("bench", "support", "LoadProcess.ts"),
    JSON.stringify({ ...options, file })
  ])
  return JSON.parse(stdout)
}

const answers = async (port: number, path: string): Promise<boolean> => {
  try {
    await fetch(`http://127.0.0.1:${port}${path}`)
    return true
  } catch {
    return false
  }
}

const listening = async (child: ChildProcess, port: number): Promise<void> => {
  const until = performance.now() + LISTENING_MILLIS
  while (performance.now() < until) {
    if (child.exitCode !== null) throw new Error("a server of the benchmark ended")
    if (await answers(port, "/")) return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  throw new Error("a server of the benchmark did not listen in time")
}

/** As the package starts it. */
export const SERVICE_PROGRAM = ["--max-semi-space-size=32", join("dist", "main.js")]

/** Stops the server when called. */
export type Stop = () => Promise<void>

export const startServer = async (
  command: ReadonlyArray<string>,
  port: number,
  environment: Readonly<Record<string, string>>
): Promise<Stop> => {
  const child = spawn("node", [...command], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "inherit"]
  })
  await listening(child, port)
  return () =>
    new Promise(resolve => {
      child.once("exit", () => resolve())
      child.kill("SIGTERM")
    })
}

/** A server of the benchmark's own, which listens on PORT. */
export const startBench = (entry: string, port: number, environment: Readonly<Record<string, string>>) =>
  startServer([RUNNER, join("bench", entry)], port, { ...environment, PORT: String(port) })
