/** Every operation that prepares a plan, over contracts where their releases are published, configured by nothing but an RPC URL. */
import { Either } from "effect"
import { getAddress } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { planIds } from "../../src/http/api/PlanOperations.ts"
import type { PlanId } from "../../src/operations/framework/OperationTable.ts"
import { decodeSettings } from "../../src/settings/decode.ts"
import { PLAN_INPUTS } from "../operations/support/PlanInputs.ts"
import { type Anvil, startAnvil } from "../support/Anvil.ts"
import { enrolled, prepared, relayed } from "../support/PlanBench.ts"
import { type PublishedSandbox, placeSandbox } from "../support/PublishedSandbox.ts"
import { type RunningService, startService } from "../support/Service.ts"
import type { Party } from "../support/SignedFetch.ts"

const BASE = 8453
let chain: Anvil
let service: RunningService
let placed: PublishedSandbox
let parties: readonly [Party, Party]

beforeAll(async () => {
  chain = await startAnvil({ args: ["--chain-id", String(BASE)] })
  placed = await placeSandbox(chain.url, BASE)
  const { chains } = Either.getOrThrow(decodeSettings({ [`SERVICE_RPC_${BASE}`]: chain.url }))
  service = await startService({ settings: { chains } })
  parties = [await enrolled({ service }, 0, BASE), await enrolled({ service }, 1, BASE)]
})

afterAll(async () => {
  await service?.stop()
  await chain?.stop()
})

const planned = async (id: PlanId) => {
  const { account, input } = PLAN_INPUTS[id] ?? assert.fail("no input")
  const asked = typeof input === "function" ? await input({ chain, ...placed }) : input
  const plan = await prepared({ service }, parties[account], id, placed.relocated(asked))
  return { party: parties[account], plan }
}

describe("a chain with the whole protocol at its published addresses", () => {
  it("is known from the catalog alone", async () => {
    const [{ contractId, address } = assert.fail()] = placed.manifest.deployments
    const target = `/api/v1/catalog/contract?id=${encodeURIComponent(contractId)}`
    const { provenance, deployments } = await (await fetch(`${service.url}${target}`)).json()
    assert.deepStrictEqual(provenance.overlays, [])
    const here = deployments.find(({ chainId }: { readonly chainId: number }) => chainId === BASE)
    assert.deepInclude(here.instances[0], { address: getAddress(address), source: "pinned" })
  })

  it.each(planIds)("has %s planned there, relayed and verified", async id => {
    const { party, plan } = await planned(id)
    const { calls, steps } = await relayed({ service, chain }, party, plan)
    assert.isNotEmpty(calls)
    assert.deepStrictEqual([...new Set(calls.map(({ chainId }) => chainId))], [BASE])
    assert.notInclude(
      steps.map(({ semantic }) => semantic?.verifier),
      undefined
    )
  })
})
