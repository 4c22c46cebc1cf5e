/** Runs a service as this process, for people who start and stop it. */
import cluster from "node:cluster"
import { setFlagsFromString } from "node:v8"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, type Layer, Logger } from "effect"
import type { Settings } from "../settings/Settings.ts"
import { help } from "./Arguments.ts"
import { program } from "./Program.ts"
import { memberProgram } from "./processes/MemberProgram.ts"
import { startSentence } from "./StartSentence.ts"

const tell = (sentence: string) =>
  Effect.sync(() => {
    process.stderr.write(`${sentence}\n`)
    process.exitCode = 1
    /** What its supervisor could still say would keep it alive. */
    cluster.worker?.disconnect()
  })

const forPeople = Logger.replace(Logger.defaultLogger, Logger.prettyLogger({ stderr: true }))

/** Faults of ours are for people: standard output has the lines of the log alone. */
const reported = <A, E>(run: Effect.Effect<A, E>) =>
  Effect.tapErrorCause(run, cause =>
    Cause.isInterruptedOnly(cause) ? Effect.void : Effect.provide(Effect.logError(cause), forPeople)
  )

export const runService = <A, E>(service: Layer.Layer<A, E, Settings>): void => {
  if (process.argv.includes("--help")) return void process.stdout.write(help())
  /** V8 collects the whole of a slowly growing heap after a tenth of growth: twice its size takes as much memory as load does, and the pauses rarely come. */
  setFlagsFromString("--heap-growing-percent=100")
  /** npm passes a terminal's signal on a second time; an orderly stop must not die of it. */
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => {})
  /** Where nobody reads its lines any more, or can keep them, the service goes on without them. */
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})
  const run = Effect.catchAll(cluster.isWorker ? memberProgram(service) : program(service), failure => {
    const sentence = startSentence(failure)
    return sentence === undefined ? Effect.fail(failure) : tell(sentence)
  })
  NodeRuntime.runMain(reported(run), { disableErrorReporting: true, disablePrettyLogger: true })
}
