/** A service whose only way to a local chain is a recording proxy. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert } from "vitest"
import type { SandboxManifest } from "../../sandbox/deploy.ts"
import type { SettingsShape } from "../../src/settings/Settings.ts"
import type { Anvil } from "./Anvil.ts"
import { enroll, newBot } from "./Bots.ts"
import { type RecordingProxy, startRecordingProxy } from "./RecordingProxy.ts"
import { startRecovering } from "./Recovering.ts"
import { rpc } from "./Rpc.ts"
import { chainSettings } from "./Sandbox.ts"
import { startSandboxChain } from "./SandboxChain.ts"
import { type RunningService, type ServiceOptions, startService } from "./Service.ts"
import { newOwner, type Party } from "./SignedFetch.ts"

export interface RelayBench {
  readonly service: RunningService
  readonly chain: Anvil
  readonly proxy: RecordingProxy
  readonly manifest: SandboxManifest
  readonly overlay: string
  /** With settings of its own in place of the bench's. */
  readonly replica: (
    own?: Partial<SettingsShape>,
    options?: Pick<ServiceOptions, "clock" | "databaseUrl">
  ) => Promise<RunningService>
  readonly stop: () => Promise<void>
}

interface BenchOptions extends ServiceOptions {
  /** In place of one without a bundler. */
  readonly startChain?: typeof startSandboxChain
  /** What follows from the chain that the bench has, such as whom else it stands beside. */
  readonly settingsOn?: (chainUrl: string, manifest: SandboxManifest) => Promise<Partial<SettingsShape>>
  /** Whether what was admitted is looked after, also while nobody asks. */
  readonly recovers?: boolean
}

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 1e6 }

export const startRelayBench = async ({
  startChain = startSandboxChain,
  settingsOn,
  recovers = false,
  ...options
}: BenchOptions = {}): Promise<RelayBench> => {
  const chain = await startChain()
  const { manifest } = chain
  const directory = await mkdtemp(join(tmpdir(), "relay-"))
  const overlay = join(directory, "deployments.json")
  await writeFile(overlay, JSON.stringify(manifest))
  const proxy = await startRecordingProxy({ upstream: chain.url })
  const log = { level: "error", format: "json" } as const
  const own = { ...options.settings, ...(await settingsOn?.(chain.url, manifest)) }
  const settings = { chains: chainSettings(proxy.url), quotas, log, ...own }
  const service = await startService({ ...options, overlays: [overlay], settings })
  const recovering = recovers ? await startRecovering(service, [overlay], settings) : undefined
  const { databaseUrl, audience } = service
  const replica: RelayBench["replica"] = (own = {}, options = {}) =>
    startService({
      overlays: [overlay],
      databaseUrl,
      settings: { ...settings, audience, ...own },
      ...options
    })
  const stop = async () => {
    await recovering?.()
    await service.stop()
    await proxy.stop()
    await chain.stop()
    await rm(directory, { recursive: true })
  }
  return { service, chain, proxy, manifest, overlay, replica, stop }
}

export const mine = async ({ chain }: Pick<RelayBench, "chain">, blocks = 2): Promise<void> => {
  await rpc(chain.url, "anvil_mine", [`0x${blocks.toString(16)}`])
}

/** A new enrolled owner whose wallet can pay. */
export const newPayer = async ({ service, chain }: Pick<RelayBench, "service" | "chain">): Promise<Party> => {
  const owner = newOwner()
  await rpc(chain.url, "anvil_setBalance", [owner.key.address, `0x${(10n ** 21n).toString(16)}`])
  assert.strictEqual((await enroll(service, owner)).status, 200)
  return owner
}

export const newRelayBot = ({ service }: Pick<RelayBench, "service">, owner: Party) =>
  newBot(service, owner, { scopes: ["read", "plan", "relay"] })

/** How often exactly these bytes left. */
export const timesSent = ({ proxy }: Pick<RelayBench, "proxy">, raw: string): number =>
  proxy.sent().filter(sent => sent.raw.bytes === raw).length
