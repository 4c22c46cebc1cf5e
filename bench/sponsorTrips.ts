/** Round trips to node and provider for sponsorships over a local chain whose provider executes them, while the service's recovery rests. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Address, keccak256 } from "viem"
import { runProvider } from "../sandbox/provider/Run.ts"
import type { Plan } from "../src/plans/Plan.ts"
import type { Sponsorship } from "../src/sponsorship/Sponsorship.ts"
import { payFor } from "../test/faults/sponsored/Funder.ts"
import { startProviderProxy } from "../test/faults/sponsored/ProviderProxy.ts"
import { rpc } from "../test/support/Rpc.ts"
import { type Proxy, startProxy } from "./relayProxy.ts"
import type { BenchServer } from "./support/Database.ts"
import { say, sayBar } from "./support/Figures.ts"
import { type Outgoing, payment, planRequest } from "./support/RelayRequests.ts"
import { ask, type LocalChain, startLocalChain, terminalOf, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"
import { publicationRequest, sponsorshipRequest } from "./support/SponsoredRequests.ts"

const WALLET = "0x3635c9adc5dea00000"
const EXECUTING_MILLIS = 60_000

type Provider = Awaited<ReturnType<typeof startProviderProxy>>

interface Counted {
  readonly chain: LocalChain
  readonly proxy: Proxy
  readonly provider: Provider
}

const bar = (name: string, trips: number, most: number) =>
  sayBar(name, String(trips), trips <= most, `<= ${most}`)

const told = async <A>(account: BenchAccount, outgoing: Outgoing): Promise<A> => {
  const { status, body } = await ask(account, outgoing)
  if (status >= 300) throw new Error(`an operation answered ${status}: ${JSON.stringify(body)}`)
  return JSON.parse(JSON.stringify(body))
}

const counted = async <A>({ proxy, provider }: Counted, work: () => Promise<A>) => {
  const [node, posts, looks] = [proxy.roundTrips(), provider.publications().length, provider.looks()]
  const result = await work()
  return {
    result,
    node: proxy.roundTrips() - node,
    posts: provider.publications().length - posts,
    looks: provider.looks() - looks
  }
}

/** Paid for by somebody, and executed by the provider. */
const executed = async ({ chain, provider }: Counted, before: number) => {
  const { answer } = provider.publications().at(-1) ?? {}
  if (answer === undefined) throw new Error("the provider named no price")
  await payFor(chain.url, answer)
  const end = performance.now() + EXECUTING_MILLIS
  const isDone = async () => {
    const bundle = await (await fetch(`${provider.url}/v1/bundle/${answer.bundle_uuid}`)).json()
    const { transactions }: { transactions: ReadonlyArray<{ status: { state: string } }> } = bundle
    return transactions.filter(({ status }) => status.state === "Success").length === before
  }
  while (!(await isDone())) {
    if (performance.now() > end) throw new Error("the provider did not execute in time")
    await new Promise(resolve => setTimeout(resolve, 200))
  }
}

const count = async (world: Counted, account: BenchAccount, calls: number) => {
  const { chain } = world
  await chain.rpc("anvil_setBalance", [account.key.address, WALLET])
  const planned = Array.from({ length: calls }, () => payment(31_337, terminalOf(chain), "2"))
  const plan = await told<Plan>(account, planRequest(account, planned))
  const prepared = await counted(world, () => told<Sponsorship>(account, sponsorshipRequest(plan.id)))
  const name = calls === 1 ? "one call" : `${calls} calls`
  bar(`preparation for ${name}`, prepared.node, 3)
  const { result: sponsorship } = prepared
  const published = await counted(world, () => told(account, publicationRequest(account, sponsorship)))
  bar(`submission for ${name}`, published.node, 3)
  sayBar(`publications for ${name}`, String(published.posts), published.posts === 1, "1")
  await executed(world, calls)
  const target = `/api/v1/sponsorships/${sponsorship.id}?refresh=true`
  const refreshed = await counted(world, () => told<Sponsorship>(account, { method: "GET", target }))
  bar(`refresh of ${name}, executed`, refreshed.node, 4)
  bar(`looks at the provider at refresh of ${name}`, refreshed.looks, 1)
  say(`    its state then: ${refreshed.result.state}`)
}

/** The contract that the provider is paid at, as the service pins it: a quote that is not proved would be looked at between. */
const pinned = async ({ url }: LocalChain, address: Address) => ({
  address,
  runtimeCodeHash: keccak256(await rpc(url, "eth_getCode", [address, "latest"]))
})

const providing = async (chain: LocalChain) => {
  const directory = mkdtempSync(join(tmpdir(), "bench-provider-"))
  const file = join(directory, "bundles")
  const options = { rpcUrl: chain.url, file, token: undefined, port: 0, report: say }
  const { url, payments, stop } = await runProvider(options)
  const provider = await startProviderProxy(url)
  const end = async () => {
    await provider.stop()
    await stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { provider, payments: await pinned(chain, payments), end }
}

export const sponsorTrips = async (postgres: BenchServer): Promise<void> => {
  say("round trips of sponsorships, JSON-RPC batches taken:")
  const chain = await startLocalChain()
  const proxy = await startProxy(chain.url)
  const { provider, payments, end } = await providing(chain)
  const chains = {
    SERVICE_RPC_31337: proxy.url,
    SERVICE_SANDBOX_MANIFEST: chain.overlay,
    SERVICE_PROVIDER_URL: provider.url,
    SERVICE_PROVIDER_PAYMENTS: JSON.stringify({ 31337: payments })
  }
  const accounts = benchAccounts(2)
  try {
    await withService(postgres, "sponsor_trips", accounts, chains, async () => {
      for (const [index, account] of accounts.entries())
        await count({ chain, proxy, provider }, account, index === 0 ? 1 : 32)
    })
  } finally {
    await end()
    await proxy.stop()
    await chain.stop()
  }
}
