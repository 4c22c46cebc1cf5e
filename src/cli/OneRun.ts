/** One run at a time of a command that signs: a second one beside it would sign what the first is about to send. */
import { hostname } from "node:os"
import type { CommandTerminal } from "./Command.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { type PendingRecord, pendingWork, placesWithin } from "./Pending.ts"

type Places = Parameters<typeof placesWithin>[0]

const BEAT_MILLIS = 10_000
/** A run that was silent for so long has ended, wherever it was. */
const SILENT_MILLIS = 60_000

const isThere = (pid: string | undefined): boolean => {
  try {
    return process.kill(Number(pid), 0)
  } catch (fault) {
    return Object(fault).code === "EPERM"
  }
}

/** Of a process on another machine that shares the directory no more is known than what it writes. */
const isUnderWay = ({ pid, host, at }: PendingRecord): boolean =>
  Date.now() - Number(at) < SILENT_MILLIS && (host !== hostname() || isThere(pid))

const underWay = ({ pid, host }: PendingRecord) =>
  new CliFailure(
    ExitCode.unknown,
    `Another run of this command is under way: process ${pid} on ${host}.`,
    "Wait until it has ended, and run the same command again: it goes on with what that one began."
  )

/** What a run that was killed left behind is taken over. */
export const alone = async <A>(
  terminal: CommandTerminal,
  places: Places,
  work: () => Promise<A>
): Promise<A> => {
  const run = pendingWork(terminal, placesWithin(places, "run"))
  const own = () => ({ pid: String(process.pid), host: hostname(), at: String(Date.now()) })
  if (!(await run.keepFirst(own()))) {
    const other = (await run.recall()) ?? {}
    if (isUnderWay(other)) throw underWay(other)
    await run.keep(own())
  }
  const beat = setInterval(() => void run.keep(own()).catch(() => {}), BEAT_MILLIS)
  beat.unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await run.forget()
  }
}
