import { spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Either } from "effect"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { decodeSettings } from "../../src/settings/decode.ts"
import { settingRows } from "../../src/settings/register.ts"
import { builtProgram } from "../support/BuiltProgram.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { freePort } from "../support/Ports.ts"
import { freshDatabase } from "../support/Postgres.ts"
import { sqlOn } from "../support/Sql.ts"

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const READY: End = { once: '"event":"ready"' }

let program: string
let directory: string

beforeAll(async () => {
  program = await builtProgram("src/main.ts")
  directory = await mkdtemp(join(tmpdir(), "start-"))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

interface End {
  readonly once: string
  readonly signal?: NodeJS.Signals
}

/** Until it ends by itself, or is told to once it said something. */
const startedWith = async (
  settings: Readonly<Record<string, string>>,
  end?: End,
  args: ReadonlyArray<string> = []
): Promise<Ran> => {
  const env = {
    PATH: process.env.PATH,
    SERVICE_DATA_DIR: directory,
    SERVICE_PORT: String(await freePort()),
    SERVICE_OPS_PORT: String(await freePort()),
    SERVICE_CHAIN_PORT: String(await freePort()),
    ...settings
  }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", chunk => {
    stdout += String(chunk)
    if (end !== undefined && stdout.includes(end.once)) child.kill(end.signal ?? "SIGTERM")
  })
  child.stderr.on("data", chunk => {
    stderr += String(chunk)
  })
  const code = await new Promise<number | null>(done => child.once("close", done))
  return { code, stdout, stderr }
}

describe("an argument", { timeout: 120_000 }, () => {
  const saying = (...args: ReadonlyArray<string>) => startedWith({}, undefined, args)

  it("that the program does not know is refused before anything is made, with the setting that is meant", async () => {
    const { code, stdout, stderr } = await saying("--port=9000")
    assert.deepStrictEqual([code, stdout], [1, ""])
    assert.match(
      stderr,
      /^The service takes no argument "--port=9000"\. .*SERVICE_PORT: --help lists them\..*\n$/
    )
    assert.include((await saying("--help", "account")).stderr, 'no argument "account". Its settings are')
    assert.deepStrictEqual(await readdir(directory), [])
  })

  it("asks for help, which has each setting, or for the version", async () => {
    const { code, stdout, stderr } = await saying("--help")
    assert.deepStrictEqual([code, stderr], [0, ""])
    for (const { name } of settingRows) assert.include(stdout, `  ${name}\n`)
    const { version } = JSON.parse(await readFile("package.json", "utf8"))
    assert.deepStrictEqual(await saying("--version"), { code: 0, stdout: `${version}\n`, stderr: "" })
  })
})

const DATABASE = "postgresql://service@127.0.0.1:9/service"

describe("a database that was brought along", { timeout: 120_000 }, () => {
  it("gets no development chain by itself, and the refusal names what decides", async () => {
    assert.deepStrictEqual(await startedWith({ SERVICE_DATABASE_URL: DATABASE }), {
      code: 1,
      stdout: "",
      stderr:
        "SERVICE_DATABASE_URL names a database, and no chain is configured: set SERVICE_RPC_<chainId> for each chain to serve, or SERVICE_LOCAL_CHAIN=on for a development chain.\n"
    })
  })

  it("is asked for where a chain is configured", async () => {
    const { code, stderr } = await startedWith({
      SERVICE_DATABASE_URL: DATABASE,
      SERVICE_RPC_1: "http://127.0.0.1:9"
    })
    assert.deepStrictEqual(
      [code, stderr],
      [
        1,
        "Cannot use the database (ECONNREFUSED): check SERVICE_DATABASE_URL and that PostgreSQL 15 or later accepts connections.\n"
      ]
    )
  })
})

