/** A service that has the local chain's manifest, and an account of one of the wallets' owners. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SettingsShape } from "../../../src/settings/Settings.ts"
import type { SmartManifest } from "../../../src/smartaccounts/Manifest.ts"
import { enroll } from "../../support/Bots.ts"
import { type RelayBench, startRelayBench } from "../../support/RelayBench.ts"
import { type Party, signedFetch } from "../../support/SignedFetch.ts"
import { manifest } from "./Inspections.ts"
import { walletOwners } from "./Wallets.ts"

export interface WalletBench extends RelayBench {
  readonly owner: Party
}

/** A file of manifests, as operators name one. */
export const manifestFile = async (manifests: ReadonlyArray<SmartManifest> = [manifest]) => {
  const directory = await mkdtemp(join(tmpdir(), "wallets-"))
  const smartManifests = join(directory, "manifests.json")
  await writeFile(smartManifests, JSON.stringify({ manifests }))
  return { smartManifests, remove: () => rm(directory, { recursive: true }) }
}

/** The first of the wallets' owners, enrolled. */
export const enrolledOwner = async (service: RelayBench["service"]): Promise<Party> => {
  const [key] = walletOwners
  if (key === undefined) throw new Error("wallets have no owners")
  const owner = { key, chainId: 31_337, accountId: `eip155:31337:${key.address.toLowerCase()}` }
  await enroll(service, owner)
  return owner
}

export const startWalletBench = async (
  manifests: ReadonlyArray<SmartManifest> = [manifest],
  settings: Partial<SettingsShape> = {}
): Promise<WalletBench> => {
  const { smartManifests, remove } = await manifestFile(manifests)
  const bench = await startRelayBench({ settings: { ...settings, smartManifests } })
  const stop = async () => {
    await bench.stop()
    await remove()
  }
  return { ...bench, owner: await enrolledOwner(bench.service), stop }
}

type Service = WalletBench["service"]

export const askWallets = (service: Service, party: Party, path: string, body?: unknown) =>
  body === undefined
    ? signedFetch(service, party, "GET", `/api/v1/smart-accounts/${path}`)
    : signedFetch(service, party, "POST", `/api/v1/smart-accounts/${path}`, { body })
