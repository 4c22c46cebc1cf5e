/** What wallets act through beside a chain: their contracts, and a bundler behind a proxy that keeps what it was asked to carry. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { installedCodes } from "../../../sandbox/execution/Packages.ts"
import { placeStack } from "../../../sandbox/execution/place.ts"
import { startBundler } from "../../bundler/support/Bundler.ts"
import { type ProxyFault, startRecordingProxy } from "../../support/RecordingProxy.ts"

export interface Operating {
  /** What the bundler was asked to carry, oldest first. */
  readonly sent: () => ReadonlyArray<unknown>
  readonly fault: (fault: ProxyFault) => void
  /** The service's environment variables. */
  readonly settings: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

export const startOperating = async (rpcUrl: string, directory: string): Promise<Operating> => {
  const codes = installedCodes()
  if (codes === undefined)
    throw new Error('The contracts of smart accounts are not installed: run "npm install".')
  await placeStack(rpcUrl, codes)
  const bundler = await startBundler(rpcUrl)
  const proxy = await startRecordingProxy({ upstream: bundler.url })
  const manifests = join(directory, "manifests.json")
  await writeFile(manifests, JSON.stringify({ manifests: [localManifest()] }))
  return {
    sent: () => proxy.records.flatMap(({ operation }) => (operation === undefined ? [] : [operation])),
    fault: proxy.fault,
    settings: { SERVICE_SMART_MANIFESTS: manifests, SERVICE_BUNDLER_31337: proxy.url },
    stop: async () => {
      await proxy.stop()
      await bundler.stop()
    }
  }
}
