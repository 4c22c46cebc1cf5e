/** Child processes that end with their scope, and with this process however it ends. */
import { type ChildProcess, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { Effect, Option, type Scope } from "effect"
import { StartFailure, systemCode } from "../settings/StartFailure.ts"
import { withinGrace } from "../values/Grace.ts"
import { type GuardCommand, type StopSignal, systemGuard } from "./Guard.ts"

export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

export interface Launch {
  /** As a sentence would name it. */
  readonly name: string
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>]
  readonly directory: string
  readonly account: SystemUser | undefined
  readonly stop: StopSignal
  readonly force: "SIGQUIT" | "SIGKILL"
  readonly environment?: Readonly<Record<string, string>>
  readonly guard?: GuardCommand
}

export interface Ending {
  readonly good: boolean
  readonly sentence: string
}

export interface BoundProcess {
  readonly pid: number
  readonly ended: Effect.Effect<Ending>
  /** The first output line that matches; fails with the process's last words when it ends before. */
  readonly line: (pattern: RegExp) => Effect.Effect<RegExpExecArray, StartFailure>
}

const GRACE = "30 seconds"
const READY_WITHIN = "60 seconds"
const KEPT_LINES = 40

/** Children see no setting of ours, and speak English whatever the operator's language. */
const environment = (directory: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: directory,
  LC_ALL: "C",
  TZ: "UTC"
})

/** A session of its own keeps the terminal's Ctrl-C from reaching the child before our shutdown does. */
const start = (launch: Launch): { readonly child: ChildProcess; readonly halt: () => void } => {
  const { program, args, endsWithInput } = (launch.guard ?? systemGuard())(launch.stop, launch.command)
  const child = spawn(program, args, {
    cwd: launch.directory,
    env: { ...environment(launch.directory), ...launch.environment },
    stdio: [endsWithInput ? "pipe" : "ignore", "pipe", "pipe"],
    detached: true,
    ...launch.account
  })
  child.stdin?.on("error", () => {})
  return { child, halt: () => (endsWithInput ? child.stdin?.destroy() : child.kill(launch.stop)) }
}

class Output {
  readonly #lines: Array<string> = []
  readonly #listeners = new Set<(line: string) => void>()

  constructor(child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr])
      if (stream !== null)
        createInterface({ input: stream })
          .on("line", line => this.#take(line))
          .on("error", () => {})
  }

  #take(line: string): void {
    if (line.trim() === "") return
    this.#lines.push(line)
    if (this.#lines.length > KEPT_LINES) this.#lines.shift()
    for (const listener of this.#listeners) listener(line)
  }

  first(pattern: RegExp): Effect.Effect<RegExpExecArray> {
    return Effect.async(resume => {
      const listener = (line: string): void => {
        const match = pattern.exec(line)
        if (match !== null) resume(Effect.succeed(match))
      }
      this.#lines.forEach(listener)
      this.#listeners.add(listener)
      return Effect.sync(() => this.#listeners.delete(listener))
    })
  }

  get lastWords(): string {
    return this.#lines.findLast(line => /FATAL|PANIC|error/i.test(line)) ?? this.#lines.at(-1) ?? "no output"
  }
}

const endingOf = (name: string, child: ChildProcess, output: Output): Promise<Ending> =>
  new Promise(resolve => {
    child.once("error", cause =>
      resolve({ good: false, sentence: `${name} could not be started (${systemCode(cause)}).` })
    )
    child.once("close", (code, signal) =>
      resolve({
        good: code === 0,
        sentence: `${name} ended (${signal ?? `exit code ${code}`}): ${output.lastWords}`
      })
    )
  })

/** Reaches the process behind a guard too: they share a group that is theirs alone. */
const forced = ({ pid, exitCode, signalCode }: ChildProcess, signal: Launch["force"]): void => {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, signal)
}

const stopped = (child: ChildProcess, halt: () => void, launch: Launch, ended: Effect.Effect<Ending>) =>
  Effect.sync(halt).pipe(
    Effect.zipRight(withinGrace(ended, GRACE)),
    Effect.flatMap(ending =>
      Option.isSome(ending)
        ? Effect.void
        : Effect.sync(() => forced(child, launch.force)).pipe(Effect.zipRight(ended))
    )
  )

export const launched = (launch: Launch): Effect.Effect<BoundProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { child, halt } = start(launch)
      const output = new Output(child)
      const ending = endingOf(launch.name, child, output)
      const ended = Effect.promise(() => ending)
      const endedFirst = Effect.flatMap(ended, ({ sentence }) => new StartFailure({ message: sentence }))
      const line = (pattern: RegExp) =>
        output.first(pattern).pipe(
          Effect.raceFirst(endedFirst),
          Effect.timeoutFail({
            duration: READY_WITHIN,
            onTimeout: () =>
              new StartFailure({ message: `${launch.name} was not ready within ${READY_WITHIN}.` })
          })
        )
      return { pid: child.pid ?? 0, ended, line, stop: stopped(child, halt, launch, ended) }
    }),
    ({ stop }) => stop
  )
