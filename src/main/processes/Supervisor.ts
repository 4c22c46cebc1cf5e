/** Keeps so many processes serving one port: starts them, starts anew what ended, and replaces them one by one when told to. */
import cluster from "node:cluster"
import { Effect, Option, Queue, type Scope } from "effect"
import type { SettingsShape } from "../../settings/Settings.ts"
import { StartFailure } from "../../settings/StartFailure.ts"
import { type MemberProcess, startMember } from "./MemberProcess.ts"
import { packed } from "./Packed.ts"

const STARTING = "120 seconds"
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000
/** Who lived so long was well: the next pause is the first one again. */
const WELL_MS = 60_000

export interface MemberPlace {
  readonly number: number
  /** Undefined while its process is started anew. */
  member: MemberProcess | undefined
  failures: number
  /** How many processes ended here by themselves or did not become ready, ever. */
  ended: number
}

export interface Processes {
  readonly places: ReadonlyArray<MemberPlace>
  /** Told when a process is about to end in order, while it still answers its operators. */
  readonly ending: (place: MemberPlace, member: MemberProcess) => Effect.Effect<void>
  /** Told when it is gone. */
  readonly ended: (place: MemberPlace, member: MemberProcess) => void
}

const notReady = new StartFailure({
  message: "A process of the service did not become ready; what it said of it stands above."
})

/** Stops what does not become ready. */
const started = (settings: unknown) =>
  Effect.flatMap(startMember(settings), member =>
    Effect.raceFirst(
      Effect.as(member.ready, Option.some(member)),
      Effect.as(Effect.raceFirst(member.ended, Effect.sleep(STARTING)), Option.none<MemberProcess>())
    ).pipe(
      Effect.onInterrupt(() => member.stop),
      Effect.flatten,
      Effect.tapError(() => member.stop),
      Effect.mapError(() => notReady)
    )
  )

const pauseAfter = (failures: number): number => Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures)

/** What differs from the settings of the environment, which each process reads by itself. */
const embeddedIn = (own: SettingsShape, settings: SettingsShape): unknown => {
  const known = new Map<string, unknown>(Object.entries(own))
  return packed(
    Object.fromEntries(Object.entries(settings).filter(([name, value]) => known.get(name) !== value))
  )
}

class Supervisor {
  readonly #settings: unknown
  readonly #processes: Processes
  /** One process starts at a time where another one serves. */
  readonly #starting = Effect.unsafeMakeSemaphore(1)
  /** Tells who waits for the end of a place's process that another one has the place. */
  readonly #overtaken = new Map<MemberPlace, () => void>()

  constructor(settings: unknown, processes: Processes) {
    this.#settings = settings
    this.#processes = processes
  }

  /** The first process of a place; it fails where that does not become ready. */
  fill(place: MemberPlace): Effect.Effect<void, StartFailure> {
    return Effect.mapBoth(started(this.#settings), {
      onFailure: failure => {
        place.ended += 1
        return failure
      },
      onSuccess: member => {
        place.member = member
        this.#overtaken.get(place)?.()
      }
    })
  }

  /** Starts anew what ends by itself, after a pause that grows with each time. */
  keep(place: MemberPlace): Effect.Effect<never> {
    return Effect.forever(
      Effect.suspend(() => {
        const { member } = place
        return member === undefined ? this.#revive(place) : this.#watch(place, member)
      })
    )
  }

  /** A former process takes its time to leave, and the fresh one is watched meanwhile. */
  #watch(place: MemberPlace, member: MemberProcess): Effect.Effect<void> {
    const overtaken = Effect.async<undefined>(resume => {
      const tell = () => resume(Effect.succeed(undefined))
      if (place.member === member) this.#overtaken.set(place, tell)
      else tell()
    })
    return Effect.flatMap(Effect.raceFirst(member.ended, overtaken), how => {
      if (place.member !== member) return Effect.void
      place.member = undefined
      place.ended += 1
      this.#processes.ended(place, member)
      place.failures = performance.now() - member.startedMillis > WELL_MS ? 0 : place.failures + 1
      return Effect.annotateLogs(Effect.logError("a process of the service ended and is started anew"), {
        process: place.number,
        how
      })
    })
  }

  #revive(place: MemberPlace): Effect.Effect<void> {
    return Effect.suspend(() => Effect.sleep(pauseAfter(place.failures))).pipe(
      Effect.zipRight(
        this.#starting.withPermits(1)(Effect.suspend(() => (place.member ? Effect.void : this.fill(place))))
      ),
      Effect.catchAll(({ message }) => {
        place.failures += 1
        return Effect.annotateLogs(Effect.logError(message), { process: place.number })
      })
    )
  }

  /** Nobody is refused meanwhile: a process leaves only once another one is ready, and takes its time over who is connected to it. */
  readonly replaceAll: Effect.Effect<void> = Effect.suspend(() =>
    Effect.forEach(this.#processes.places, place => this.#replace(place), { discard: true })
  ).pipe(
    Effect.zipRight(Effect.logInfo("every process of the service was replaced")),
    Effect.catchAll(({ message }) =>
      Effect.annotateLogs(Effect.logError("the processes that are left stay as they are"), { cause: message })
    )
  )

  #replace(place: MemberPlace): Effect.Effect<void, StartFailure> {
    const fresh = this.#starting.withPermits(1)(
      Effect.suspend(() => {
        const { member } = place
        return Effect.as(this.fill(place), member)
      })
    )
    return Effect.flatMap(fresh, former =>
      former === undefined
        ? Effect.void
        : former.replace.pipe(
            Effect.zipRight(this.#processes.ending(place, former)),
            Effect.zipRight(former.stop),
            Effect.ensuring(former.stop),
            Effect.map(() => this.#processes.ended(place, former))
          )
    )
  }
}

/** Each signal while processes are replaced has them all replaced once more. */
const replacingAtSignals = (replaceAll: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const asked = yield* Queue.sliding<void>(1)
    const ask = () => void asked.unsafeOffer(undefined)
    yield* Effect.acquireRelease(
      Effect.sync(() => process.on("SIGHUP", ask)),
      () => Effect.sync(() => process.off("SIGHUP", ask))
    )
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Queue.take(asked), replaceAll)))
  })

const stopAll = ({ places }: Processes) =>
  Effect.forEach(places, ({ member }) => member?.stop ?? Effect.void, {
    concurrency: "unbounded",
    discard: true
  })

/** Ready when all of them are; they stop with the scope. */
export const supervised = (
  own: SettingsShape,
  settings: SettingsShape,
  processes: Processes
): Effect.Effect<void, StartFailure, Scope.Scope> =>
  Effect.gen(function* () {
    cluster.setupPrimary({ serialization: "advanced" })
    const supervisor = new Supervisor(embeddedIn(own, settings), processes)
    yield* Effect.addFinalizer(() => stopAll(processes))
    yield* Effect.forEach(processes.places, place => supervisor.fill(place), {
      concurrency: "unbounded",
      discard: true
    })
    for (const place of processes.places) yield* Effect.forkScoped(supervisor.keep(place))
    yield* replacingAtSignals(supervisor.replaceAll)
  })
