/** The built program with nothing configured: it brings the provider that pays for forward requests on its own chain, and the bundler that carries user operations there. */
import { readdir, readFile, rm } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { asked } from "../bundler/support/Bundler.ts"
import { buildCli, type Cli } from "../cli/support/Cli.ts"
import { READY, type Running, started } from "../faults/crash/Processes.ts"
import { ENTRY_POINT } from "../smartaccounts/support/Wallets.ts"
import { startAnvil } from "../support/Anvil.ts"
import { passableDirectory } from "../support/PassableDirectory.ts"
import { freePort } from "../support/Ports.ts"
import { until } from "../support/Until.ts"

/** Where the provider is paid. */
const PAYMENTS = "signed-request-service:sandbox/contracts/PrepaidPayments.sol:PrepaidPayments"

let cli: Cli
let directory: string
let running: Running
let url: string
let opsUrl: string

beforeAll(async () => {
  cli = await buildCli()
  directory = await passableDirectory("sponsored-")
  const [port, opsPort] = [await freePort(), await freePort()]
  url = `http://127.0.0.1:${port}`
  opsUrl = `http://127.0.0.1:${opsPort}`
  running = await started(
    [join(packageRoot, "dist", "main.js")],
    {
      SERVICE_PORT: String(port),
      SERVICE_OPS_PORT: String(opsPort),
      SERVICE_CHAIN_PORT: String(await freePort()),
      SERVICE_DATA_DIR: directory,
      SERVICE_LOG_LEVEL: "error"
    },
    READY
  )
})

afterAll(async () => {
  await running.kill()
  await cli.remove()
  await rm(directory, { recursive: true, force: true })
})

/** Processes that such words of their environment or their command tell from others. */
const working = async (file: "environ" | "cmdline", mark: string): Promise<ReadonlyArray<number>> => {
  const pids = (await readdir("/proc")).filter(name => /^\d+$/.test(name))
  const told = await Promise.all(pids.map(pid => readFile(`/proc/${pid}/${file}`, "utf8").catch(() => "")))
  return pids.filter((_, index) => told[index]?.split("\0").includes(mark)).map(Number)
}

/** Processes that work for this service's provider. */
const providers = () => working("environ", `SANDBOX_PROVIDER_FILE=${join(directory, "chain", "bundles")}`)

/** Those that work for its bundler: the one that prepares the chain, and the one of the bundler's own program. */
const bundlers = async (): Promise<ReadonlyArray<number>> => {
  const { rpc, bundler } = JSON.parse(await readFile(join(directory, "running.json"), "utf8"))
  const ours = await working("environ", `SANDBOX_BUNDLER_RPC_URL=${rpc}`)
  const theirs = await working("cmdline", new URL(bundler).port)
  return [...ours, ...theirs]
}

const readinessOf =
  (part: string) => async (): Promise<{ readonly http: number; readonly state: string }> => {
    const answer = await fetch(`${opsUrl}/readyz`)
    const { parts } = await answer.json()
    const { state } = parts.find(({ name }: { readonly name: string }) => name === part)
    return { http: answer.status, state }
  }

const readiness = readinessOf("provider")
const bundlerReadiness = readinessOf("bundler:31337")

interface Judged {
  readonly name: string
  readonly verdict: string
  readonly detail: string
}

const CARRIERS = ["bundler", "bundler's entry points", "bundler's overrides"]
const CONTRACTS = ["node forwarder", "node forwarder's domain", "node payment contract"]

const doctor = async (args: ReadonlyArray<string>) => {
  const { code, stdout } = await cli.run(["doctor", "--execution", "--json", ...args], {
    SERVICE_DATA_DIR: directory
  })
  const { checks }: { readonly checks: ReadonlyArray<Judged> } = JSON.parse(stdout)
  const faults = checks.flatMap(({ name, verdict, detail }) =>
    verdict === "failed" ? [`${name}: ${detail}`] : []
  )
  return { code, faults, checks: new Map(checks.map(check => [check.name, check])) }
}

