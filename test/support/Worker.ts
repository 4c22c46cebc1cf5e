/** A replica that serves nobody: what its workers do can be had done once. */
import { Layer, ManagedRuntime, Redacted } from "effect"
import { services } from "../../src/main/Services.ts"
import { Settings, type SettingsShape } from "../../src/settings/Settings.ts"
import type { RelayBench } from "./RelayBench.ts"
import { chainSettings } from "./Sandbox.ts"
import { testSettings } from "./Settings.ts"

export const workerOf = ({ service, proxy, overlay }: RelayBench, own: Partial<SettingsShape> = {}) => {
  const settings = testSettings({
    databaseUrl: Redacted.make(service.databaseUrl),
    chains: chainSettings(proxy.url),
    log: { level: "error", format: "json" },
    ...own
  })
  return ManagedRuntime.make(Layer.provideMerge(services([overlay]), Layer.succeed(Settings, settings)))
}
