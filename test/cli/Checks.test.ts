import { writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Anvil, startAnvil } from "../support/Anvil.ts"
import { fakeNode, hex, type Reply } from "../support/FakeNode.ts"
import { keptOpen } from "../support/KeptOpen.ts"
import { close, listen } from "../support/Listening.ts"
import { mine } from "../support/RelayBench.ts"
import { type RunningService, startService } from "../support/Service.ts"
import { newOwner, type RequestOptions, signedFetch, signedInit } from "../support/SignedFetch.ts"
import { buildCli, type Cli } from "./support/Cli.ts"
import { runHere } from "./support/InProcess.ts"

let cli: Cli
let service: RunningService
let anvil: Anvil

beforeAll(async () => {
  const parts = await Promise.all([buildCli(), startService(), startAnvil()])
  cli = parts[0]
  service = parts[1]
  anvil = parts[2]
})

afterAll(async () => {
  await anvil.stop()
  await service.stop()
  await cli.remove()
})

const run = (args: ReadonlyArray<string>) => runHere(args, {})

const verdicts = (stdout: string): Record<string, string> =>
  Object.fromEntries(
    JSON.parse(stdout).checks.map(({ name, verdict }: { name: string; verdict: string }) => [name, verdict])
  )

describe("doctor", { timeout: 120_000 }, () => {
  it("finds a service and a whole node in order", async () => {
    await mine({ chain: anvil }, 1)
    const { code, stdout } = await cli.run([
      "doctor",
      "--url",
      service.audience,
      "--rpc",
      anvil.url,
      "--json"
    ])
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(verdicts(stdout), {
      service: "ok",
      clock: "ok",
      audience: "ok",
      chains: "degraded",
      "node chain": "ok",
      "node head": "ok",
      "node EIP-1898": "ok",
      "node safe": "ok",
      "node finalized": "ok",
      "node eth_simulateV1": "ok",
      "node debug_traceTransaction": "ok",
      "node logs": "ok",
      "node batches": "ok"
    })
  })

  it("asks a node that lets in by a name and a password in its URL", async () => {
    const expected = `Basic ${Buffer.from("mé:p@ss:word").toString("base64")}`
    const door = createServer(keptOpen, async (request, response) => {
      if (request.headers.authorization !== expected) return response.writeHead(401).end()
      const { method = "", headers } = request
      const body = await text(request)
      const answer = await fetch(anvil.url, {
        method,
        headers: { "content-type": `${headers["content-type"]}` },
        body
      })
      return response.end(await answer.text())
    })
    const port = await listen(door)
    const asked = (credentials: string) =>
      run(["doctor", "--rpc", `http://${credentials}@127.0.0.1:${port}/`, "--json"])
    const entered = await asked("m%C3%A9:p%40ss:word")
    const refused = await asked("me:wrong")
    await close(door)
    assert.strictEqual(verdicts(entered.stdout)["node chain"], "ok", entered.stderr)
    assert.notStrictEqual(refused.code, 0)
    assert.notInclude(refused.stdout + refused.stderr, "wrong")
  })

  it("says what a poor node lacks, and fails only for what the service cannot do without", async () => {
    const scope = await Effect.runPromise(Scope.make())
    const node = await Effect.runPromise(Scope.extend(fakeNode({ batches: "refusedByError" }), scope))
    node.mine(1_000_000_000n)
    const unsupported = { error: { code: -32_601, message: "the method does not exist" } }
    node.on("eth_simulateV1", unsupported)
    node.on("debug_traceTransaction", unsupported)
    const lenient = await run(["doctor", "--rpc", node.url, "--json"])
    assert.deepInclude(verdicts(lenient.stdout), {
      "node head": "degraded",
      "node eth_simulateV1": "degraded",
      "node debug_traceTransaction": "degraded",
      "node batches": "degraded"
    })
    const cramped = await Effect.runPromise(Scope.extend(fakeNode({ batches: 99 }), scope))
    const counted = await run(["doctor", "--rpc", cramped.url, "--json"])
    assert.deepInclude(verdicts(counted.stdout), { "node batches": "degraded" })
    assert.include(lenient.stdout, "an intent's deployment through another contract cannot be proved")
    node.on("eth_getBalance", { error: { code: -32_000, message: "missing trie node" } })
    const forgetful = await run(["doctor", "--rpc", node.url])
    assert.match(
      forgetful.stdout,
      /node finalized +degraded +served without its state \(-32000 missing trie node\)/
    )
    node.on("eth_call", { error: { code: -32_602, message: "invalid block parameter" } })
    const failing = await run(["doctor", "--rpc", node.url])
    assert.strictEqual(failing.code, 6)
    assert.match(failing.stdout, /node EIP-1898 +failed +reads pinned to a block hash are refused/)
    assert.notMatch(failing.stdout, /^service/m)
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("says of a node whether it tells logs, by the newest block that has any", async () => {
    const scope = await Effect.runPromise(Scope.make())
    const node = await Effect.runPromise(Scope.extend(fakeNode(), scope))
    node.mine()
    const { hash: older } = node.mine()
    const { hash: newest } = node.mine()
    const blockOf = (number: number, hash: string, logsBloom: string): Reply => ({
      result: { number: hex(number), hash, timestamp: hex(Math.floor(Date.now() / 1000)), logsBloom }
    })
    const bloomOfOlder = (bloom: string) =>
      node.on("eth_getBlockByNumber", ([tag]) =>
        tag === "0x2" ? blockOf(2, older, bloom) : blockOf(3, newest, "0x0000")
      )
    const logsOf = (logs: ReadonlyArray<unknown>) =>
      node.on("eth_getLogs", ([filter]) => ({ result: Object(filter).blockHash === older ? logs : [] }))
    const asked = async () => {
      const { stdout } = await run(["doctor", "--rpc", node.url, "--json"])
      const [check] = JSON.parse(stdout).checks.filter(({ name }: { name: string }) => name === "node logs")
      return [check.verdict, check.detail]
    }
    const lacking =
      "what became of user operations and sponsored calls stays unknown, and no wallet is inspected"
    bloomOfOlder("0x0080")
    logsOf([])
    assert.deepStrictEqual(await asked(), ["degraded", `none told of block 2, which has some; ${lacking}`])
    logsOf([{}])
    assert.deepStrictEqual(await asked(), ["ok", "1 told of block 2"])
    bloomOfOlder("0x0000")
    assert.deepStrictEqual(await asked(), ["ok", "served; the newest 8 blocks have none to be told"])
    node.on("eth_getLogs", { error: { code: -32_601, message: "no such method" } })
    assert.deepStrictEqual(await asked(), ["degraded", `not served (-32601 no such method); ${lacking}`])
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  it("fails for what it does not reach", async () => {
    const { code, stdout } = await run([
      "doctor",
      "--url",
      "http://127.0.0.1:9",
      "--rpc",
      "http://127.0.0.1:9"
    ])
    assert.strictEqual(code, 6)
    assert.match(stdout, /service +failed/)
    assert.match(stdout, /node node +failed +The node at http:\/\/127\.0\.0\.1:9 was not reached/)
  })

  it("says of all else how it is where the node of an execution is not reached", async () => {
    const { code, stdout } = await run([
      ...["doctor", "--execution", "--url", service.audience],
      ...["--rpc", "http://127.0.0.1:9", "--json"]
    ])
    assert.strictEqual(code, 6)
    assert.deepInclude(verdicts(stdout), {
      service: "ok",
      "node contracts": "failed",
      "node manifest": "failed",
      provider: "degraded"
    })
  })
})

const TARGET = "/api/v1/protocol/read?chainId=1&x=2"

const pieces = async (
  audience: string,
  options: RequestOptions,
  over: Partial<Record<string, string>> = {}
) => {
  const init = await signedInit({ audience }, newOwner(1), "GET", TARGET, options)
  const headers = Object.entries({ ...init.headers, ...over }).flatMap(([name, value]) => [
    "--header",
    `${name}: ${value}`
  ])
  return ["--method", "GET", "--target", TARGET, ...headers]
}

describe("verify", { timeout: 120_000 }, () => {
  it("shows every hash of a good signature", async () => {
    const args = await pieces("https://service.test", {})
    const { code, stdout } = await cli.run(["verify", "--audience", "https://service.test", ...args])
    assert.strictEqual(code, 0, stdout)
    assert.include(stdout, "0xa604fff5a27d5951f334ccda7abff3286a8af29caeeb196a6f2b40a1dce7612b")
    assert.include(stdout, "0x19c21b2e6892de1d48bef580085d942c3a359800e18adc3666b710615294e132")
    assert.match(stdout, /requestTarget \(string\) = "\/api\/v1\/protocol\/read\?chainId=1&x=2"/)
    assert.match(stdout, /signed by +0x/)
  })

  it("names the classic mistakes", async () => {
    const signed = await pieces("https://service.test/", {})
    const wrongAudience = await run(["verify", "--audience", "https://service.test", ...signed])
    assert.strictEqual(wrongAudience.code, 6)
    assert.match(wrongAudience.stdout, /likely cause +wrong-audience/)
    assert.match(wrongAudience.stdout, /without a trailing slash/)

    const init = await signedInit({ audience: "https://service.test" }, newOwner(1), "GET", TARGET)
    const signature = init.headers["X-Service-Signature"] ?? ""
    const hardware = signature.replace(/1b$/, "00").replace(/1c$/, "01")
    const headers = Object.entries(init.headers).flatMap(([name, value]) => ["--header", `${name}: ${value}`])
    const base = ["--audience", "https://service.test", "--method", "GET", "--target", TARGET, ...headers]
    const byHardware = await run(["verify", ...base, "--signature", hardware])
    assert.match(byHardware.stdout, /likely cause +recovery-id-0-1/)
    assert.strictEqual(byHardware.code, 6)
  })

  it("explains a problem of the service", async () => {
    const owner = newOwner()
    const body = { rawBody: JSON.stringify({ displayName: "Ada" }, null, 2) }
    const init = await signedInit(service, owner, "PATCH", "/api/v1/accounts/me", body)
    const answer = await fetch(`${service.url}/api/v1/accounts/me`, {
      ...init,
      body: '{"displayName":"Ada"}'
    })
    assert.strictEqual(answer.status, 401)
    const problem = join(cli.directory, "problem.json")
    await writeFile(problem, await answer.text())
    const unsigned = await run(["verify", "--problem", problem])
    assert.strictEqual(unsigned.code, 6)
    assert.match(unsigned.stdout, /signed by +0x/)
    assert.notMatch(unsigned.stdout, /differs/)
    assert.match(unsigned.stdout, /likely cause +body-reserialised/)
    assert.match(unsigned.stdout, /hash the very bytes that are sent/)
  })

  it("asks for the pieces of a problem that has no diagnosis", async () => {
    const answer = await signedFetch(service, newOwner(), "GET", "/api/v1/accounts/me")
    const problem = join(cli.directory, "plain.json")
    await writeFile(problem, await answer.text())
    const { code, stderr } = await run(["verify", "--problem", problem])
    assert.strictEqual(code, 1)
    assert.match(stderr, /no diagnosis/)
  })
})
