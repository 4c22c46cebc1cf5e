/** A process that holds embedded servers until it is killed, for tests that kill it. */
import { Effect, Redacted } from "effect"
import { deploySandbox } from "../../sandbox/deploy.ts"
import { EmbeddedChain } from "../../src/embedded/Chain.ts"
import { EmbeddedPostgres } from "../../src/embedded/Postgres.ts"

const [, , kind, directory = "", elsewhere = ""] = process.argv

const started =
  kind === "chain"
    ? EmbeddedChain.start(directory, deploySandbox)
    : Effect.map(EmbeddedPostgres.start(directory, { elsewhere }), ({ url, ...rest }) => ({
        url: Redacted.value(url),
        ...rest
      }))

const held = started.pipe(
  Effect.tap(({ ended, ...told }) => Effect.sync(() => console.log(JSON.stringify(told)))),
  Effect.zipRight(Effect.never),
  Effect.scoped,
  Effect.catchTag("StartFailure", ({ message }) => Effect.sync(() => console.log(JSON.stringify({ message }))))
)

const fiber = Effect.runFork(held)
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => Effect.runFork(fiber.interruptAsFork(fiber.id())))
