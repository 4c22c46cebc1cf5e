/** Temporary files of a test run live in memory where the machine has room for them: they are many and small, and go with the run. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"

const MEMORY = "/dev/shm"
const PREFIX = "service-tests-"
const ROOM_BYTES = 4 * 1024 ** 3

const hasRoom = (): boolean => {
  if (!existsSync(MEMORY)) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize >= ROOM_BYTES && freemem() >= 2 * ROOM_BYTES
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Of runs that were killed. */
const removeLeft = (): void => {
  for (const name of readdirSync(MEMORY))
    if (name.startsWith(PREFIX) && !isRunning(Number(name.slice(PREFIX.length))))
      rmSync(join(MEMORY, name), { recursive: true, force: true })
}

/** For this process and all that it starts, unless somebody chose a place. */
export const takeMemoryRoom = (): void => {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return
  removeLeft()
  const room = join(MEMORY, `${PREFIX}${process.pid}`)
  mkdirSync(room, { recursive: true })
  chmodSync(room, 0o755)
  process.env.TMPDIR = room
  process.on("exit", () => rmSync(room, { recursive: true, force: true }))
}
