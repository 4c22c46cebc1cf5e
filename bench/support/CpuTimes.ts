/** What the processes of a benchmark take of the processor, by their roles; nothing where the system does not tell. */
import { readdirSync, readFileSync } from "node:fs"

export type CpuMillis = ReadonlyMap<string, number>

const MILLIS_PER_TICK = 10

/** By what their command lines hold; a process of none is part of its parent's. */
const ROLES = {
  service: "dist/main.js",
  database: "bin/postgres",
  node: "relayNode",
  provider: "relayProvider"
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly millis: number
  readonly role: string | undefined
}

const roleOf = (command: string): string | undefined =>
  Object.entries(ROLES).find(([, part]) => command.includes(part))?.[0]

const processAt = (pid: number): ReadonlyArray<Process> => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const [parent = 0, user = 0, system = 0] = [1, 11, 12].map(index => Number(fields[index]))
    const role = roleOf(readFileSync(`/proc/${pid}/cmdline`, "utf8"))
    return [{ pid, parent, millis: (user + system) * MILLIS_PER_TICK, role }]
  } catch {
    return []
  }
}

const allProcesses = (): ReadonlyArray<Process> => {
  try {
    return readdirSync("/proc")
      .filter(name => /^\d+$/.test(name))
      .flatMap(name => processAt(Number(name)))
  } catch {
    return []
  }
}

/** Of this process's descendants that still live. */
export const cpuMillis = (): CpuMillis => {
  const all = allProcesses()
  const sums = new Map<string, number>()
  const add = (parent: number, inherited: string | undefined) => {
    for (const { pid, millis, role = inherited } of all.filter(process => process.parent === parent)) {
      if (role !== undefined) sums.set(role, (sums.get(role) ?? 0) + millis)
      add(pid, role)
    }
  }
  add(process.pid, undefined)
  return sums
}

/** Of each of so many requests since then, as words. */
export const sayCpu = (before: CpuMillis, requests: number): string =>
  [...cpuMillis()]
    .map(([role, millis]) => `${role} ${((millis - (before.get(role) ?? 0)) / requests).toFixed(2)}`)
    .join(", ")
