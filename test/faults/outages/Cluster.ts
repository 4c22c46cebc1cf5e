/** PostgreSQL servers of Debian's package, which has what copies a running server: each can be killed, copied, followed and promoted. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { chown, mkdir, readFile, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { installedProgram } from "../../support/Debian.ts"
import { passableDirectory } from "../../support/PassableDirectory.ts"
import { freePort } from "../../support/Ports.ts"
import { sqlOn } from "../../support/Sql.ts"

const SETPRIV = "/usr/bin/setpriv"
const USER = "service"
const STARTING_MILLIS = 60_000

const SETTINGS = [
  "listen_addresses=127.0.0.1",
  "unix_socket_directories=",
  "fsync=off",
  "max_connections=120",
  "shared_buffers=32MB",
  "wal_keep_size=256MB",
  "logging_collector=off",
  "lc_messages=C",
  "timezone=UTC"
]

const run = promisify(execFile)

export interface Debian {
  readonly uid: number
  readonly gid: number
  readonly bin: string
}

/** Who the servers run as: Debian's own user for them. */
export const debian = async (): Promise<Debian> => {
  const postgres = await installedProgram({
    packageName: "postgresql-15",
    paths: ["/usr/lib/postgresql/15/bin/postgres"],
    whoNeeds: "Outages of databases"
  })
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async flag => Number((await run("id", [flag, "postgres"])).stdout))
  )
  return { uid: uid ?? 0, gid: gid ?? 0, bin: dirname(postgres) }
}

/** As that user, and gone with this process. */
export const asPostgres = (
  { uid, gid }: Debian,
  command: ReadonlyArray<string>
): readonly [string, ...string[]] => [
  SETPRIV,
  ...["--reuid", String(uid), "--regid", String(gid), "--clear-groups", "--pdeathsig", "KILL"],
  ...command
]

const runAs = async (place: Debian, program: string, ...args: ReadonlyArray<string>) => {
  const [first, ...rest] = asPostgres(place, [join(place.bin, program), ...args])
  await run(first, rest, { cwd: "/", env: { PATH: process.env.PATH, LC_ALL: "C" } })
}

export interface Server {
  readonly port: number
  readonly data: string
  readonly url: string
  /** With all its processes, as a machine that is lost. */
  readonly kill: () => Promise<void>
}

const readied = (child: ChildProcess, what: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const said: Array<string> = []
    const late = setTimeout(
      () => reject(new Error(`${what} did not start: ${said.join("\n")}`)),
      STARTING_MILLIS
    )
    child.once("exit", () => reject(new Error(`${what} ended: ${said.join("\n")}`)))
    if (child.stderr === null) return
    createInterface({ input: child.stderr }).on("line", line => {
      said.push(line)
      if (said.length > 40) said.shift()
      if (/ready to accept/.test(line)) {
        clearTimeout(late)
        resolve()
      }
    })
  })

const childrenOf = async (pid: number): Promise<ReadonlyArray<number>> =>
  (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => ""))
    .split(" ")
    .filter(text => text.trim() !== "")
    .map(Number)

const end = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It ended by itself.
  }
}

export const urlAt = (port: number): string => `postgresql://${USER}@127.0.0.1:${port}/postgres`

export const startServer = async (
  place: Debian,
  data: string,
  port: number,
  settings: ReadonlyArray<string> = []
): Promise<Server> => {
  await rm(join(data, "postmaster.pid"), { force: true })
  const options = [`port=${port}`, ...SETTINGS, ...settings].flatMap(setting => ["-c", setting])
  const [program, ...args] = asPostgres(place, [join(place.bin, "postgres"), "-D", data, ...options])
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "pipe"], cwd: "/", env: { LC_ALL: "C" } })
  const ended = new Promise<void>(resolve => child.once("exit", () => resolve()))
  await readied(child, `the server on port ${port}`)
  return {
    port,
    data,
    url: urlAt(port),
    kill: async () => {
      const { pid } = child
      if (pid === undefined) return
      const children = await childrenOf(pid)
      for (const each of [pid, ...children]) end(each)
      await ended
    }
  }
}

export const initialised = async (place: Debian, data: string) => {
  await chown(dirname(data), place.uid, place.gid)
  const options = ["-U", USER, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
  await runAs(place, "initdb", "-D", data, ...options)
}

const asOwner = ({ port }: Server) => ["-h", "127.0.0.1", "-p", String(port), "-U", USER]

/** While it works on; `isStandby` makes one that follows it. */
export const copied = (place: Debian, from: Server, data: string, isStandby = false): Promise<void> => {
  const standby = isStandby ? ["-R"] : []
  const source = ["-h", "127.0.0.1", "-p", String(from.port), "-U", USER]
  return runAs(
    place,
    "pg_basebackup",
    ...source,
    "-D",
    data,
    "-c",
    "fast",
    "-X",
    "stream",
    "--no-sync",
    ...standby
  )
}

/** Into a file. */
export const dumped = (place: Debian, from: Server, file: string): Promise<void> =>
  runAs(place, "pg_dump", ...asOwner(from), "-Fc", "-f", file, "postgres")

/** Into an empty server of its own. */
export const undumped = async (place: Debian, file: string, data: string, port: number): Promise<Server> => {
  await initialised(place, data)
  const server = await startServer(place, data, port)
  await runAs(place, "pg_restore", ...asOwner(server), "-d", "postgres", "--exit-on-error", file)
  return server
}

export const promoted = async ({ url }: Server) => {
  await sqlOn(url, "SELECT pg_promote(true, 60)")
}

export interface Ground {
  readonly place: Debian
  readonly directory: string
  /** Where the data of a server is to lie. */
  readonly dataOf: (index: number) => string
  readonly server: Server
}

/** A directory of its own, and the first server in it. */
export const openGround = async (prefix: string): Promise<Ground> => {
  const directory = await passableDirectory(prefix)
  const place = await debian()
  const dataOf = (index: number) => join(directory, "data", `server-${index}`)
  await mkdir(dirname(dataOf(0)), { recursive: true })
  await initialised(place, dataOf(0))
  return { place, directory, dataOf, server: await startServer(place, dataOf(0), await freePort()) }
}
