/** The indexer room alone, over sources of the test's own. */
import { type Clock, Effect, Exit, Layer, ManagedRuntime, Redacted } from "effect"
import { Indexer, type IndexerShape } from "../../../src/indexer/Indexer.ts"
import { CursorSigner } from "../../../src/settings/CursorSigner.ts"
import { Settings } from "../../../src/settings/Settings.ts"
import { type AnyRefusal, isRefusal } from "../../../src/values/Refusal.ts"
import { testSettings } from "../../support/Settings.ts"

interface ReaderOptions {
  readonly mainnet?: string
  readonly testnet?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly localChains?: ReadonlyArray<number>
  readonly clock?: Clock.Clock
  /** The one in use and the one before it. */
  readonly secrets?: readonly [string, string?]
}

export interface Reader {
  readonly indexer: IndexerShape
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  /** The refusal that the effect ends with. */
  readonly refused: <A>(effect: Effect.Effect<A, AnyRefusal>) => Promise<AnyRefusal>
  readonly stop: () => Promise<void>
}

const secret = (url: string | undefined) => (url === undefined ? undefined : Redacted.make(url))

export const startReader = async (options: ReaderOptions): Promise<Reader> => {
  const { mainnet, testnet, headers = {}, localChains = [], clock, secrets } = options
  const settings = testSettings({
    indexer: { mainnetUrl: secret(mainnet), testnetUrl: secret(testnet), headers: Redacted.make(headers) },
    ...(secrets !== undefined && {
      reviewSecret: Redacted.make(secrets[0]),
      previousReviewSecret: secret(secrets[1])
    })
  })
  const runtime = ManagedRuntime.make(
    Indexer.layer({ directory: "schema/indexer", localChains }).pipe(
      Layer.provide(CursorSigner.layer),
      Layer.provide(Layer.succeed(Settings, settings)),
      Layer.provide(clock === undefined ? Layer.empty : Layer.setClock(clock))
    )
  )
  const indexer = await runtime.runPromise(Indexer)
  return {
    indexer,
    run: effect => runtime.runPromise(effect),
    refused: async effect => {
      const exit = await runtime.runPromise(Effect.exit(Effect.flip(effect)))
      if (Exit.isSuccess(exit) && isRefusal(exit.value)) return exit.value
      throw new Error(`it was not refused: ${JSON.stringify(exit).slice(0, 2000)}`)
    },
    stop: () => runtime.dispose()
  }
}
