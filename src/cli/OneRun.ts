/** One run at a time of a command that signs: a second one beside it would sign what the first is about to send. */
import { hostname } from "node:os"
import type { CommandTerminal } from "./Command.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { type Pending, type PendingRecord, pendingWork, placesWithin } from "./Pending.ts"

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

interface Succession {
  readonly run: Pending
  readonly other: PendingRecord
  readonly own: PendingRecord
}

/** Of several that find the same run silent, one alone takes its place; where that one was killed over it, one alone takes its own. */
const takenOver = async (
  terminal: CommandTerminal,
  places: Places,
  { run, other, own }: Succession,
  silent = other
): Promise<void> => {
  const parts = [silent.pid, silent.host, silent.at, silent.token].map(String)
  const heir = pendingWork(terminal, placesWithin(places, "run", ...parts))
  if (!(await heir.keepFirst(own))) {
    const before = await heir.recall()
    if (before === undefined || isUnderWay(before)) throw underWay((await run.recall()) ?? other)
    await takenOver(terminal, places, { run, other, own }, before)
    return heir.forget()
  }
  try {
    const now = (await run.recall()) ?? {}
    if (now.at !== other.at || now.token !== other.token) throw underWay(now)
    await run.keep(own)
  } finally {
    await heir.forget()
  }
}

/** What a run that was killed left behind is taken over. */
export const alone = async <A>(
  terminal: CommandTerminal,
  places: Places,
  work: () => Promise<A>
): Promise<A> => {
  const run = pendingWork(terminal, placesWithin(places, "run"))
  const token = crypto.randomUUID()
  const own = () => ({ pid: String(process.pid), host: hostname(), at: String(Date.now()), token })
  if (!(await run.keepFirst(own()))) {
    const other = (await run.recall()) ?? {}
    if (isUnderWay(other)) throw underWay(other)
    await takenOver(terminal, places, { run, other, own: own() })
  }
  /** One that was silent for so long that another took its place leaves it to that. */
  const isOwn = async () => (await run.recall())?.token === token
  const beaten = async () => {
    if (await isOwn()) await run.keep(own())
  }
  let beating = Promise.resolve()
  const beat = setInterval(() => {
    beating = beaten().catch(() => {})
  }, BEAT_MILLIS)
  beat.unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await beating
    if (await isOwn()) await run.forget()
  }
}
