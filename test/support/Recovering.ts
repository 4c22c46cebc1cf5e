/** What a service in this process leaves to the workers of a whole one: plans that were admitted are looked after. */
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { recoveryWorker } from "../../src/dispatch/Recovery.ts"
import { services } from "../../src/main/Services.ts"
import { Settings, type SettingsShape } from "../../src/settings/Settings.ts"
import type { RunningService } from "./Service.ts"
import { testSettings } from "./Settings.ts"

export const startRecovering = async (
  { databaseUrl }: RunningService,
  overlays: ReadonlyArray<string>,
  own: Partial<SettingsShape>
): Promise<() => Promise<void>> => {
  const log = { level: "error", format: "json" } as const
  const settings = testSettings({ databaseUrl: Redacted.make(databaseUrl), log, ...own })
  const runtime = ManagedRuntime.make(
    recoveryWorker.pipe(
      Layer.provideMerge(services(overlays)),
      Layer.provide(Layer.succeed(Settings, settings))
    )
  )
  await runtime.runPromise(Effect.void)
  return () => runtime.dispose()
}
