import { existsSync } from "node:fs"
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { Client } from "pg"
import { EmbeddedPostgres } from "../../src/embedded/Postgres.ts"
import { freePort } from "../support/Ports.ts"
import { sharedDirectory, temporaryDirectory } from "./support/Directories.ts"
import { gone, hosting } from "./support/Host.ts"

const Told = Schema.Struct({ url: Schema.String, data: Schema.String })

const query = (url: string, sql: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query({ text: sql, rowMode: "array" })).rows.flat()
    } finally {
      await client.end()
    }
  })

const started = (directory: string) =>
  Effect.map(EmbeddedPostgres.start(directory), ({ url, ...rest }) => ({ url: Redacted.value(url), ...rest }))

/** The port that it listens on. */
const listener = Effect.acquireRelease(
  Effect.async<Server>(resume => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  server => Effect.async<void>(resume => void server.close(() => resume(Effect.void)))
).pipe(
  Effect.map(server => {
    const address = server.address()
    return typeof address === "object" && address !== null ? address.port : assert.fail("no port")
  })
)

const serverPid = (data: string) =>
  Effect.promise(async () => Number.parseInt(await readFile(join(data, "postmaster.pid"), "utf8"), 10))

describe("a start", { timeout: 120_000 }, () => {
  it.scopedLive("gives a durable database of this machine alone, behind a password", () =>
    Effect.gen(function* () {
      const directory = yield* sharedDirectory
      const { url, data } = yield* started(directory)
      const settings = [
        "fsync",
        "synchronous_commit",
        "full_page_writes",
        "listen_addresses",
        "password_encryption"
      ]
      const values = yield* query(
        url,
        `SELECT setting FROM pg_settings WHERE name IN ('${settings.join("','")}') ORDER BY name`
      )
      assert.deepStrictEqual(values, ["on", "on", "127.0.0.1", "scram-sha-256", "on"])
      const guessed = url.replace(/:[0-9a-f]{64}@/, ":guess@")
      const refusal = yield* Effect.tryPromise(() =>
        new Client({ connectionString: guessed }).connect()
      ).pipe(Effect.flip)
      assert.include(String(refusal.error), "password authentication failed")
      const password = yield* Effect.promise(() => stat(join(directory, "database-password")))
      assert.strictEqual(password.mode & 0o777, 0o600)
      assert.strictEqual(data, join(directory, "postgres"))
    })
  )

  it.scopedLive("takes another port when somebody took the one that was free, and says so after five", () =>
    Effect.gen(function* () {
      const taken = yield* listener
      const ports = [taken, taken, yield* Effect.promise(freePort)]
      const port = Effect.sync(() => ports.shift() ?? taken)
      const { url } = yield* EmbeddedPostgres.start(yield* sharedDirectory, { port })
      assert.notStrictEqual(new URL(Redacted.value(url)).port, String(taken))
      assert.deepStrictEqual(yield* query(Redacted.value(url), "SELECT 1"), [1])
      assert.deepStrictEqual(ports, [])
      const inVain = EmbeddedPostgres.start(yield* sharedDirectory, { port })
      assert.include((yield* Effect.flip(inVain)).message, "could not create any TCP/IP sockets")
    })
  )

  it.scopedLive("resumes what was committed before, after an orderly stop and after a kill", () =>
    Effect.gen(function* () {
      const directory = yield* sharedDirectory
      yield* Effect.scoped(
        Effect.flatMap(started(directory), ({ url }) => query(url, "CREATE TABLE kept (word text)"))
      )
      const host = yield* hosting(Told, ["postgres", directory])
      yield* query(host.told.url, "INSERT INTO kept VALUES ('committed')")
      const pid = yield* serverPid(host.told.data)
      yield* host.end("SIGKILL")
      const { url } = yield* started(directory)
      assert.deepStrictEqual(yield* query(url, "SELECT word FROM kept"), ["committed"])
      assert.isTrue(yield* gone(pid))
    })
  )

  it.scopedLive("survives a process id that names something else by now", () =>
    Effect.gen(function* () {
      const directory = yield* sharedDirectory
      const { data } = yield* Effect.scoped(started(directory))
      const stale = `${process.pid}\n${data}\n1\n5432\n\n127.0.0.1\n  1 1\nready\n`
      yield* Effect.promise(() => writeFile(join(data, "postmaster.pid"), stale))
      const { url } = yield* started(directory)
      assert.deepStrictEqual(yield* query(url, "SELECT 1"), [1])
    })
  )

  it.scopedLive("begins again after a set-up that was cut short", () =>
    Effect.gen(function* () {
      const directory = yield* sharedDirectory
      yield* Effect.promise(() => mkdir(join(directory, "postgres.draft-0a0b", "data"), { recursive: true }))
      const { url } = yield* started(directory)
      assert.deepStrictEqual(yield* query(url, "SELECT 1"), [1])
      const names = yield* Effect.promise(() => readdir(directory))
      assert.sameMembers(names, ["database-password", "postgres"])
    })
  )

  it.scopedLive("tells when the server ends by itself", () =>
    Effect.gen(function* () {
      const { data, ended } = yield* started(yield* sharedDirectory)
      const pid = yield* serverPid(data)
      yield* Effect.sync(() => process.kill(pid, "SIGKILL"))
      const { sentence } = yield* ended
      assert.match(sentence, /^PostgreSQL ended \(SIGKILL\)/)
    })
  )
})

describe("a start that cannot be", { timeout: 120_000 }, () => {
  it.scopedLive("names the server that already works on the data", () =>
    Effect.gen(function* () {
      const directory = yield* sharedDirectory
      const { data } = yield* started(directory)
      const pid = yield* serverPid(data)
      const failure = yield* Effect.flip(started(directory))
      assert.strictEqual(
        failure.message,
        `PostgreSQL (process ${pid}) already works on ${data}; stop the service that started it or set SERVICE_DATA_DIR to another directory.`
      )
    })
  )

  it.scopedLive("says that the data directory cannot be written", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryDirectory, "file")
      yield* Effect.promise(() => writeFile(file, ""))
      const failure = yield* Effect.flip(started(file))
      assert.strictEqual(
        failure.message,
        `The data directory ${file} cannot be written (EEXIST); make it writable or set SERVICE_DATA_DIR to another one.`
      )
    })
  )

  it.scopedLive.skipIf(process.platform !== "linux")(
    "says it of a directory below one that denies being there",
    () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(started("/proc/nowhere/data"))
        assert.include(failure.message, "/proc/nowhere/data cannot be written (ENOENT)")
      })
  )

  it.scopedLive("repeats the server's own reason in one line", () =>
    Effect.gen(function* () {
      const directory = yield* sharedDirectory
      const { data } = yield* Effect.scoped(started(directory))
      yield* Effect.promise(() => writeFile(join(data, "PG_VERSION"), "9.6\n"))
      const failure = yield* Effect.flip(started(directory))
      assert.match(
        failure.message,
        /^PostgreSQL ended \(exit code 1\): .*FATAL: {2}database files are incompatible with server$/
      )
    })
  )
})

