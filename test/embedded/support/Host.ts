/** A separate process that holds an embedded part, and what is left when that process is gone. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { createInterface } from "node:readline"
import { Effect, Schedule, Schema } from "effect"
import { builtProgram } from "../../support/BuiltProgram.ts"

const HOLDER = "test/embedded/support/holder.ts"

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    if (child.stdout !== null) createInterface({ input: child.stdout }).once("line", resolve)
    child.once("exit", code => reject(new Error(`the host ended with ${code}`)))
  })

const exited = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise(resolve => child.once("exit", () => resolve()))

export interface Host<A> {
  readonly told: A
  readonly end: (signal: "SIGTERM" | "SIGKILL") => Effect.Effect<void>
}

/** `command` runs the host's entry; what it tells in its first line is decoded by the schema. */
export const hosting = <A, I>(told: Schema.Schema<A, I>, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [await builtProgram(HOLDER), ...args], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const line = await firstLine(child)
      const end = (signal: "SIGTERM" | "SIGKILL") =>
        Effect.promise(() => {
          child.kill(signal)
          return exited(child)
        })
      return { told: Schema.decodeSync(Schema.parseJson(told))(line), end }
    }),
    ({ end }) => end("SIGKILL")
  )

/** A process that ended and was not collected by its parent has no command line any more. */
const isWorking = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/cmdline`, "utf8").then(
    text => text !== "",
    () => false
  )

export const gone = (pid: number): Effect.Effect<boolean> =>
  Effect.promise(() => isWorking(pid)).pipe(
    Effect.repeat({
      while: working => working,
      schedule: Schedule.intersect(Schedule.spaced("20 millis"), Schedule.recurs(500))
    }),
    Effect.zipRight(Effect.promise(() => isWorking(pid))),
    Effect.map(working => !working)
  )
