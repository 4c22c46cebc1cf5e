import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Either } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { decodeSettings } from "../../src/settings/decode.ts"
import { builtProgram } from "../support/BuiltProgram.ts"
import { freePort } from "../support/Ports.ts"

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

let program: string
let directory: string

beforeAll(async () => {
  program = await builtProgram("src/main.ts")
  directory = await mkdtemp(join(tmpdir(), "start-"))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

const startedWith = async (settings: Readonly<Record<string, string>>): Promise<Ran> => {
  const env = {
    PATH: process.env.PATH,
    SERVICE_DATA_DIR: directory,
    SERVICE_PORT: String(await freePort()),
    SERVICE_OPS_PORT: String(await freePort()),
    SERVICE_CHAIN_PORT: String(await freePort()),
    ...settings
  }
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] })
  let stdout = ""
  let stderr = ""
  child.stdout.on("data", chunk => {
    stdout += String(chunk)
  })
  child.stderr.on("data", chunk => {
    stderr += String(chunk)
  })
  const code = await new Promise<number | null>(done => child.once("close", done))
  return { code, stdout, stderr }
}

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
        "Cannot use the database: check SERVICE_DATABASE_URL and that PostgreSQL 15 or later accepts connections.\n"
      ]
    )
  })
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
