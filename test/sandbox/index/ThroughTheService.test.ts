import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { enroll } from "../../support/Bots.ts"
import { chainSettings } from "../../support/Sandbox.ts"
import { startService } from "../../support/Service.ts"
import { newOwner, signedFetch } from "../../support/SignedFetch.ts"
import { payNative } from "../support/Launch.ts"
import { stranger } from "../support/Sandbox.ts"
import { lower, startHistory } from "./History.ts"

const history = await startHistory()
const directory = await mkdtemp(join(tmpdir(), "through-the-service-"))
const overlay = join(directory, "deployments.json")
await writeFile(overlay, JSON.stringify(history.sandbox.manifest))
const testnetUrl = Redacted.make(history.index().url)
const service = await startService({
  overlays: [overlay],
  settings: {
    chains: chainSettings(history.sandbox.url),
    sandboxManifest: overlay,
    indexer: { mainnetUrl: undefined, testnetUrl, headers: Redacted.make({}) }
  }
})
const owner = newOwner()
await enroll(service, owner)

afterAll(async () => {
  await service.stop()
  await history.stop()
  await rm(directory, { recursive: true })
})

const answer = async (target: string) => {
  const response = await signedFetch(service, owner, "GET", `/api/v1/indexer/${target}`)
  const body = await response.json()
  assert.strictEqual(response.status, 200, JSON.stringify(body))
  return body
}

describe("the service over the index of the local chain", () => {
  it("lists what has just happened there", async () => {
    await payNative(history.sandbox, 2n, parseEther("3"), stranger.address)
    await history.index().catchUp()
    const filters = encodeURIComponent(JSON.stringify({ amount: String(parseEther("3")) }))
    const fields = encodeURIComponent(JSON.stringify(["amount", "beneficiary", "project.paymentsCount"]))
    const scope = "network=testnet&chainId=31337&projectId=2"
    const { items, totalCount } = await answer(`payEvent?${scope}&filters=${filters}&fields=${fields}`)
    assert.strictEqual(totalCount, 1)
    assert.deepInclude(items[0], {
      amount: String(parseEther("3")),
      beneficiary: lower(stranger.address),
      version: 6,
      chainId: 31337,
      projectId: "2"
    })
    assert.strictEqual(items[0].project.paymentsCount, 2)
  })

  it("reads a record by its key, and how far the index is", async () => {
    const record = await answer("project/record?network=testnet&chainId=31337&projectId=1&id=%7B%7D")
    assert.deepInclude(record.item, { projectId: "1", tokenSymbol: "ETH" })
    const { chains } = await answer("status?network=testnet")
    assert.deepStrictEqual(
      chains.map(({ chainId }: { readonly chainId: number }) => chainId),
      [31337]
    )
  })
})
