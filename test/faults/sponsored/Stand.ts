/** A service whose only ways out, to a local chain and to a provider that executes there, are proxies that keep what left. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { type Address, keccak256 } from "viem"
import { assert } from "vitest"
import type { Bundle } from "../../../sandbox/provider/Book.ts"
import { runProvider } from "../../../sandbox/provider/Run.ts"
import type { SettingsShape } from "../../../src/settings/Settings.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../../src/values/ForwardRequest.ts"
import { TOKEN } from "../../provider/support/Provider.ts"
import { signAll } from "../../sponsorship/support/Signing.ts"
import { sponsoring, sponsorshipFor } from "../../sponsorship/support/Sponsored.ts"
import { payment, planned } from "../../support/PlannedCalls.ts"
import { mine, newPayer, type RelayBench, startRelayBench } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { contractId } from "../../support/Sandbox.ts"
import type { ServiceOptions } from "../../support/Service.ts"
import { type Party, signedFetch } from "../../support/SignedFetch.ts"
import { connected } from "../../support/Sql.ts"
import { auditSponsored, type StoredRow, storedSponsorships, type ToldSponsorship } from "./Audit.ts"
import { bundlesIn } from "./Bundles.ts"
import { executionsOn } from "./Executions.ts"
import { type ProviderProxy, type Publication, startProviderProxy } from "./ProviderProxy.ts"

export interface SponsoredStand {
  readonly bench: RelayBench
  readonly provider: ProviderProxy
  /** Past the proxy. */
  readonly lying: LyingProvider
  readonly told: Array<ToldSponsorship>
  readonly stop: () => Promise<void>
}

export interface LyingProvider {
  readonly url: string
  /** Where it is paid. */
  readonly payments: Address
  readonly bundles: () => ReadonlyArray<Bundle>
  readonly end: () => Promise<void>
}

const startProvider = async (rpcUrl: string): Promise<LyingProvider> => {
  const directory = await mkdtemp(join(tmpdir(), "provider-"))
  const file = join(directory, "bundles")
  const options = { rpcUrl, file, token: TOKEN, port: 0, report: () => {} }
  const { url, payments, stop } = await runProvider(options)
  const end = async () => {
    await stop()
    await rm(directory, { recursive: true })
  }
  return { url, payments, bundles: () => bundlesIn(file), end }
}

/** With the code that a payment contract has on a chain. */
export const paymentsOn = async (chainUrl: string, address: Address) => ({
  address,
  runtimeCodeHash: keccak256(await rpc(chainUrl, "eth_getCode", [address, "latest"]))
})

export const startSponsoredStand = async (
  options: ServiceOptions = {},
  over: Partial<SettingsShape["sponsorship"]> = {}
): Promise<SponsoredStand> => {
  const provider = await startProviderProxy("http://127.0.0.1:9")
  let lying: LyingProvider | undefined
  const settingsOn = async (chainUrl: string) => {
    lying = await startProvider(chainUrl)
    provider.follow(lying.url)
    const payments = [{ chainId: 31337, ...(await paymentsOn(chainUrl, lying.payments)) }]
    return { sponsorship: sponsoring({ providerUrl: Redacted.make(provider.url), payments, ...over }) }
  }
  const bench = await startRelayBench({ ...options, settingsOn })
  if (lying === undefined) return assert.fail("no provider")
  const { end } = lying
  const stop = async () => {
    await bench.stop()
    await provider.stop()
    await end()
  }
  return { bench, provider, lying, told: [], stop }
}

/** Requests of one plan with their wallet's signatures. */
export interface Ready {
  readonly owner: Party
  readonly sponsorship: Sponsorship
  readonly signatures: ReadonlyArray<string>
}

export const readyToPublish = async (
  { bench }: Pick<SponsoredStand, "bench">,
  { calls = 1, blocks = 0 } = {}
): Promise<Ready> => {
  const owner = await newPayer(bench)
  if (blocks > 0) await mine(bench, blocks)
  const paying = Array.from({ length: calls }, () => payment(bench, owner.key.address))
  const plan = await planned(bench, owner, { calls: paying })
  const sponsorship = await sponsorshipFor(bench.service, owner, plan)
  return { owner, sponsorship, signatures: await signAll(owner.key, sponsorship) }
}

/** As it is told after a look at its provider and its chain, and kept for the comparison at the end. */
export const lookAt = async (
  { bench, told }: SponsoredStand,
  { owner, sponsorship: { id } }: Ready
): Promise<Sponsorship> => {
  const answer = await signedFetch(bench.service, owner, "GET", `/api/v1/sponsorships/${id}?refresh=true`)
  const sponsorship = await answer.json()
  assert.strictEqual(answer.status, 200, JSON.stringify(sponsorship))
  told.push({ sponsorship, at: Date.now() })
  return sponsorship
}

/** Every POST of it. */
export const publicationsOf = (
  { provider }: Pick<SponsoredStand, "provider">,
  { sponsorship: { authorizations }, signatures }: Ready
): ReadonlyArray<Publication> => {
  const calls = new Set(
    authorizations.map(({ message }, position) => executeCalldata(message, signatures[position] ?? "0x"))
  )
  return provider
    .publications()
    .filter(({ transactions }) => transactions.some(({ data }) => calls.has(data)))
}

/** The provider's own record of it; none where it never heard of it. */
export const bundleOf = ({ lying }: SponsoredStand, { sponsorship, signatures }: Ready) => {
  const [first] = sponsorship.authorizations
  const data = first === undefined ? "" : executeCalldata(first.message, signatures[0] ?? "0x")
  return lying.bundles().find(({ transactions }) => transactions.some(({ request }) => request.data === data))
}

const forwarderOf = ({ manifest }: RelayBench) => {
  const id = contractId(manifest, "ERC2771Forwarder")
  const found = manifest.deployments.find(deployment => deployment.contractId === id)
  return found?.address ?? assert.fail("no forwarder")
}

export const executionsOf = ({ bench }: SponsoredStand) => executionsOn(bench.chain.url, forwarderOf(bench))

/** All that is broken, of everything that happened on the stand. */
export const brokenOn = async (
  stand: SponsoredStand,
  told: ReadonlyArray<ToldSponsorship> = stand.told
): Promise<ReadonlyArray<string>> => {
  const client = await connected(stand.bench.service.databaseUrl)
  const rows = await storedSponsorships(async text => (await client.query<StoredRow>(text)).rows)
  await client.end()
  const found = auditSponsored({
    rows,
    publications: stand.provider.publications(),
    executions: await executionsOf(stand),
    told
  })
  return Object.entries(found).flatMap(([name, each]) => each.map(line => `${name}: ${line}`))
}
