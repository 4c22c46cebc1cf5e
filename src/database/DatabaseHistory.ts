/** Notices a database that lost what was committed in it, as by a restore that nobody marked: each process counts on there, and remembers how far it got. */
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Metric, Option, Schedule, Schema } from "effect"
import { Settings } from "../settings/Settings.ts"
import { atScrape } from "../telemetry/AtScrape.ts"

/** What is lost within less is seen by nobody. */
const BEAT = "10 seconds"

const Known = Schema.Struct({
  id: Schema.String,
  beats: Schema.Number,
  /** Milliseconds, of the last mark of a restore. */
  restoredAt: Schema.NullOr(Schema.Number)
})

export type KnownHistory = typeof Known.Type

interface Found extends KnownHistory {
  readonly behindSince: number | null
}

/** Whether less is there than was known, and no mark tells of a restore since. */
export const wentBack = (known: KnownHistory, found: KnownHistory): boolean =>
  (found.restoredAt ?? 0) <= (known.restoredAt ?? 0) && (found.id !== known.id || found.beats <= known.beats)

const beating = (sql: SqlClient.SqlClient) => sql<Found>`
  UPDATE history SET beats = beats + 1
  RETURNING id, beats, behind_since AS "behindSince", (SELECT max(restored_at) FROM restorations) AS "restoredAt"`

const noting = (sql: SqlClient.SqlClient) => sql<Pick<Found, "behindSince">>`
  UPDATE history SET behind_since = (SELECT unix_millis()) RETURNING behind_since AS "behindSince"`

const fileIn = (dataDirectory: string): string => join(dataDirectory, "history.json")

const decode = Schema.decodeUnknownOption(Schema.parseJson(Known))

/** What a process that served with this directory knew; processes may share it. */
const remembered = (dataDirectory: string) =>
  Effect.promise(() =>
    readFile(fileIn(dataDirectory), "utf8").then(decode, () => Option.none<KnownHistory>())
  )

/** Where the directory is not kept, a process that starts anew knows nothing of before. */
const remember = (dataDirectory: string, { id, beats, restoredAt }: KnownHistory) =>
  Effect.ignore(
    Effect.tryPromise(async () => {
      const file = fileIn(dataDirectory)
      const draft = `${file}.${process.pid}`
      await writeFile(draft, JSON.stringify({ id, beats, restoredAt }), { mode: 0o600 })
      await rename(draft, file)
    })
  )

const behindMetric = Metric.gauge("service_database_behind", {
  description:
    "1 where the database lacks what was committed in it, and no mark of a restore says so; else 0."
})

const isUnmarked = ({ behindSince, restoredAt }: Found): boolean =>
  behindSince !== null && (restoredAt ?? 0) < behindSince

const LOST =
  "the database lacks what was committed in it: stop every process of the service, and mark the restore by service doctor --restored --mark before any starts"

interface State {
  known: KnownHistory | undefined
  isBehind: boolean
}

/** Gives the effect that counts on, and compares what it finds with what was known. */
const makeBeat = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { dataDirectory } = yield* Settings
  const kept = Option.getOrUndefined(yield* remembered(dataDirectory))
  const state: State = { known: undefined, isBehind: false }

  const tell = (isBehind: boolean) => {
    const isNews = isBehind && !state.isBehind
    state.isBehind = isBehind
    return isNews ? Effect.logError(LOST) : Effect.void
  }

  /** What was kept of another database tells nothing of this one. */
  const knownBefore = ({ id }: Found) => state.known ?? (kept?.id === id ? kept : undefined)

  const beat = Effect.gen(function* () {
    const [found] = yield* beating(sql)
    if (found === undefined) return
    const known = knownBefore(found)
    const isLost = known !== undefined && wentBack(known, found)
    const [noted = found] = isLost ? yield* noting(sql) : []
    state.known = found
    yield* tell(isUnmarked({ ...found, ...noted }))
    yield* remember(dataDirectory, found)
  })
  return { state, beat: Effect.ignore(beat) }
})

export class DatabaseHistory extends Context.Tag("database/DatabaseHistory")<
  DatabaseHistory,
  {
    /** Whether the database lacks what some process knew in it, and no mark says that it was restored. */
    readonly isBehind: Effect.Effect<boolean>
  }
>() {
  static readonly layer = Layer.scoped(
    DatabaseHistory,
    Effect.gen(function* () {
      const { state, beat } = yield* makeBeat
      yield* atScrape(() => behindMetric.unsafeUpdate(state.isBehind ? 1 : 0, []))
      yield* beat
      yield* beat.pipe(Effect.schedule(Schedule.spaced(BEAT)), Effect.forkScoped)
      return { isBehind: Effect.sync(() => state.isBehind) }
    })
  )
}
