/** The whole process: settings, embedded parts, services, listeners and workers, until it is told to stop. */
import { Effect, Layer } from "effect"
import { nonceCleanup } from "../accounts/NonceCleanup.ts"
import { recoveryWorker } from "../dispatch/Recovery.ts"
import { serveOps } from "../http/Ops.ts"
import { routes } from "../http/Routes.ts"
import { serve } from "../http/Server.ts"
import { deploymentWatch } from "../intents/WatchDeployments.ts"
import { archiveWorker } from "../plans/Archive.ts"
import { Settings, type SettingsShape } from "../settings/Settings.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { engine, linesOf } from "../signatures/Recover.ts"
import { embedded } from "./Embedded.ts"
import { services } from "./Services.ts"

const announce = (settings: SettingsShape, parts: ReadonlyArray<string>) => {
  const chains = settings.chains.map(({ chainId }) => chainId).join(", ")
  const lines = [
    "The service is ready.",
    `api         ${settings.audience}/api/v1`,
    `docs        ${settings.audience}/docs`,
    `operators   http://${settings.host}:${settings.opsPort}/readyz and /metrics`,
    `chains      ${chains}`,
    ...linesOf(engine),
    ...parts
  ]
  return Effect.sync(() => process.stdout.write(`${lines.join("\n  ")}\n`))
}

const running = (overlays: ReadonlyArray<string>) =>
  Layer.mergeAll(
    Layer.scopedDiscard(serve(routes)),
    Layer.scopedDiscard(serveOps),
    recoveryWorker,
    nonceCleanup,
    archiveWorker,
    deploymentWatch
  ).pipe(Layer.provide(services(overlays)))

/** Succeeds never: it ends by interruption, or fails when an embedded part ends by itself. */
export const program = Effect.gen(function* () {
  const { settings, lines, ended } = yield* embedded(yield* Settings)
  const overlays = settings.sandboxManifest === undefined ? [] : [settings.sandboxManifest]
  yield* Layer.build(Layer.provide(running(overlays), Layer.succeed(Settings, settings)))
  yield* announce(settings, lines)
  const { sentence } = yield* ended
  return yield* new StartFailure({ message: sentence })
}).pipe(Effect.scoped, Effect.provide(Settings.layer))
