/** Debian's pgbouncer before a server, which can be pointed to another one. */
import { spawn } from "node:child_process"
import { chown, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { installedProgram } from "../../support/Debian.ts"
import { freePort } from "../../support/Ports.ts"
import { sqlOn } from "../../support/Sql.ts"
import { asPostgres, type Debian } from "./Cluster.ts"

export type PoolMode = "session" | "transaction"

export interface Pooler {
  readonly url: string
  readonly pointTo: (server: string) => Promise<void>
  readonly stop: () => Promise<void>
}

const targetOf = (server: string): string => {
  const { hostname, port, username, password } = new URL(server)
  const secret = password === "" ? "" : ` password=${password}`
  return `host=${hostname} port=${port} user=${username}${secret}`
}

const configured = (own: number, server: string, mode: PoolMode, users: string) => `[databases]
* = ${targetOf(server)}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
admin_users = service
pool_mode = ${mode}
max_client_conn = 400
default_pool_size = 80
server_connect_timeout = 2
server_login_retry = 1
query_wait_timeout = 5
`

export const startPooler = async (
  place: Debian,
  directory: string,
  mode: PoolMode,
  server: string
): Promise<Pooler> => {
  const program = await installedProgram({
    packageName: "pgbouncer",
    paths: ["/usr/sbin/pgbouncer"],
    whoNeeds: "Outages of databases behind a pooler"
  })
  const port = await freePort()
  const file = join(directory, `pgbouncer-${port}.ini`)
  const users = join(directory, `pgbouncer-${port}.txt`)
  await writeFile(users, '"service" ""\n')
  await writeFile(file, configured(port, server, mode, users))
  await Promise.all([chown(users, place.uid, place.gid), chown(file, place.uid, place.gid)])
  const [first, ...rest] = asPostgres(place, [program, file])
  const child = spawn(first, rest, { stdio: ["ignore", "ignore", "pipe"], cwd: "/" })
  const ended = new Promise<void>(resolve => child.once("exit", () => resolve()))
  const said: Array<string> = []
  await new Promise<void>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`pgbouncer ended: ${said.join("\n")}`)))
    createInterface({ input: child.stderr }).on("line", line => {
      said.push(line)
      if (said.length > 20) said.shift()
      if (/process up/.test(line)) resolve()
    })
  })
  const { pathname } = new URL(server)
  return {
    url: `postgresql://service@127.0.0.1:${port}${pathname}`,
    pointTo: async to => {
      await writeFile(file, configured(port, to, mode, users))
      await sqlOn(`postgresql://service@127.0.0.1:${port}/pgbouncer`, "RELOAD")
    },
    stop: async () => {
      child.kill("SIGKILL")
      await ended
    }
  }
}
