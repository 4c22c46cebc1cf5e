/** A service that has the local chain's manifest, and an account of one of the wallets' owners. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { enroll } from "../../support/Bots.ts"
import { type RelayBench, startRelayBench } from "../../support/RelayBench.ts"
import { type Party, signedFetch } from "../../support/SignedFetch.ts"
import { manifest } from "./Inspections.ts"
import { walletOwners } from "./Wallets.ts"

export interface WalletBench extends RelayBench {
  readonly owner: Party
}

export const startWalletBench = async (manifests = [manifest]): Promise<WalletBench> => {
  const directory = await mkdtemp(join(tmpdir(), "wallets-"))
  const smartManifests = join(directory, "manifests.json")
  await writeFile(smartManifests, JSON.stringify({ manifests }))
  const bench = await startRelayBench({ settings: { smartManifests } })
  const stop = async () => {
    await bench.stop()
    await rm(directory, { recursive: true })
  }
  const [key] = walletOwners
  if (key === undefined) throw new Error("wallets have no owners")
  const owner = { key, chainId: 31_337, accountId: `eip155:31337:${key.address.toLowerCase()}` }
  await enroll(bench.service, owner)
  return { ...bench, owner, stop }
}

type Service = WalletBench["service"]

export const askWallets = (service: Service, party: Party, path: string, body?: unknown) =>
  body === undefined
    ? signedFetch(service, party, "GET", `/api/v1/smart-accounts/${path}`)
    : signedFetch(service, party, "POST", `/api/v1/smart-accounts/${path}`, { body })
