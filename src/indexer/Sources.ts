/** The configured sources, each with what it lacks and whether it works. */
import { Deferred, Duration, Effect, Exit, Option, Queue, type Scope } from "effect"
import { Settings } from "../settings/Settings.ts"
import { steadyMillis } from "../values/SteadyClock.ts"
import { SCHEMA_QUESTION } from "./Document.ts"
import type { Network } from "./IndexerSchemas.ts"
import { lackingFrom } from "./Introspection.ts"
import { isSameLack, LACKS_NOTHING, type Lacking } from "./Lacking.ts"
import { NotConfigured, QuestionRefused } from "./refusals.ts"
import { type Ask, asking, isOfQuestionAlone } from "./Source.ts"
import { makeHealth } from "./SourceHealth.ts"
import { measured } from "./SourceMetrics.ts"
import { makeTransport } from "./Transport.ts"

export interface SeenSource {
  readonly lacking: Lacking
  readonly answered: boolean
  /** Rises with every difference. */
  readonly edition: number
}

export interface IndexSource {
  readonly ask: Ask
  /** Waits for the first look only. */
  readonly lacking: Effect.Effect<Lacking>
  /** What the latest look found. */
  readonly seen: () => SeenSource
  /** Whether it works, by the latest questions or by a probe. */
  readonly answers: Effect.Effect<boolean>
}

export interface Sources {
  readonly configured: ReadonlyMap<Network, IndexSource>
  readonly of: (network: Network) => Effect.Effect<IndexSource, NotConfigured>
}

const LOOK_EVERY = Duration.minutes(10)
/** A source that did not answer is looked at again sooner. */
const LOOK_AGAIN = Duration.seconds(15)
/** A look that a refused question urged and that found nothing new is not soon urged again. */
const URGED_AGAIN_MILLIS = 60_000

const after = (seen: SeenSource, found: Option.Option<Lacking>): SeenSource => {
  if (Option.isNone(found)) return { ...seen, answered: false }
  const isSame = isSameLack(found.value, seen.lacking)
  return { lacking: found.value, answered: true, edition: seen.edition + (isSame ? 0 : 1) }
}

/** A source that answers but does not describe itself lacks what it was known to lack. */
const described = (ask: Ask, known: () => SeenSource) =>
  Effect.map(ask(SCHEMA_QUESTION), ({ data }) => lackingFrom(data)).pipe(
    Effect.catchIf(isOfQuestionAlone, () => Effect.sync(() => Option.some(known().lacking)))
  )

/** Looks at what the source serves: at start, from time to time, and at once where it did not take a question. */
const makeLooking = Effect.fnUntraced(function* (ask: Ask) {
  const looked = yield* Deferred.make<void>()
  const refused = yield* Queue.dropping<void>(1)
  let seen: SeenSource = { lacking: LACKS_NOTHING, answered: false, edition: 0 }
  let isUrged = false
  let notBefore = Number.NEGATIVE_INFINITY
  const clock = yield* Effect.clock
  /** Whatever a source says of itself, those who wait for the first look go on. */
  const look = Effect.exit(described(ask, () => seen))
  const round = Effect.gen(function* () {
    const { edition } = seen
    seen = after(seen, Exit.getOrElse(yield* look, Option.none))
    if (isUrged && seen.edition === edition) notBefore = steadyMillis(clock) + URGED_AGAIN_MILLIS
    yield* Deferred.succeed(looked, undefined)
    const pause = Effect.as(Effect.sleep(seen.answered ? LOOK_EVERY : LOOK_AGAIN), false)
    isUrged = yield* Effect.raceFirst(pause, Effect.as(Queue.take(refused), true))
  })
  yield* Effect.forkScoped(Effect.forever(round))
  const urge = Effect.suspend(() =>
    steadyMillis(clock) < notBefore ? Effect.void : Queue.offer(refused, undefined)
  )
  return { urge, seen: () => seen, lacking: Effect.map(Deferred.await(looked), () => seen.lacking) }
})

const makeSource = (ask: Ask): Effect.Effect<IndexSource, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { heard, answers } = makeHealth(ask)
    const { urge, seen, lacking } = yield* makeLooking(heard)
    return {
      ask: question =>
        Effect.tapError(heard(question), refusal =>
          refusal instanceof QuestionRefused ? urge : Effect.void
        ),
      lacking,
      seen,
      answers
    }
  })

export const makeSources: Effect.Effect<Sources, never, Scope.Scope | Settings> = Effect.gen(function* () {
  const { indexer } = yield* Settings
  const urls = [
    ["mainnet", indexer.mainnetUrl],
    ["testnet", indexer.testnetUrl]
  ] as const
  const configured = new Map<Network, IndexSource>()
  for (const [network, url] of urls) {
    if (url === undefined) continue
    const transport = yield* makeTransport(url, indexer.headers)
    configured.set(network, yield* makeSource(measured(network, asking(transport))))
  }
  return {
    configured,
    of: network => {
      const source = configured.get(network)
      return source === undefined
        ? new NotConfigured({ context: { network, configured: [...configured.keys()] } })
        : Effect.succeed(source)
    }
  }
})
