/** A service whose prepaid provider is the reference provider beside the local chain. */
import { Redacted } from "effect"
import { keccak256 } from "viem"
import { assert } from "vitest"
import { Chain } from "../../../sandbox/provider/Chain.ts"
import { paymentContract } from "../../../sandbox/provider/PaymentContract.ts"
import type { SettingsShape } from "../../../src/settings/Settings.ts"
import type { QuoteDoubt, Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { startProvider } from "../../provider/support/Provider.ts"
import { type CallInput, planned } from "../../support/PlannedCalls.ts"
import { newPayer, startRelayBench } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { type Party, signedFetch } from "../../support/SignedFetch.ts"
import { until } from "../../support/Until.ts"
import { workerOf } from "../../support/Worker.ts"
import { published } from "./Signing.ts"
import { sponsoring, sponsorshipFor } from "./Sponsored.ts"

const providing = async (url: string, over: Partial<SettingsShape["sponsorship"]>) => {
  const provider = await startProvider({ sandbox: { url } })
  const { address } = paymentContract(new Chain(url).provider)
  const runtimeCodeHash = keccak256(await rpc(url, "eth_getCode", [address, "latest"]))
  const sponsorship = sponsoring({
    providerUrl: Redacted.make(provider.url),
    payments: [{ chainId: 31337, address, runtimeCodeHash }],
    ...over
  })
  return { provider, payments: address, sponsorship }
}

export const startQuotedBench = async (over: Partial<SettingsShape["sponsorship"]> = {}) => {
  let provided: Awaited<ReturnType<typeof providing>> | undefined
  const bench = await startRelayBench({
    settingsOn: async chainUrl => {
      provided = await providing(chainUrl, over)
      return { sponsorship: provided.sponsorship }
    }
  })
  const { provider, payments, sponsorship } = provided ?? assert.fail("no provider")
  const worker = workerOf(bench, { sponsorship })
  return {
    ...bench,
    provider,
    payments,
    worker,
    /** With settings of its own in place of the bench's. */
    sponsoringReplica: (
      own: Partial<SettingsShape["sponsorship"]>,
      beside: Partial<Omit<SettingsShape, "sponsorship">> = {}
    ) => bench.replica({ ...beside, sponsorship: { ...sponsorship, ...own } }),
    stop: async () => {
      await worker.dispose()
      await bench.stop()
      await provider.stop()
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
