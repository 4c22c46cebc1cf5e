/** Programs of this project as processes of their own, which can be killed at any moment and die with this one. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createInterface } from "node:readline"

const SETPRIV = "/usr/bin/setpriv"
const STARTING_MILLIS = 120_000

export interface Running {
  readonly pid: number
  /** The line that said that it was up. */
  readonly announced: string
  readonly kill: () => Promise<void>
  /** Its exit code, null where a signal ended it. */
  readonly ended: Promise<number | null>
  /** Only to a process that was started with an ear for it. */
  readonly tell: (message: object) => void
  /** Nobody reads what it prints from here on. */
  readonly turnAway: () => void
}

const LINES_SHOWN = 20

const launch = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  isHeard: boolean
): ChildProcess => {
  const command = [process.execPath, ...args]
  const [program = "", ...rest] = existsSync(SETPRIV) ? [SETPRIV, "--pdeathsig", "KILL", ...command] : command
  return spawn(program, rest, {
    stdio: isHeard ? ["ignore", "pipe", "inherit", "ipc"] : ["ignore", "pipe", "inherit"],
    env: { PATH: process.env.PATH, ...env }
  })
}

export interface Ears {
  readonly message: (message: unknown) => void
  /** What it prints after the sign. */
  readonly line: (line: string) => void
}

/** What a service's line of the log says once it is ready. */
export const READY = '"event":"ready"'

/** Resolves once it prints a line that says so. */
export const started = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  sign: string,
  ears?: Ears
): Promise<Running> => {
  const child = launch(args, env, ears !== undefined)
  if (ears !== undefined) child.on("message", ears.message).on("error", () => {})
  const ended = new Promise<number | null>(resolve => child.once("exit", code => resolve(code)))
  const said: Array<string> = []
  const up = new Promise<string>(resolve => {
    if (child.stdout === null) return
    createInterface(child.stdout).on("line", line => {
      said.push(line)
      if (said.length > LINES_SHOWN) said.shift()
      if (line.includes(sign)) resolve(line)
      else ears?.line(line)
    })
  })
  const late = new Promise<undefined>(resolve => setTimeout(resolve, STARTING_MILLIS, undefined).unref())
  const announced = await Promise.race([up, ended.then(() => undefined), late])
  if (announced === undefined) throw new Error(`${args.join(" ")} did not start: ${said.join("\n")}`)
  const kill = async () => {
    child.kill("SIGKILL")
    await ended
  }
  const tell = (message: object) => {
    if (child.connected) child.send(message, () => {})
  }
  const turnAway = () => child.stdout?.destroy()
  return { pid: child.pid ?? 0, announced, kill, ended, tell, turnAway }
}