describe.runIf(process.getuid?.() === 0)("as root", { timeout: 120_000 }, () => {
  it.scopedLive("places the data where PostgreSQL's user may go, and finds it again", () =>
    Effect.gen(function* () {
      const hidden = yield* temporaryDirectory
      const elsewhere = join(yield* sharedDirectory, "elsewhere")
      const start = EmbeddedPostgres.start(hidden, { elsewhere })
      const first = yield* Effect.scoped(
        Effect.tap(start, ({ url }) => query(Redacted.value(url), "CREATE TABLE kept (word text)"))
      )
      assert.isTrue(first.data.startsWith(elsewhere))
      const second = yield* start
      assert.strictEqual(second.data, first.data)
      assert.deepStrictEqual(yield* query(Redacted.value(second.url), "SELECT word FROM kept"), [])
      const { uid } = yield* Effect.promise(() => stat(first.data))
      assert.notStrictEqual(uid, 0)
      assert.isTrue(existsSync(join(hidden, "postgres", "PG_VERSION")))
      assert.deepStrictEqual(second.leftOver, [])
    })
  )

  it.scopedLive("tells of a database whose data directory was removed, and leaves it where it is", () =>
    Effect.gen(function* () {
      const elsewhere = join(yield* sharedDirectory, "elsewhere")
      const removed = join(yield* temporaryDirectory, "removed")
      const { data } = yield* Effect.scoped(EmbeddedPostgres.start(removed, { elsewhere }))
      yield* Effect.promise(() => rm(removed, { recursive: true }))
      const other = yield* EmbeddedPostgres.start(yield* temporaryDirectory, { elsewhere })
      assert.deepStrictEqual(other.leftOver, [{ data, link: join(removed, "postgres") }])
      assert.isTrue(existsSync(join(data, "PG_VERSION")))
    })
  )
})
