/** The bundler: alto, of its own package and in its own process. */
import { type ChildProcess, spawn } from "node:child_process"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import type { Address, Hex } from "viem"

export interface AltoOptions {
  readonly rpcUrl: string
  readonly entryPoint: Address
  readonly port: number
  /** The program of loopback.ts. */
  readonly preload: string
  /** Signs the transactions that carry operations. */
  readonly executor: Hex
  /** Signs the creation of the contracts by which it simulates. */
  readonly utility: Hex
}

export interface Alto {
  readonly url: string
  /** Ends with its last words. */
  readonly ended: Promise<string>
  readonly stop: () => Promise<void>
}

const READY_MILLIS = 60_000
const GRACE_MILLIS = 5_000
const KEPT_LINES = 40

/** Undefined where the package is not installed, as without development dependencies. */
export const installedAlto = (origin = import.meta.url): string | undefined => {
  try {
    return join(dirname(createRequire(origin).resolve("@pimlico/alto")), "cli", "alto.js")
  } catch (cause) {
    if (Object(cause).code === "MODULE_NOT_FOUND") return undefined
    throw cause
  }
}

const argumentsOf = ({ rpcUrl, entryPoint, port }: AltoOptions): ReadonlyArray<string> => [
  ...["run", "--rpc-url", rpcUrl, "--entrypoints", entryPoint, "--port", String(port)],
  ...["--safe-mode", "false", "--refilling-wallets", "false", "--utility-wallet-monitor", "false"],
  ...["--json", "true", "--log-level", "error"]
]

/** No setting of ours or of a file reaches it. */
const environmentOf = ({ executor, utility }: AltoOptions): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  DOTENV_CONFIG_PATH: join(tmpdir(), "no-settings-of-the-bundler"),
  ALTO_EXECUTOR_PRIVATE_KEYS: executor,
  ALTO_UTILITY_PRIVATE_KEY: utility
})

const launch = (program: string, options: AltoOptions): ChildProcess =>
  spawn(process.execPath, ["--import", options.preload, program, ...argumentsOf(options)], {
    cwd: tmpdir(),
    env: environmentOf(options),
    stdio: ["pipe", "pipe", "pipe"]
  })

/** Each line that it says, and the last ones. */
const listenTo = (child: ChildProcess, hear: (line: string) => void): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null)
      createInterface({ input: stream }).on("line", line => {
        lines.push(line)
        if (lines.length > KEPT_LINES) lines.shift()
        hear(line)
      })
  return lines
}

const stopped = async (child: ChildProcess, ended: Promise<string>): Promise<void> => {
  child.kill("SIGTERM")
  const timer = setTimeout(() => child.kill("SIGKILL"), GRACE_MILLIS)
  await ended
  clearTimeout(timer)
}

export const startAlto = async (program: string, options: AltoOptions): Promise<Alto> => {
  const child = launch(program, options)
  let heard: (url: string) => void = () => {}
  const listening = new Promise<string>(resolve => {
    heard = resolve
  })
  const lines = listenTo(child, line => {
    const [, url] = /^Listening on (\S+)$/.exec(line) ?? []
    if (url !== undefined) heard(url)
  })
  const ended = new Promise<string>(resolve => {
    child.once("error", cause => resolve(cause.message))
    child.once("close", code => resolve(`ended with ${code}: ${lines.slice(-5).join("\n")}`))
  })
  const timer = setTimeout(() => child.kill("SIGKILL"), READY_MILLIS)
  const failed = ended.then(words => Promise.reject(new Error(`The bundler did not start: it ${words}`)))
  const url = await Promise.race([listening, failed]).finally(() => clearTimeout(timer))
  failed.catch(() => undefined)
  return { url, ended, stop: () => stopped(child, ended) }
}
