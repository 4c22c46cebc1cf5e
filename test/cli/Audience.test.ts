/** What the command line signs for: a service elsewhere that says another audience than its own is signed nothing for. */

import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, get } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { close, listen } from "../support/Listening.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { runHere } from "./support/InProcess.ts"

const privateKey = `0x${"11".repeat(32)}` as const
const accountId = `eip155:1:${privateKeyToAccount(privateKey).address.toLowerCase()}`

let service: RunningService
let directory: string

beforeAll(async () => {
  service = await startService()
  directory = await mkdtemp(join(tmpdir(), "service-audience-"))
  await writeFile(join(directory, "owner.json"), JSON.stringify({ privateKey, accountId }), { mode: 0o600 })
})

afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true })
})

const shown = (url: string, ...flags: ReadonlyArray<string>) =>
  runHere(["account", "show", "--json", ...flags], {
    FUNDING_URL: url,
    FUNDING_KEY_FILE: join(directory, "owner.json"),
    FUNDING_STATE_DIR: join(directory, "state")
  })

const isSigned = (stdout: string) => stdout.includes("ACCOUNT_NOT_FOUND")

describe("a service", () => {
  /** The same service, as one that is not of this machine. */
  const elsewhere = () => Object.assign(new URL(service.url), { hostname: "0.0.0.0" }).origin

  it("of this machine is signed for as it says", async () => {
    const { stdout, stderr } = await shown(service.url)
    assert.isTrue(isSigned(stdout + stderr), stderr)
  })

  it("elsewhere that says another audience is signed nothing for", async () => {
    const { code, stderr } = await shown(elsewhere())
    assert.strictEqual(code, 1, stderr)
    assert.include(stderr, `has signatures made for ${service.audience}, not for ${elsewhere()}`)
    assert.include(stderr, `--audience ${service.audience}`)
  })

  it("elsewhere is signed for where its audience is given", async () => {
    const { stdout, stderr } = await shown(elsewhere(), "--audience", service.audience)
    assert.isTrue(isSigned(stdout + stderr), stderr)
  })

  it("is signed for however its audience ends", async () => {
    const { stdout, stderr } = await shown(elsewhere(), "--audience", `${service.audience}/`)
    assert.isTrue(isSigned(stdout + stderr), stderr)
  })

  it("elsewhere under a path is signed for by that path alone", async () => {
    let behind = ""
    const within = createServer(({ url = "", headers }, response) => {
      get(new URL(url.replace(/^\/[a-z]+/, ""), behind), { headers }, answer =>
        answer.pipe(response.writeHead(answer.statusCode ?? 0, answer.headers))
      )
    })
    const url = `http://0.0.0.0:${await listen(within)}`
    const settings = { audience: `${url}/fund` }
    const below = await startService({ settings, databaseUrl: service.databaseUrl })
    behind = below.url
    const { stdout, stderr } = await shown(`${url}/fund`)
    assert.isTrue(isSigned(stdout + stderr), stderr)
    const elsewhere = await shown(`${url}/other`)
    await Promise.all([close(within), below.stop()])
    assert.include(elsewhere.stderr, `has signatures made for ${url}/fund, not for ${url}`)
  })

  it("of this machine is signed nothing for where another audience is given", async () => {
    const { code, stderr } = await shown(service.url, "--audience", "https://other.example")
    assert.strictEqual(code, 1, stderr)
    assert.include(stderr, "not for https://other.example")
  })
})
