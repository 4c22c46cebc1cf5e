/** The whole process: settings, embedded parts and the service, until it is told to stop. */
import { Effect, Layer } from "effect"
import { Settings, type SettingsShape } from "../settings/Settings.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { engine, linesOf } from "../signatures/Recover.ts"
import { embedded } from "./Embedded.ts"

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

/** Succeeds never: it ends by interruption, or fails when an embedded part ends by itself. */
export const program = <A, E>(service: Layer.Layer<A, E, Settings>) =>
  Effect.gen(function* () {
    const { settings, lines, ended } = yield* embedded(yield* Settings)
    yield* Layer.build(Layer.provide(service, Layer.succeed(Settings, settings)))
    yield* announce(settings, lines)
    const { sentence } = yield* ended
    return yield* new StartFailure({ message: sentence })
  }).pipe(Effect.scoped, Effect.provide(Settings.layer))
