/** A local chain of this service alone, with the sandbox contracts deployed once and everything kept between starts. */
import { Effect, Schedule, type Scope } from "effect"
import { inDataDirectory, made } from "../settings/DataDirectory.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { anvilBinary } from "./Binaries.ts"
import { type Ending, launched } from "./BoundProcess.ts"
import { chainGate } from "./ChainGate.ts"
import { dumpState } from "./ChainRpc.ts"
import { type ChainFiles, chainFiles, saveFile, settledState } from "./ChainState.ts"
import { hiddenAddress } from "./HiddenAddress.ts"
import { mining } from "./Mining.ts"
import { freed } from "./Owner.ts"

const EMBEDDED_CHAIN_ID = 31337

/** Puts the sandbox contracts on the chain, or finds them there, and answers with what is where. */
export type DeploySandbox<Manifest> = (rpcUrl: string) => Promise<Manifest>

export interface EmbeddedChainHandle<Manifest> {
  readonly url: string
  readonly chainId: typeof EMBEDDED_CHAIN_ID
  readonly manifest: Manifest
  /** Succeeds with the reason when the chain ends by itself. */
  readonly ended: Effect.Effect<Ending>
}

/** Blocks whose state can still be read; kept in memory, where each costs what changed in it and more. */
const READABLE_STATES = "256"

const serving = Effect.fn("EmbeddedChain.serving")(function* (files: ChainFiles) {
  const binary = yield* anvilBinary()
  const host = yield* Effect.promise(hiddenAddress)
  const load = (yield* settledState(files)) ? ["--load-state", files.state] : []
  const chain = yield* launched({
    name: "The local chain",
    command: [
      binary,
      ...["--host", host, "--no-cors", "--port", "0", "--chain-id", String(EMBEDDED_CHAIN_ID)],
      ...["--prune-history", READABLE_STATES, "--color", "never"],
      ...load,
      ...["--dump-state", files.draft]
    ],
    directory: files.directory,
    account: undefined,
    stop: "SIGTERM",
    force: "SIGKILL"
  })
  yield* saveFile(files, files.pid, String(chain.pid))
  const [, address = ""] = yield* chain.line(/^Listening on (\S+)/)
  return { url: `http://${address}`, ended: chain.ended }
})

const saved = (files: ChainFiles, url: string): Effect.Effect<void, StartFailure> =>
  dumpState(url).pipe(
    Effect.catchTag(
      "ChainCallFailed",
      ({ method }) => new StartFailure({ message: `The local chain did not answer ${method}.` })
    ),
    Effect.flatMap(text => saveFile(files, files.state, text))
  )

const SAVE_EVERY = "10 seconds"

/** Bounds what is lost when the chain is killed before it can write its state. */
const saving = (files: ChainFiles, url: string): Effect.Effect<void, never, Scope.Scope> =>
  saved(files, url).pipe(
    Effect.catchTag("StartFailure", ({ message }) => Effect.logWarning(message)),
    Effect.schedule(Schedule.spaced(SAVE_EVERY)),
    Effect.forkScoped,
    Effect.asVoid
  )

const sentenceOf = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).replace(/\.?$/, ".")

const deployed = <Manifest>(files: ChainFiles, url: string, deploy: DeploySandbox<Manifest>) =>
  Effect.tryPromise({
    try: () => deploy(url),
    catch: cause =>
      new StartFailure({
        message: `The sandbox contracts could not be deployed: ${sentenceOf(cause)} The local chain is kept in ${files.directory}; without it the next start makes a fresh one.`
      })
  }).pipe(Effect.zipLeft(saved(files, url)))

const start = <Manifest>(
  dataDirectory: string,
  deploy: DeploySandbox<Manifest>,
  port?: number
): Effect.Effect<EmbeddedChainHandle<Manifest>, StartFailure, Scope.Scope> =>
  Effect.gen(function* () {
    const files = chainFiles(dataDirectory)
    yield* inDataDirectory(dataDirectory, () => made(files.directory))
    yield* freed({ name: "The local chain", pidFile: files.pid, mark: files.draft })
    const { url: hidden, ended } = yield* serving(files)
    const url = yield* chainGate(hidden, port)
    const manifest = yield* deployed(files, url, deploy)
    yield* saving(files, hidden)
    yield* mining(hidden)
    return { url, chainId: EMBEDDED_CHAIN_ID, manifest, ended } as const
  }).pipe(Effect.withSpan("EmbeddedChain.start"))

export const EmbeddedChain = { start } as const
