/** What the wallets of a local chain act through, as `npm start` brings it: the manifest, the paymaster, and the real bundler behind a recording proxy. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Redacted } from "effect"
import { localManifest } from "../../../sandbox/execution/Manifest.ts"
import { startRecordingProxy } from "../../support/RecordingProxy.ts"
import { testSettings } from "../../support/Settings.ts"
import { startBundler } from "./Bundler.ts"

export const recordedBundler = async (rpcUrl: string, directory: string) => {
  const bundler = await startBundler(rpcUrl)
  const bundling = await startRecordingProxy({ upstream: bundler.url })
  const smartManifests = join(directory, "manifests.json")
  await writeFile(smartManifests, JSON.stringify({ manifests: [localManifest()] }))
  const paymaster = { url: Redacted.make(bundler.paymasterUrl), context: Redacted.make({}) }
  const userOperations = {
    ...testSettings().userOperations,
    bundlers: [{ chainId: 31_337, urls: [Redacted.make(bundling.url)] }],
    paymasters: [{ chainId: 31_337, ...paymaster }]
  }
  const stop = async () => {
    await bundling.stop()
    await bundler.stop()
  }
  return { settings: { smartManifests, userOperations }, bundling, stop }
}
