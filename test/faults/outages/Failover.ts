/** The primary of a pair is killed under load and its standby promoted behind a pooler, time after time. */
import { rm } from "node:fs/promises"
import { Client } from "pg"
import { freePort } from "../../support/Ports.ts"
import { sqlOn } from "../../support/Sql.ts"
import { chanceFrom } from "../crash/Chance.ts"
import { watchLocks } from "../crash/Locks.ts"
import { type Arena, openArena } from "../races/Arena.ts"
import { audit } from "../races/Audit.ts"
import { silence } from "../races/Campaign.ts"
import { copied, type Ground, openGround, promoted, type Server, startServer } from "./Cluster.ts"
import { type Pooler, startPooler } from "./Pooler.ts"
import { type Book, eventually, makeBook, makeSpeaker, replayed, sleep, startLoad } from "./Relays.ts"

export interface FailoverOptions {
  readonly count: number
  readonly seed: number
  readonly clients: number
}

const REPLICAS = 2
const CALM_MILLIS = 700
const FENCED_EVERY = 10
const REPLAYED = 10

const SYNCHRONOUS = [
  "ALTER SYSTEM SET synchronous_commit = 'remote_apply'",
  "ALTER SYSTEM SET synchronous_standby_names = '*'",
  "SELECT pg_reload_conf()"
]
const FOLLOWED = `SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync' AND replay_lsn >= pg_current_wal_lsn()`

interface Pair extends Pick<Ground, "place" | "directory" | "dataOf"> {
  readonly pooler: Pooler
  primary: Server
  standby: Server
}

/** Whoever follows is synchronous before anybody relies on it. */
const followed = async (
  { place, dataOf }: Pick<Ground, "place" | "dataOf">,
  primary: Server,
  index: number
): Promise<Server> => {
  await copied(place, primary, dataOf(index), true)
  const standby = await startServer(place, dataOf(index), await freePort())
  for (const statement of SYNCHRONOUS) await sqlOn(primary.url, statement)
  await eventually(
    () => sqlOn(primary.url, FOLLOWED),
    rows => rows.length > 0
  )
  return standby
}

const openPair = async (): Promise<Pair> => {
  const { server: primary, ...ground } = await openGround("service-failover-")
  const pooler = await startPooler(ground.place, ground.directory, "session", primary.url)
  return { ...ground, pooler, primary, standby: await followed(ground, primary, 1) }
}

/** A primary that comes back by itself acknowledges no write: nobody follows it. */
const fenced = async ({ place }: Pair, old: Server): Promise<string | undefined> => {
  const back = await startServer(place, old.data, old.port)
  const client = new Client({ connectionString: back.url })
  client.on("error", () => {})
  await client.connect()
  const written = client
    .query("INSERT INTO migrations (name, hash) VALUES ('written to a fenced server', '')")
    .then(
      () => true,
      () => false
    )
  const isWritten = await Promise.race([written, sleep(500).then(() => false)])
  await back.kill()
  return isWritten ? "an old primary that came back acknowledged a write" : undefined
}

/** Between two writes that were answered, from the last one before that moment on: what clients saw of the outage, and no less. */
const longestGap = ({ writes }: Book, since: number): number => {
  const first = Math.max(
    0,
    writes.findLastIndex(at => at <= since)
  )
  const seen = writes.slice(first)
  return Math.max(0, ...seen.slice(1).map((at, index) => at - (seen[index] ?? at)))
}

const failOver = async (pair: Pair, index: number, book: Book): Promise<number> => {
  const { pooler, primary: old, standby } = pair
  const at = Date.now()
  await old.kill()
  await promoted(standby)
  await sqlOn(standby.url, "ALTER SYSTEM SET synchronous_standby_names = ''")
  await sqlOn(standby.url, "SELECT pg_reload_conf()")
  await pooler.pointTo(standby.url)
  pair.primary = standby
  const repointedAt = Date.now()
  await eventually(
    async () => book.writes.at(-1) ?? 0,
    writtenAt => writtenAt > repointedAt
  )
  const seconds = longestGap(book, at) / 1000
  if (index % FENCED_EVERY === 0) {
    const fault = await fenced(pair, old)
    if (fault !== undefined) book.broken.push(fault)
  }
  await rm(old.data, { recursive: true, force: true })
  pair.standby = await followed(pair, standby, index + 2)
  return seconds
}

/** Against whichever server is primary, as often as it takes. */
const sqlOf =
  (pair: Pair): Arena["sql"] =>
  async <Row>(text: string, values: ReadonlyArray<unknown> = []) => {
    for (;;) {
      const rows: ReadonlyArray<Row> | undefined = await sqlOn(pair.primary.url, text, values).then(
        found => found.map((row): Row => Object(row)),
        () => undefined
      )
      if (rows !== undefined) return rows
      await sleep(100)
    }
  }

const figures = (seconds: ReadonlyArray<number>) => {
  const sorted = [...seconds].sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { median: at(0.5), longest: at(1) }
}

const run = async (pair: Pair, arena: Arena, { count, seed, clients }: FailoverOptions) => {
  const book = makeBook()
  const chance = chanceFrom(seed)
  const addresses = () => arena.addresses()
  let holds = 0
  const locks = watchLocks({ sql: arena.sql, fault: arena.node.fault, addresses, holds: () => holds })
  const speakerOf = (index: number) => makeSpeaker(addresses, chanceFrom(seed + 1 + index), book)
  const load = startLoad(arena, clients, speakerOf, {
    book,
    chance: chanceFrom(seed),
    label: `failover ${seed}`
  })
  const seconds: Array<number> = []
  for (let index = 0; index < count; index++) {
    await sleep(CALM_MILLIS + chance.below(CALM_MILLIS))
    holds++
    const before = book.accepted.slice(-REPLAYED)
    seconds.push(await failOver(pair, index, book))
    await replayed(before, () => addresses()[0] ?? "", ["NONCE_REUSED", "AUTH_EXPIRED"], book)
    holds++
    if (count > 5)
      console.log(
        `failover ${index + 1}: ${seconds.at(-1)} s, ${book.counts.relays} relays, ${book.broken.length} broken`
      )
  }
  await load.stop()
  await locks.stop()
  const [behind] = await arena.sql("SELECT 1 FROM history WHERE behind_since IS NOT NULL")
  if (behind !== undefined) book.broken.push("a process found that the promoted standby is behind")
  const seen = { broken: book.broken, heldLocks: locks.found, sentByRecovery: await silence(arena) }
  return { verdicts: await audit(arena, book.told, seen), counts: book.counts, seconds: figures(seconds) }
}

export const runFailover = async (options: FailoverOptions) => {
  const pair = await openPair()
  const database = { databaseUrl: pair.pooler.url, sql: sqlOf(pair), close: async () => {} }
  const arena = await openArena(REPLICAS, "short", false, undefined, database)
  try {
    return await run(pair, arena, options)
  } finally {
    await arena.stop()
    await pair.pooler.stop()
    await Promise.all([pair.primary.kill(), pair.standby.kill()])
    await rm(pair.directory, { recursive: true, force: true })
  }
}
