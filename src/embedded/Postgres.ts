/** A real PostgreSQL of this service alone, from the binaries that npm installed, on loopback with a password. */
import { randomBytes } from "node:crypto"
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { Effect, Redacted, type Scope } from "effect"
import { inDataDirectory, keptSecret } from "../settings/DataDirectory.ts"
import { StartFailure } from "../settings/StartFailure.ts"
import { postgresBinaries } from "./Binaries.ts"
import { type Ending, launched } from "./BoundProcess.ts"
import { freePort } from "./FreePort.ts"
import { freed } from "./Owner.ts"
import { handedOver, type LeftOver, type ProgramPlace, placed } from "./Place.ts"

const USER = "service"

export interface EmbeddedDatabase {
  readonly url: Redacted.Redacted<string>
  /** Where the database files are; elsewhere than in the data directory when root's directories hide it. */
  readonly data: string
  /** Databases that earlier starts as root placed elsewhere, whose data directories are gone. */
  readonly leftOver: ReadonlyArray<LeftOver>
  /** Succeeds with the reason when the server ends by itself. */
  readonly ended: Effect.Effect<Ending>
}

export interface PostgresOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly elsewhere?: string
  /** Asked anew where somebody took the port before the server did. */
  readonly port?: Effect.Effect<number, StartFailure>
}

const isDatabase = (data: string): Promise<boolean> =>
  stat(join(data, "PG_VERSION")).then(
    () => true,
    () => false
  )

const dropDrafts = async (data: string): Promise<void> => {
  const parent = dirname(data)
  for (const name of await readdir(parent))
    if (name.startsWith(`${basename(data)}.draft-`)) await rm(join(parent, name), { recursive: true })
}

const draftFor = async ({ data, account }: ProgramPlace, password: string): Promise<string> => {
  await dropDrafts(data)
  const draft = `${data}.draft-${randomBytes(4).toString("hex")}`
  for (const path of [draft, join(draft, "data")]) {
    await mkdir(path, { mode: 0o700 })
    await handedOver(path, account)
  }
  await writeFile(join(draft, "password"), password, { mode: 0o600 })
  await handedOver(join(draft, "password"), account)
  return draft
}

/** Made in a draft and renamed, so that a start cut short leaves no half database. */
const initialised = Effect.fn("EmbeddedPostgres.initialised")(function* (
  place: ProgramPlace,
  dataDirectory: string,
  password: string
) {
  const draft = yield* inDataDirectory(dataDirectory, () => draftFor(place, password))
  const initdb = yield* launched({
    name: "The set-up of PostgreSQL",
    command: [
      join(place.native, "bin", "initdb"),
      ...["-D", join(draft, "data"), "-U", USER, "-A", "scram-sha-256", "-E", "UTF8", "--no-locale"],
      `--pwfile=${join(draft, "password")}`
    ],
    directory: draft,
    account: place.account,
    stop: "SIGTERM",
    force: "SIGKILL"
  })
  const { good, sentence } = yield* initdb.ended
  if (!good) return yield* new StartFailure({ message: sentence })
  yield* inDataDirectory(dataDirectory, async () => {
    await rename(join(draft, "data"), place.data)
    await rm(draft, { recursive: true })
  })
}, Effect.scoped)

const PORTS_TRIED = 5

/** In the server's own words, which its locale keeps English. */
const isPortTaken = ({ message }: StartFailure): boolean =>
  message.includes("could not create any TCP/IP sockets")

const servingOn = Effect.fn("EmbeddedPostgres.serving")(function* (
  port: number,
  { native, data, account }: ProgramPlace,
  settings: Readonly<Record<string, string>>
) {
  const all = {
    port: String(port),
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    lc_messages: "C",
    log_timezone: "UTC",
    timezone: "UTC",
    ...settings
  }
  const server = yield* launched({
    name: "PostgreSQL",
    command: [
      join(native, "bin", "postgres"),
      "-D",
      data,
      ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])
    ],
    directory: data,
    account,
    stop: "SIGINT",
    force: "SIGQUIT"
  })
  yield* server.line(/ready to accept connections/)
  return { port, ended: server.ended }
})

const serving = (place: ProgramPlace, { settings = {}, port = freePort("PostgreSQL") }: PostgresOptions) =>
  Effect.flatMap(port, free => servingOn(free, place, settings)).pipe(
    Effect.retry({ times: PORTS_TRIED - 1, while: isPortTaken })
  )

const start = Effect.fn("EmbeddedPostgres.start")(function* (
  dataDirectory: string,
  options: PostgresOptions = {}
) {
  const password = Redacted.value(yield* keptSecret(dataDirectory, "database-password"))
  const binaries = yield* postgresBinaries()
  const place = yield* placed(binaries, dataDirectory, options.elsewhere)
  const { data, leftOver } = place
  if (!(yield* Effect.promise(() => isDatabase(data)))) yield* initialised(place, dataDirectory, password)
  yield* freed({ name: "PostgreSQL", pidFile: join(data, "postmaster.pid"), mark: data })
  const { port, ended } = yield* serving(place, options)
  return {
    url: Redacted.make(`postgresql://${USER}:${password}@127.0.0.1:${port}/postgres`),
    data,
    leftOver,
    ended
  } satisfies EmbeddedDatabase
})

export const EmbeddedPostgres: {
  readonly start: (
    dataDirectory: string,
    options?: PostgresOptions
  ) => Effect.Effect<EmbeddedDatabase, StartFailure, Scope.Scope>
} = { start }
