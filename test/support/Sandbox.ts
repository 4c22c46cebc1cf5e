/** A service over a local chain with the sandbox contracts, for tests of plans and the relay. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { developmentKey } from "../../sandbox/DevelopmentAccounts.ts"
import type { SandboxManifest } from "../../sandbox/deploy.ts"
import { placePayments } from "../../sandbox/provider/Payments.ts"
import { runProvider } from "../../sandbox/provider/Run.ts"
import { startBundledChain } from "../bundler/support/Bundler.ts"
import { recordedBundler } from "../bundler/support/Recorded.ts"
import type { Anvil } from "./Anvil.ts"
import { nativeKey } from "./NativeKey.ts"
import type { RecordingProxy } from "./RecordingProxy.ts"
import { startRecovering } from "./Recovering.ts"
import { startSandboxChain } from "./SandboxChain.ts"
import { type RunningService, type ServiceOptions, startService } from "./Service.ts"
import { testSettings } from "./Settings.ts"
import type { Party } from "./SignedFetch.ts"

export interface Sandbox {
  readonly service: RunningService
  readonly chain: Anvil
  readonly manifest: SandboxManifest
  readonly overlay: string
  /** Between the service and the bundler, where there is one. */
  readonly bundling: RecordingProxy | undefined
  readonly stop: () => Promise<void>
}

export const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

/** The wallet of an account of the local chain, which the chain has funded. */
export const fundedOwner = (index: number, chainId = 31337): Party => {
  const key = nativeKey(developmentKey(index))
  return { key, chainId, accountId: `eip155:${chainId}:${key.address.toLowerCase()}` }
}

export const contractId = (manifest: SandboxManifest, name: string): string =>
  manifest.deployments.find(deployment => deployment.contractId.endsWith(`:${name}`))?.contractId ?? ""

export const chainSettings = (url: string, confirmations = 2) => [
  { chainId: 31337, urls: [Redacted.make(url)], confirmations }
]

/** The reference provider, in this process. */
const provider = async (rpcUrl: string, directory: string) => {
  const pin = await placePayments(rpcUrl)
  const file = join(directory, "bundles")
  const { url, stop } = await runProvider({ rpcUrl, file, token: undefined, port: 0, report: () => {} })
  const { sponsorship } = testSettings()
  const payments = [{ chainId: 31337, ...pin }]
  return { sponsorship: { ...sponsorship, providerUrl: Redacted.make(url), payments }, stop }
}

export const startSandbox = async (
  options: ServiceOptions & {
    readonly rpcUrl?: string
    readonly confirmations?: number
    /** Whether it has a prepaid provider. */
    readonly sponsored?: boolean
    /** Whether wallets act on it, whose operations are looked after. */
    readonly bundled?: boolean
  } = {}
): Promise<Sandbox> => {
  const isBundled = options.bundled === true
  const chain = await (isBundled ? startBundledChain() : startSandboxChain())
  const { manifest } = chain
  const directory = await mkdtemp(join(tmpdir(), "sandbox-"))
  const provided = options.sponsored === true ? await provider(chain.url, directory) : undefined
  const bundled = isBundled ? await recordedBundler(chain.url, directory) : undefined
  const overlay = join(directory, "deployments.json")
  await writeFile(overlay, JSON.stringify(manifest))
  const settings = {
    chains: chainSettings(options.rpcUrl ?? chain.url, options.confirmations),
    ...(provided && { sponsorship: provided.sponsorship }),
    ...bundled?.settings,
    ...options.settings
  }
  const service = await startService({ ...options, overlays: [overlay], settings })
  const rest = bundled && (await startRecovering(service, [overlay], settings))
  const stop = async () => {
    await rest?.()
    await service.stop()
    await provided?.stop()
    await bundled?.stop()
    await chain.stop()
    await rm(directory, { recursive: true })
  }
  return { service, chain, manifest, overlay, bundling: bundled?.bundling, stop }
}
