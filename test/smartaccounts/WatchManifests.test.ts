/** What operators see of manifests that their chains do not match; everything else goes on. */
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Manifests } from "../../src/smartaccounts/Manifests.ts"
import { sweepManifests } from "../../src/smartaccounts/WatchManifests.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { onSandbox } from "../sandbox/support/Sandbox.ts"
import { metricValue } from "../support/MetricValue.ts"
import { until } from "../support/Until.ts"
import { changed, manifest, withCode } from "./support/Inspections.ts"
import { askWallets, startWalletBench, type WalletBench } from "./support/WalletService.ts"

const elsewhere = changed({ id: "elsewhere", chainId: 1 })

let bench: WalletBench

beforeAll(async () => {
  bench = await startWalletBench([manifest, elsewhere])
})
afterAll(() => bench.stop())

const sandbox = () => ({ ...onSandbox(bench.chain.url, bench.manifest), stop: bench.chain.stop })
const adapter = manifest.pins.adapter.address
const drifting = <A>(work: () => Promise<A>) => withCode(sandbox(), adapter, "0x00", work)

const sweep = () =>
  sweepManifests.pipe(
    Effect.provide(Manifests.from([manifest, elsewhere])),
    Effect.provide(clientOver({ chainId: 31_337, urls: [bench.chain.url] })),
    Effect.scoped,
    Effect.runPromise
  )

const metric = async (id: string) => {
  const value = (state: string) =>
    metricValue(bench.service, `service_manifest_state{manifest="${id}",state="${state}"}`)
  return {
    verified: await value("verified"),
    drifted: await value("drifted"),
    unverified: await value("unverified")
  }
}

interface Part {
  readonly name: string
  readonly state: string
  readonly facts?: Readonly<Record<string, unknown>>
}

const ready = async () => {
  const answer = await fetch(`${bench.service.opsUrl}/readyz`)
  const { status, parts }: { readonly status: string; readonly parts: ReadonlyArray<Part> } =
    await answer.json()
  const part = (id: string) =>
    parts.find(({ name }) => name === `manifest:${id}`) ?? assert.fail(`no part of ${id}`)
  return { http: answer.status, status, part }
}

describe("a manifest that its chain does not match", () => {
  it("degrades its part of the readiness alone, which names the pin", async () => {
    /** The first look of all, which lasts until the next minute's. */
    const drifted = () => until(ready, ({ part }) => part(manifest.id).state === "degraded")
    const { http, status, part } = await drifting(drifted)
    assert.deepEqual([http, status], [200, "degraded"])
    assert.deepInclude(part(manifest.id), { state: "degraded" })
    assert.deepInclude(part(manifest.id).facts, { state: "drifted", pin: "adapter" })
    assert.deepInclude(part(elsewhere.id).facts, { state: "unverified" })
    const capabilities = await drifting(() => fetch(`${bench.service.url}/api/v1/capabilities`))
    assert.equal(capabilities.status, 200)
    await askWallets(bench.service, bench.owner, "capabilities")
    await until(
      async () => (await ready()).part(manifest.id).state,
      state => state === "healthy"
    )
  })

  it("is told by a metric, from the next look on", async () => {
    await sweep()
    assert.deepEqual(await metric(manifest.id), { verified: 1, drifted: 0, unverified: 0 })
    assert.deepEqual(await metric(elsewhere.id), { verified: 0, drifted: 0, unverified: 1 })
    await drifting(sweep)
    assert.deepEqual(await metric(manifest.id), { verified: 0, drifted: 1, unverified: 0 })
    await sweep()
    assert.deepEqual(await metric(manifest.id), { verified: 1, drifted: 0, unverified: 0 })
  })
})
