/** Every operation that prepares a plan, over contracts at their published addresses. */
import { getAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { planIds } from "../../src/operations/generated/OperationIds.ts"
import { BASE, startPublished } from "../support/PublishedSandbox.ts"

/** Base has the other end of the sandbox's bridge. */
const base = await startPublished({
  JBOptimismSucker: "JBBaseSucker",
  JBOptimismSuckerDeployer: "JBBaseSuckerDeployer"
})

afterAll(() => base?.stop())

describe("a chain with the whole protocol at its published addresses", () => {
  it("is known from the catalog alone", async () => {
    const controller = "@bananapus/core-v6:src/JBController.sol:JBController"
    const target = `/api/v1/catalog/contract?id=${encodeURIComponent(controller)}`
    const { provenance, deployments } = await (await fetch(`${base.service.url}${target}`)).json()
    assert.deepStrictEqual(provenance.overlays, [])
    const here = deployments.find(({ chainId }: { readonly chainId: number }) => chainId === BASE)
    const placed = base.manifest.deployments.find(({ alias }) => alias === "JBController")
    const address = getAddress(placed?.address ?? assert.fail())
    assert.deepInclude(here.instances[0], { address, source: "pinned" })
  })

  it.each(planIds)("has %s planned there, relayed and verified", async id => {
    const { calls } = await base.carriedOut(id)
    assert.deepStrictEqual([...new Set(calls.map(({ chainId }) => chainId))], [BASE])
  })
})
