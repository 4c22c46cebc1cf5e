/** The whole process: settings, embedded parts and the service, until it is told to stop. */
import { DateTime, Effect, Layer, Redacted } from "effect"
import { Settings, type SettingsShape } from "../settings/Settings.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { toldToThisMachine } from "../settings/TellRunning.ts"
import { effectLogger } from "../telemetry/EffectLogger.ts"
import { LogSink } from "../telemetry/LogSink.ts"
import { embedded } from "./Embedded.ts"
import { makeProcesses, serveOpsOfAll } from "./processes/OpsFront.ts"
import { supervised } from "./processes/Supervisor.ts"
import { banner, type Ready, readyLine, urlAt } from "./Ready.ts"

const announce = Effect.fn("Program.announce")(function* (ready: Ready) {
  const now = DateTime.formatIso(yield* DateTime.now)
  const text = process.stdout.isTTY ? banner(ready) : readyLine(ready, now)
  process.stdout.write(`${text}\n`)
})

const LOCAL = ["localhost", "127.0.0.1", "[::1]"]

/** By its public name, where that leads to this listener too. */
const urlHere = ({ audience, host, port }: SettingsShape): string => {
  if (LOCAL.some(name => audience === `http://${name}:${port}`)) return audience
  return urlAt(host, port)
}

/** Parts log before there are the service's own services. */
const early = Layer.provide(effectLogger, LogSink.layer)

/** In processes of their own, of which this one is the supervisor. */
const serving = Effect.fn("Program.serving")(function* (settings: SettingsShape) {
  const own = yield* Settings
  const token = own.metricsToken === undefined ? undefined : Redacted.value(own.metricsToken)
  const { processes, answer } = makeProcesses(own.processes, token)
  yield* supervised(own, settings, processes)
  yield* serveOpsOfAll(answer)
})

/** A single process ends with its terminal, in order; a supervisor takes the signal for another thing. */
const endedByTerminal = Effect.acquireRelease(
  Effect.sync(() => {
    const end = () => void process.emit("SIGTERM")
    process.on("SIGHUP", end)
    return end
  }),
  end => Effect.sync(() => process.off("SIGHUP", end))
)

const alone = <A, E>(service: Layer.Layer<A, E, Settings>, settings: SettingsShape) =>
  Effect.zipRight(endedByTerminal, Layer.build(Layer.provide(service, Layer.succeed(Settings, settings))))

/** Succeeds never: it ends by interruption, or fails when an embedded part ends by itself. */
export const program = <A, E>(service: Layer.Layer<A, E, Settings>) =>
  Effect.gen(function* () {
    const ready = yield* Effect.provide(embedded(yield* Settings), early)
    const { settings, rpcUrl, providerUrl, bundlerUrl, paymasterUrl, later, ended } = ready
    yield* settings.processes === 1 ? alone(service, settings) : Effect.provide(serving(settings), early)
    yield* toldToThisMachine(settings.dataDirectory, {
      pid: process.pid,
      url: urlHere(settings),
      ...(rpcUrl !== undefined && { rpc: rpcUrl }),
      ...(providerUrl !== undefined && { provider: providerUrl }),
      ...(bundlerUrl !== undefined && { bundler: bundlerUrl }),
      ...(paymasterUrl !== undefined && { paymaster: paymasterUrl })
    })
    yield* announce(ready)
    yield* Effect.provide(later, early)
    const { sentence } = yield* ended
    return yield* new StartFailure({ message: sentence })
  }).pipe(Effect.scoped, Effect.provide(Settings.layer))
