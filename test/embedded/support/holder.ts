/** A process that holds one embedded part until it is killed, for tests that kill it. */
import { Console, Effect, Redacted } from "effect"
import { deploySandbox } from "../../../sandbox/deploy.ts"
import { launched } from "../../../src/embedded/BoundProcess.ts"
import { EmbeddedBundler } from "../../../src/embedded/Bundler.ts"
import { EmbeddedChain } from "../../../src/embedded/Chain.ts"
import { type GuardCommand, shellGuard, systemGuard } from "../../../src/embedded/Guard.ts"
import { EmbeddedPostgres } from "../../../src/embedded/Postgres.ts"
import { EmbeddedProvider } from "../../../src/embedded/Provider.ts"

const [, , kind, directory = "", program = ""] = process.argv

const sleeper = (guard: GuardCommand) =>
  Effect.gen(function* () {
    const child = yield* launched({
      name: "The sleeper",
      command: ["/bin/sh", "-c", "echo $$; exec sleep 1000"],
      directory: "/",
      account: undefined,
      stop: "SIGTERM",
      force: "SIGKILL",
      guard
    })
    const [pid] = yield* child.line(/^[0-9]+$/)
    return { pid: Number(pid) }
  })

const postgres = Effect.map(EmbeddedPostgres.start(directory), ({ url, data }) => ({
  url: Redacted.value(url),
  data
}))

const chain = Effect.map(EmbeddedChain.start(directory, deploySandbox), ({ url, manifest }) => ({
  url,
  deployments: manifest.deployments.length
}))

const provider = Effect.map(
  EmbeddedProvider.start({ dataDirectory: directory, rpcUrl: "http://127.0.0.1:9", program }),
  url => ({ url })
)

const bundler = Effect.gen(function* () {
  const place = { dataDirectory: directory, rpcUrl: "http://127.0.0.1:9", program }
  const { start, ...told } = yield* EmbeddedBundler.place(place)
  yield* start
  return told
})

const part = {
  postgres,
  chain,
  provider,
  bundler,
  system: sleeper(systemGuard()),
  shell: sleeper(shellGuard)
}[kind ?? ""]

const held = Effect.gen(function* () {
  if (part === undefined) return yield* Effect.dieMessage(`no part ${kind}`)
  yield* Console.log(JSON.stringify(yield* part))
  return yield* Effect.never
}).pipe(
  Effect.scoped,
  Effect.catchTag("StartFailure", ({ message }) => Console.log(JSON.stringify({ message })))
)

const fiber = Effect.runFork(held)
process.once("SIGTERM", () => Effect.runFork(fiber.interruptAsFork(fiber.id())))
