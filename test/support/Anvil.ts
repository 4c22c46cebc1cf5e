/** A real local node for tests: our own process on a port that it is given itself, gone with the test process. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { Effect, type Scope } from "effect"

export interface Anvil {
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

export interface AnvilOptions {
  /** More anvil arguments, such as `--no-mining`. */
  readonly args?: ReadonlyArray<string>
  readonly port?: number
}

/** Of so many blocks the state is kept in memory. By default that are ever fewer, ten at last, and what is read from a disk by a reorganisation beyond them is of contracts without code; with all of them a call takes a minute after some thousands. */
export const KEEPING_STATES: ReadonlyArray<string> = ["--prune-history", "1024"]

const START_MILLIS = 20_000

const binary = (): string => {
  const require = createRequire(import.meta.url)
  const platform = { darwin: "darwin", linux: "linux", win32: "win32" }[String(process.platform)]
  const architecture = process.arch === "x64" ? "amd64" : process.arch
  const manifest = require.resolve(`@foundry-rs/anvil-${platform}-${architecture}/package.json`)
  return join(dirname(manifest), "bin", process.platform === "win32" ? "anvil.exe" : "anvil")
}

const SETPRIV = "/usr/bin/setpriv"

const launch = (args: ReadonlyArray<string>): ChildProcess => {
  const command = [binary(), ...args]
  const [program = "", ...rest] = existsSync(SETPRIV) ? [SETPRIV, "--pdeathsig", "KILL", ...command] : command
  return spawn(program, rest, { stdio: ["ignore", "pipe", "pipe"] })
}

const LISTENING = /Listening on 127\.0\.0\.1:(\d+)\s/

/** The port that it listens on. */
const listening = (child: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    let printed = ""
    const timer = setTimeout(() => reject(new Error("the local node did not start in time")), START_MILLIS)
    const settle = (act: () => void) => {
      clearTimeout(timer)
      act()
    }
    const hear = (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-20_000)
      const [, port] = LISTENING.exec(printed) ?? []
      if (port !== undefined) settle(() => resolve(Number(port)))
    }
    child.stdout?.on("data", hear)
    child.stderr?.on("data", hear)
    child.once("error", error => settle(() => reject(error)))
    child.once("exit", code =>
      settle(() => reject(new Error(`the local node ended with ${code}: ${printed}`)))
    )
  })

export const startAnvil = async ({ args = [], port = 0 }: AnvilOptions = {}): Promise<Anvil> => {
  const states = await mkdtemp(join(tmpdir(), "service-test-anvil-"))
  const child = launch(["--host", "127.0.0.1", "--port", String(port), "--cache-path", states, ...args])
  const ended = new Promise<void>(resolve => child.once("exit", () => resolve()))
  const stop = async () => {
    child.kill("SIGKILL")
    await ended
    await rm(states, { recursive: true, force: true })
  }
  const chosen = await listening(child).catch(async (error: unknown) => {
    child.kill("SIGKILL")
    throw error
  })
  return { url: `http://127.0.0.1:${chosen}`, port: chosen, pid: child.pid ?? 0, stop }
}

export const anvil = (options: AnvilOptions = {}): Effect.Effect<Anvil, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => startAnvil(options)),
    running => Effect.promise(running.stop)
  )
