/** The routes over a chain that carries contracts at their published addresses, configured by nothing but its RPC URL. */
import { readFile } from "node:fs/promises"
import { Redacted } from "effect"
import { createTestClient, getAddress, http } from "viem"
import { afterAll, assert, beforeEach, describe, it } from "vitest"
import { startAnvil } from "../support/Anvil.ts"
import { mine } from "../support/RelayBench.ts"
import { startService } from "../support/Service.ts"
import { freshNonce, newOwner, signedFetch } from "../support/SignedFetch.ts"

const BASE = 8453
const owner = newOwner(BASE)

const published = async (name: string) => {
  const list = await fetch(
    `${service.url}/api/v1/catalog/contracts?chainId=${BASE}&deployedOnly=true&limit=100`
  )
  const { items } = await list.json()
  const item = items.find((each: { name: string }) => each.name === name)
  return { id: item.id, address: item.chains[0].addresses[0] }
}

const runtimeCode = async (name: string) =>
  JSON.parse(await readFile(`sandbox/artifacts/${name}.json`, "utf8")).deployedBytecode

const chain = await startAnvil({ args: ["--chain-id", String(BASE)] })
const service = await startService({
  settings: { chains: [{ chainId: BASE, urls: [Redacted.make(chain.url)], confirmations: 2 }] }
})
await signedFetch(service, owner, "POST", "/api/v1/accounts/enroll", { body: {} })
const projects = await published("JBProjects")
const client = createTestClient({ mode: "anvil", transport: http(chain.url) })
await client.setCode({ address: projects.address, bytecode: await runtimeCode("JBProjects") })

/** A head of a minute ago would be one of a node that lags behind. */
beforeEach(() => mine({ chain }, 1))

afterAll(async () => {
  await service.stop()
  await chain.stop()
})

describe("a chain with published deployments", () => {
  it("resolves a contract at its published address, and says that its code is not the pinned one's", async () => {
    const target = `/api/v1/protocol/resolve?chainId=${BASE}&contractId=${encodeURIComponent(projects.id)}`
    const answer = await signedFetch(service, owner, "GET", target)
    const resolved = await answer.json()
    assert.strictEqual(answer.status, 200, JSON.stringify(resolved))
    assert.strictEqual(resolved.address, getAddress(projects.address))
    assert.strictEqual(resolved.provenance.source, "pinned")
    assert.strictEqual(resolved.provenance.runtimeVerified, false)
  })

  it("reads it at one canonical block", async () => {
    const query = new URLSearchParams({
      chainId: String(BASE),
      contractId: projects.id,
      function: "count()",
      args: "[]"
    })
    const answer = await signedFetch(service, owner, "GET", `/api/v1/protocol/read?${query}`)
    const read = await answer.json()
    assert.strictEqual(answer.status, 200, JSON.stringify(read))
    assert.strictEqual(read.outputs[0].value, "0")
    assert.strictEqual(read.evidence[0].chainId, BASE)
  })

  it("plans a call to it", async () => {
    const call = {
      chainId: BASE,
      contractId: projects.id,
      function: "setApprovalForAll(address,bool)",
      args: [owner.key.address, true]
    }
    const answer = await signedFetch(service, owner, "POST", "/api/v1/plans", {
      body: { operation: "contract_calls", input: { account: owner.key.address, calls: [call] } },
      idempotencyKey: freshNonce()
    })
    const plan = await answer.json()
    assert.strictEqual(answer.status, 201, JSON.stringify(plan))
    assert.strictEqual(plan.calls[0].to, getAddress(projects.address))
  })

  it("refuses what is not there", async () => {
    const terminal = await published("JBMultiTerminal")
    const target = `/api/v1/protocol/resolve?chainId=${BASE}&contractId=${encodeURIComponent(terminal.id)}`
    const answer = await signedFetch(service, owner, "GET", target)
    assert.strictEqual((await answer.json()).code, "DEPLOYMENT_CODE_MISSING")
  })
})