describe("a database", { timeout: 120_000 }, () => {
  const chain = { SERVICE_RPC_1: "http://127.0.0.1:9" }

  it("that is not there is refused by the server's code", async () => {
    const database = await freshDatabase()
    const url = Object.assign(new URL(database.url), { pathname: "/nowhere" })
    const { code, stderr } = await startedWith({ ...chain, SERVICE_DATABASE_URL: url.href })
    await database.drop()
    assert.strictEqual(code, 1)
    assert.match(stderr, /^Cannot use the database \(3D000\): .*\n$/)
  })

  it("whose user may make no tables is refused in a sentence", async () => {
    const database = await freshDatabase()
    await sqlOn(database.url, `CREATE ROLE ${database.name} LOGIN PASSWORD 'guest'`)
    const url = Object.assign(new URL(database.url), { username: database.name, password: "guest" })
    const ran = await startedWith({ ...chain, SERVICE_DATABASE_URL: url.href })
    await database.drop()
    await sqlOn(inject("postgresUrl"), `DROP ROLE ${database.name}`)
    assert.deepStrictEqual(ran, {
      code: 1,
      stdout: "",
      stderr:
        "The user of SERVICE_DATABASE_URL may not make or change the service's tables (permission denied for schema public): let it own the database and all that is in it.\n"
    })
  })

  it.each([
    ["postgresql://service:hidden%E9@127.0.0.1:9/service", "URIError: URI malformed"],
    ["postgresql://service:hidden@127.0.0.1:9/service?sslrootcert=/nowhere/ca.pem", "ENOENT"]
  ])("whose URL cannot be used is refused in a sentence that does not show it: %s", async (url, reason) => {
    assert.deepStrictEqual(await startedWith({ ...chain, SERVICE_DATABASE_URL: url }), {
      code: 1,
      stdout: "",
      stderr: `SERVICE_DATABASE_URL cannot be used (${reason}): check its escapes, and the certificates' files that it names.\n`
    })
  })

  it("of a server that is too old is refused before anything is made in it", async () => {
    const database = await freshDatabase()
    await sqlOn(database.url, "CREATE SCHEMA former")
    await sqlOn(
      database.url,
      `CREATE FUNCTION former.current_setting(name text) RETURNS text LANGUAGE sql AS
        $$ SELECT CASE name WHEN 'server_version_num' THEN '140013' ELSE '14.13 (Debian 14.13-1)' END $$`
    )
    const url = new URL(database.url)
    url.searchParams.set("options", "-c search_path=former,pg_catalog,public")
    const ran = await startedWith({ ...chain, SERVICE_DATABASE_URL: url.href })
    const made = await sqlOn(database.url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")
    await database.drop()
    assert.deepStrictEqual(made, [])
    assert.deepStrictEqual(ran, {
      code: 1,
      stdout: "",
      stderr:
        "The server of SERVICE_DATABASE_URL is PostgreSQL 14.13 (Debian 14.13-1), and the service needs 15 or later: bring it up to date, or name another one.\n"
    })
  })

  it("that lost something is told of in one line of the log, which is one line of JSON", async () => {
    const database = await migratedDatabase()
    const [history] = await sqlOn(database.url, "SELECT id FROM history")
    await writeFile(
      join(directory, "history.json"),
      JSON.stringify({ id: history?.id, beats: 1_000, restoredAt: null })
    )
    const ran = await startedWith({ ...chain, SERVICE_DATABASE_URL: database.url }, READY)
    await database.drop()
    const events = ran.stdout
      .trim()
      .split("\n")
      .map(line => String(Object(JSON.parse(line)).event))
    assert.deepStrictEqual([ran.code, ran.stderr], [0, ""])
    assert.strictEqual(events.filter(event => event.startsWith("the database lacks")).length, 1)
  })

  it("ends in order with its terminal", async () => {
    const database = await migratedDatabase()
    const settings = { ...chain, SERVICE_DATABASE_URL: database.url }
    const { code, stderr } = await startedWith(settings, { ...READY, signal: "SIGHUP" })
    await database.drop()
    assert.deepStrictEqual([code, stderr], [0, ""])
  })
})

it("of several processes ends as soon as none of them can start", { timeout: 120_000 }, async () => {
  const { code, stderr } = await startedWith({
    SERVICE_DATABASE_URL: DATABASE,
    SERVICE_RPC_1: "http://127.0.0.1:9",
    SERVICE_PROCESSES: "2"
  })
  assert.strictEqual(code, 1)
  assert.match(
    stderr,
    /^(Cannot use the database \(ECONNREFUSED\): .*\n){1,2}A process of the service did not become ready.*\n$/
  )
})

it("compose.yaml sets what there is to set, and says what its chain is", async () => {
  const text = await readFile("compose.yaml", "utf8")
  const environment = Object.fromEntries(
    [...text.matchAll(/^ +(SERVICE_\w+): "?([^"\n]+)"?$/gm)].map(([, name = "", value = ""]) => [name, value])
  )
  const settings = Either.getOrThrow(decodeSettings(environment))
  assert.isTrue(settings.localChain === "on" || settings.chains.length > 0)
  assert.strictEqual(settings.audience, "http://localhost:8787")
})
