/** A browser and a service that knows the local chain's wallets of several owners. */
import { manifestFile } from "../../smartaccounts/support/WalletService.ts"
import type { startSandbox } from "../../support/Sandbox.ts"
import { type PageBench, startPageBench } from "./PageBench.ts"

export const startWalletPages = async (
  options: NonNullable<Parameters<typeof startSandbox>[0]> = {}
): Promise<PageBench> => {
  const { smartManifests, remove } = await manifestFile()
  const bench = await startPageBench({ ...options, settings: { smartManifests, ...options.settings } })
  const stop = async () => {
    await bench.stop()
    await remove()
  }
  return { ...bench, stop }
}
