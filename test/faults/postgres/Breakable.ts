/** A PostgreSQL on a port of its own that can be broken in several ways, and mended. */
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import { EmbeddedPostgres } from "../../../src/embedded/Postgres.ts"
import { passableDirectory } from "../../support/PassableDirectory.ts"
import { freePort } from "../../support/Ports.ts"
import { sqlOn } from "../../support/Sql.ts"
import { until } from "../../support/Until.ts"

/** A killed server keeps what it acknowledged; nothing here outlives the machine. */
const SETTINGS = { fsync: "off", full_page_writes: "off", max_connections: "60" }

export const BREAKS = ["restart", "terminate", "kill", "read-only"] as const

export type Break = (typeof BREAKS)[number]

type Mend = () => Promise<unknown>

export interface BreakablePostgres {
  readonly url: string
  /** Gives what mends it. */
  readonly breakBy: (how: Break) => Promise<Mend>
  readonly stop: () => Promise<void>
}

const started = async (directory: string, port: number) => {
  const scope = await Effect.runPromise(Scope.make())
  const settings = { ...SETTINGS, port: String(port) }
  const server = await EmbeddedPostgres.start(directory, { settings }).pipe(
    Scope.extend(scope),
    Effect.runPromise
  )
  const url = new URL(Redacted.value(server.url))
  url.port = String(port)
  return { url: url.href, data: server.data, end: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** The process of this very server, by the id that it wrote into its own directory. */
const killServer = async (data: string) => {
  const [pid] = (await readFile(join(data, "postmaster.pid"), "utf8")).split("\n")
  process.kill(Number(pid), "SIGKILL")
}

/** The server is told to read its settings, and has read them once a new connection has them. */
const turn = async (url: string, readOnly: "on" | "off") => {
  await sqlOn(url, `ALTER SYSTEM SET default_transaction_read_only = ${readOnly}`)
  await sqlOn(url, "SELECT pg_reload_conf()")
  await until(
    () => sqlOn(url, "SELECT current_setting('default_transaction_read_only') AS told"),
    ([row]) => row?.told === readOnly
  )
}

const TERMINATE =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'signed-request-service'"

export const startBreakable = async (): Promise<BreakablePostgres> => {
  const directory = await passableDirectory("service-database-faults-")
  const port = await freePort()
  let server = await started(directory, port)
  const { url } = server
  const again = async () => {
    server = await started(directory, port)
  }
  const breaks: Readonly<Record<Break, () => Promise<Mend>>> = {
    restart: async () => {
      await server.end()
      return again
    },
    terminate: async () => {
      await sqlOn(url, TERMINATE)
      return async () => {}
    },
    kill: async () => {
      await killServer(server.data)
      await server.end()
      return again
    },
    "read-only": async () => {
      await turn(url, "on")
      return () => turn(url, "off")
    }
  }
  return {
    url,
    breakBy: how => breaks[how](),
    stop: async () => {
      await server.end()
      await rm(directory, { recursive: true, force: true })
    }
  }
}