describe("a service without a configured chain", { timeout: 120_000 }, () => {
  it("says so in its first words and in its capabilities", async () => {
    const { facts, try: attempts } = JSON.parse(running.announced)
    assert.isTrue(facts.some((fact: string) => /^provider: .* at http:\/\/127\.0\.0\.1:\d+$/.test(fact)))
    assert.include(attempts, "npx service pay --project 2 --amount 0.01ether --sponsor")
    const { sponsorship } = await (await fetch(`${url}/api/v1/capabilities`)).json()
    assert.deepStrictEqual(sponsorship.chains, [{ chainId: 31337, state: "available" }])
    const found = await fetch(`${url}/api/v1/catalog/contract?id=${encodeURIComponent(PAYMENTS)}`)
    const { deployments } = await found.json()
    const [local] = deployments.filter(({ chainId }: { readonly chainId: number }) => chainId === 31337)
    assert.match(local.instances[0].runtimeCodeHash, /^0x[0-9a-f]{64}$/)
  })

  it("has all that sponsorship needs, by the words of the doctor", async () => {
    await until(readiness, ({ state }) => state === "healthy")
    const { checks, code, faults } = await doctor([])
    assert.strictEqual(code, 0, faults.join("; "))
    for (const name of [...CONTRACTS, "node head", "node finalized", "node eth_simulateV1", "provider"])
      assert.strictEqual(checks.get(name)?.verdict, "ok", `${name}: ${checks.get(name)?.detail}`)
  })

  it("is told by the doctor what other code, a foreign provider and its answers mean", async () => {
    const bare = await startAnvil()
    let status = 401
    const liar = createServer((_, response) => {
      response.writeHead(status, { location: "/" }).end('{"bundle_uuid":"another","transactions":[]}')
    })
    await new Promise<void>(done => liar.listen(0, "127.0.0.1", () => done()))
    const address = liar.address()
    const foreign = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    try {
      const asked = ["--rpc", bare.url, "--provider", foreign]
      const { checks, code } = await doctor(asked)
      assert.strictEqual(code, 6)
      assert.include(checks.get("provider")?.detail, "SERVICE_PROVIDER_HEADERS")
      assert.match(checks.get("node payment contract")?.detail ?? "", /another code.*cannot be paid there$/)
      status = 302
      assert.include((await doctor(asked)).checks.get("provider")?.detail, "redirects are refused")
      status = 500
      assert.strictEqual((await doctor(asked)).checks.get("provider")?.verdict, "degraded")
      status = 200
      const shaped = await doctor(["--provider", foreign, "--bundle", "00000000-0000-4000-8000-000000000000"])
      assert.include(shaped.checks.get("provider's answers")?.detail, "it names another bundle")
    } finally {
      liar.close()
      await bare.stop()
    }
  })

  it("is ready without its provider, which comes back by itself", async () => {
    await until(readiness, ({ state }) => state === "healthy")
    const [first = assert.fail("no provider")] = await providers()
    process.kill(first, "SIGKILL")
    const { http } = await until(readiness, ({ state }) => state === "unhealthy")
    assert.strictEqual(http, 200)
    await until(readiness, ({ state }) => state === "healthy")
    assert.notInclude(await providers(), first)
  })

  it("carries user operations soon, and a paymaster answers beside", async () => {
    const { facts } = JSON.parse(running.announced)
    const [, bundler, paymaster] =
      facts
        .flatMap((fact: string) => [
          /^bundler: .* at (http:\/\/127\.0\.0\.1:\d+); .* at (http:\/\/127\.0\.0\.1:\d+)$/.exec(fact) ?? []
        ])
        .find(({ length }: { readonly length: number }) => length > 0) ?? assert.fail("no bundler is told of")
    await until(bundlerReadiness, ({ state }) => state === "healthy")
    const { result } = await asked(bundler, "eth_supportedEntryPoints", [])
    assert.deepStrictEqual(result, [ENTRY_POINT])
    const stub = await asked(paymaster, "pm_getPaymasterStubData", [{}, ENTRY_POINT, "0x7a69", {}])
    assert.match(stub.result.paymaster, /^0x[0-9a-fA-F]{40}$/)
  })

  it("has all that user operations need, by the words of the doctor", async () => {
    await until(bundlerReadiness, ({ state }) => state === "healthy")
    const { checks, code, faults } = await doctor([])
    assert.strictEqual(code, 0, faults.join("; "))
    for (const name of [...CARRIERS, "paymaster", "node manifest safe7579-guard-31337"])
      assert.strictEqual(checks.get(name)?.verdict, "ok", `${name}: ${checks.get(name)?.detail}`)
  })

  it("is told by the doctor what other contracts, a foreign bundler and a foreign paymaster mean", async () => {
    const answers: Record<string, unknown> = {
      eth_chainId: "0x7a69",
      eth_supportedEntryPoints: ["0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789"],
      pm_getPaymasterStubData: { paymaster: ENTRY_POINT, paymasterData: "0x" }
    }
    const liar = createServer(async (request, response) => {
      const chunks = await request.toArray()
      const { method } = JSON.parse(Buffer.concat(chunks).toString())
      const told =
        method in answers ? { result: answers[method] } : { error: { code: -32601, message: "unknown" } }
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, ...told }))
    })
    await new Promise<void>(done => liar.listen(0, "127.0.0.1", () => done()))
    const address = liar.address()
    const foreign = `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    const bare = await startAnvil()
    try {
      const asked = ["--rpc", bare.url, "--bundler", foreign, "--paymaster", foreign]
      const { checks, code } = await doctor(asked)
      assert.strictEqual(code, 6)
      const [, entryPoints = "", overrides = ""] = CARRIERS
      assert.match(checks.get(entryPoints)?.detail ?? "", /^not 0x0000000071727De22E5E9d8BAf0edAc6f37da032/)
      assert.strictEqual(checks.get(overrides)?.verdict, "degraded")
      assert.match(checks.get("paymaster")?.detail ?? "", /does not pin; it is refused$/)
      assert.match(
        checks.get("node manifest safe7579-guard-31337")?.detail ?? "",
        /singleton 0x29fc.* refused$/
      )
      answers.eth_chainId = "0x1"
      assert.match((await doctor(asked)).checks.get("bundler")?.detail ?? "", /^serves chain 1, of which no/)
      const gone = await doctor(["--bundler", "http://127.0.0.1:9"])
      assert.strictEqual(gone.checks.get("bundler")?.verdict, "degraded")
    } finally {
      liar.close()
      await bare.stop()
    }
  })

  it("is ready without its bundler, which comes back by itself", async () => {
    await until(bundlerReadiness, ({ state }) => state === "healthy")
    const before = await bundlers()
    assert.lengthOf(before, 2)
    for (const pid of before.slice(1)) process.kill(pid, "SIGKILL")
    const { http } = await until(bundlerReadiness, ({ state }) => state === "unhealthy")
    assert.strictEqual(http, 200)
    await until(bundlerReadiness, ({ state }) => state === "healthy")
    for (const pid of before) assert.notInclude(await bundlers(), pid)
  })

  it("leaves no provider and no bundler behind when it is killed", async () => {
    assert.lengthOf(await providers(), 1)
    const carrying = await bundlers()
    assert.lengthOf(carrying, 2)
    await running.kill()
    await until(providers, ({ length }) => length === 0)
    await until(bundlers, ({ length }) => length === 0)
  })
})
