/** Whether the process that a pid file names still lives and works on the same directory. */
import { execFile } from "node:child_process"
import { readFile, rm } from "node:fs/promises"
import { promisify } from "node:util"
import { Effect, Schedule } from "effect"
import { StartFailure } from "../settings/StartFailure.ts"

export interface Claim {
  readonly name: string
  readonly pidFile: string
  /** Part of the owner's command line. */
  readonly mark: string
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** Empty for a process that has ended and waits for its parent to notice. */
const commandLine = (pid: number): Promise<string> =>
  process.platform === "linux"
    ? readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")
    : promisify(execFile)("ps", ["-o", "command=", "-p", String(pid)]).then(
        ({ stdout }) => stdout,
        () => ""
      )

/** `Gone` is left to the starting process, which also looks for orphans; a reused process id would mislead it. */
type Owner = { readonly state: "Gone" | "Reused" } | { readonly state: "Working"; readonly pid: number }

const ownerOf = async ({ pidFile, mark }: Claim): Promise<Owner> => {
  const text = await readFile(pidFile, "utf8").catch(() => "")
  const pid = Number.parseInt(text, 10)
  if (!(pid > 0) || !isAlive(pid)) return { state: "Gone" }
  return (await commandLine(pid)).includes(mark) ? { state: "Working", pid } : { state: "Reused" }
}

/** A process that lost its service is still writing its state for a moment. */
const LEAVING = Schedule.spaced("100 millis").pipe(Schedule.intersect(Schedule.recurs(50)))

const released = Effect.fn("Owner.released")(function* (claim: Claim) {
  const owner = yield* Effect.promise(() => ownerOf(claim))
  if (owner.state === "Working")
    return yield* new StartFailure({
      message: `${claim.name} (process ${owner.pid}) already works on ${claim.mark}; stop the service that started it or set SERVICE_DATA_DIR to another directory.`
    })
  if (owner.state === "Reused") yield* Effect.promise(() => rm(claim.pidFile, { force: true }))
})

export const freed = (claim: Claim): Effect.Effect<void, StartFailure> =>
  Effect.retry(released(claim), LEAVING)
