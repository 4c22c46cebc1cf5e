import { readFile, rm, stat, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { banner, type Ready, readyLine } from "../../src/main/Ready.ts"
import { buildCli, type Cli } from "../cli/support/Cli.ts"
import { type ServiceProcess, startServiceProcess } from "../support/ServiceProcess.ts"
import { testSettings } from "../support/Settings.ts"

const readyWith = (over: Partial<Ready["settings"]> = {}, rpcUrl?: string): Ready => ({
  settings: testSettings(over),
  facts: [["chain", "embedded local chain 31337"]],
  rpcUrl
})

describe("what a terminal is told", () => {
  it("ends with commands to try and the address of the chain's node", () => {
    const told = banner(readyWith({}, "http://127.0.0.1:8789"))
    assert.match(told, /^The service is ready\.\n {2}api {9}http:\/\/localhost:8787\/api\/v1\n/)
    assert.match(
      told,
      /\n {2}npx service account enroll\n {2}npx service pay --project 2 --amount 0\.01ether\n.*\n.*http:\/\/127\.0\.0\.1:8789\.$/
    )
  })

  it("tries sponsorship where a provider is there", () => {
    const { sponsorship } = testSettings()
    const providerUrl = Redacted.make("http://127.0.0.1:9")
    const told = banner(readyWith({ sponsorship: { ...sponsorship, providerUrl } }, "http://127.0.0.1:8789"))
    assert.include(told, "\n  npx service pay --project 2 --amount 0.01ether --sponsor\n")
    assert.notInclude(banner(readyWith({}, "http://127.0.0.1:8789")), "--sponsor")
  })

  it("names a data directory that the command line would not look into", () => {
    assert.notInclude(banner(readyWith({ dataDirectory: resolve(".data") })), "SERVICE_DATA_DIR")
    assert.include(
      banner(readyWith({ dataDirectory: "/it's here" })),
      "\n  export SERVICE_DATA_DIR='/it'\\''s here'\n"
    )
  })

  it("names the operators' listener as it is reached from here", () => {
    const told = (host: string) => banner(readyWith({ host, opsPort: 9 }))
    assert.include(told("::1"), "http://[::1]:9/readyz")
    for (const host of ["0.0.0.0", "::"]) assert.include(told(host), "http://127.0.0.1:9/readyz")
  })

  it("is one line of the log elsewhere", () => {
    const time = "2026-01-01T00:00:00.000Z"
    const line = JSON.parse(readyLine(readyWith({}, "http://127.0.0.1:8789"), time))
    assert.deepInclude(line, { time, level: "info", event: "ready", rpc: "http://127.0.0.1:8789" })
    assert.include(line.facts, "api: http://localhost:8787/api/v1")
    assert.include(line.try, "npx service account enroll")
  })
})

describe("a running service", () => {
  let service: ServiceProcess
  let cli: Cli
  const file = () => join(service.dataDirectory, "running.json")
  const here = () => ({ SERVICE_DATA_DIR: service.dataDirectory })
  const operations = ["op", "--list", "--json"]

  beforeAll(async () => {
    cli = await buildCli()
    service = await startServiceProcess({ settings: { SERVICE_BUNDLER_31337: "http://127.0.0.1:9" } })
  })

  afterAll(async () => {
    await service.stop()
    await cli.remove()
  })

  it("says that it is ready in JSON where no terminal reads it", () => {
    assert.deepInclude(JSON.parse(service.announced), { level: "info", event: "ready" })
  })

  it("serves all else where a bundler does not answer, and says that it does not", async () => {
    const answer = await fetch(`${service.opsUrl}/readyz`)
    const { parts } = await answer.json()
    assert.deepInclude(parts, { name: "bundler:31337", state: "unhealthy" })
    assert.deepInclude(parts, { name: "database", state: "healthy" })
    assert.strictEqual(answer.status, 200)
  })

  it("is found by the command line in its data directory", async () => {
    assert.deepInclude(JSON.parse(await readFile(file(), "utf8")), {
      pid: service.pid,
      url: service.audience
    })
    const { code, stderr } = await cli.run(operations, here())
    assert.strictEqual(code, 0, stderr)
  })

  it("gives way to a flag and to a variable, whose dead address is named", async () => {
    const dead = "http://127.0.0.1:9"
    const byFlag = await cli.run([...operations, "--url", dead], here())
    assert.strictEqual(byFlag.code, 3)
    assert.include(byFlag.stderr, "Check the address")
    const byVariable = await cli.run(operations, { ...here(), FUNDING_URL: dead })
    assert.strictEqual(byVariable.code, 3)
    assert.include(byVariable.stderr, `FUNDING_URL names ${dead}: correct it, or unset it`)
  })

  it("is not taken from another machine, nor from a file that a killed one left", async () => {
    const kept = await readFile(file(), "utf8")
    for (const url of ["http://127.0.0.1:9", "http://192.0.2.1:80", "https://service.example"]) {
      await writeFile(file(), JSON.stringify({ pid: service.pid, url }))
      const { stdout } = await cli.run(["doctor"], here())
      assert.include(stdout, "http://localhost:8787")
      assert.notInclude(stdout, new URL(url).host)
    }
    await writeFile(file(), kept)
  })

  it("takes its file along when it ends in order", async () => {
    process.kill(service.pid, "SIGTERM")
    await service.ended
    assert.isUndefined(await stat(file()).catch(() => undefined))
    await rm(service.dataDirectory, { recursive: true, force: true })
  })
})
