/** A service whose prepaid provider is the reference provider, in a process of its own beside the local chain. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { keccak256 } from "viem"
import { assert } from "vitest"
import { Chain } from "../../../sandbox/provider/Chain.ts"
import { paymentContract } from "../../../sandbox/provider/PaymentContract.ts"
import type { SettingsShape } from "../../../src/settings/Settings.ts"
import type { QuoteDoubt, Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { spawnProvider } from "../../provider/support/Provider.ts"
import { type CallInput, planned } from "../../support/PlannedCalls.ts"
import { newPayer, startRelayBench } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { type Party, signedFetch } from "../../support/SignedFetch.ts"
import { until } from "../../support/Until.ts"
import { workerOf } from "../../support/Worker.ts"
import { published } from "./Signing.ts"
import { sponsoring, sponsorshipFor } from "./Sponsored.ts"

export const startQuotedBench = async (over: Partial<SettingsShape["sponsorship"]> = {}) => {
  const bench = await startRelayBench()
  const directory = await mkdtemp(join(tmpdir(), "quoted-"))
  const provider = await spawnProvider(bench.chain.url, join(directory, "bundles"))
  const { address } = paymentContract(new Chain(bench.chain.url).provider)
  const runtimeCodeHash = keccak256(await rpc(bench.chain.url, "eth_getCode", [address, "latest"]))
  const sponsorship = sponsoring({
    providerUrl: Redacted.make(provider.url),
    payments: [{ chainId: 31337, address, runtimeCodeHash }],
    ...over
  })
  const service = await bench.replica({ sponsorship })
  const worker = workerOf({ ...bench, service }, { sponsorship })
  return {
    ...bench,
    service,
    provider,
    payments: address,
    worker,
    /** With settings of its own in place of the bench's. */
    sponsoringReplica: (
      own: Partial<SettingsShape["sponsorship"]>,
      beside: Partial<Omit<SettingsShape, "sponsorship">> = {}
    ) => bench.replica({ ...beside, sponsorship: { ...sponsorship, ...own } }),
    stop: async () => {
      await worker.dispose()
      await service.stop()
      await provider.end("SIGTERM")
      await bench.stop()
      await rm(directory, { recursive: true })
    }
  }
}

export type QuotedBench = Awaited<ReturnType<typeof startQuotedBench>>

export const look = async (
  { service }: Pick<QuotedBench, "service">,
  owner: Party,
  { id }: Pick<Sponsorship, "id">,
  query = ""
): Promise<Sponsorship> => {
  const answer = await signedFetch(service, owner, "GET", `/api/v1/sponsorships/${id}${query}`)
  const body = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(body))
  return body
}

export const lookAnew = (bench: Pick<QuotedBench, "service">, owner: Party, sponsorship: Sponsorship) =>
  look(bench, owner, sponsorship, "?refresh=true")

export const publishedAnew = async (
  bench: Pick<QuotedBench, "service" | "chain" | "manifest">,
  calls?: ReadonlyArray<CallInput>
) => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner, calls === undefined ? {} : { calls })
  const prepared = await sponsorshipFor(bench.service, owner, plan)
  return { owner, plan, prepared, sponsorship: await published(bench.service, owner, prepared) }
}

/** Without asking for it: what the service looked at by itself. */
export const oncePublished = (
  bench: QuotedBench,
  owner: Party,
  sponsorship: Sponsorship,
  doubt: QuoteDoubt | undefined
): Promise<Sponsorship> =>
  until(
    () => look(bench, owner, sponsorship),
    ({ quote }) =>
      quote !== undefined && (doubt === undefined ? quote.runtimeVerified : quote.reason === doubt)
  )
