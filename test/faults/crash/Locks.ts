/** Looks for transactions that wait for something else than their own process and the database: a chain call, with locks held over it. */
import type { World } from "./World.ts"

const CALL_MILLIS = 500
const LOOK_MILLIS = 100
/** As often as a process must turn its event loop while a transaction stands still, before it is said to wait. */
const TURNS = 10
/** Shorter than a slow call, and longer than a database that has to share a processor lets what it was sent lie. */
const STILL_MILLIS = 300
const MOMENT_MILLIS = 50
const CALLS = [
  "eth_call",
  "eth_estimateGas",
  "eth_getTransactionByHash",
  "eth_getTransactionReceipt",
  "eth_sendRawTransaction"
]

interface Still {
  readonly place: string
  readonly query: string
}

/** One that only began holds nothing but itself; a process that still starts cannot be seen to turn, and its migrations ask no chain. */
const STANDING_STILL = `
  SELECT pid || '/' || state_change AS place, left(regexp_replace(query, '\\s+', ' ', 'g'), 80) AS query
  FROM pg_stat_activity a WHERE application_name = 'signed-request-service' AND state = 'idle in transaction'
    AND EXISTS (SELECT 1 FROM pg_locks l WHERE l.pid = a.pid AND l.locktype <> 'virtualxid')
    AND query !~ 'migrations'`

export interface LockWatch {
  readonly found: ReadonlyArray<string>
  /** Chain calls that were made slow meanwhile. */
  readonly calls: () => number
  readonly stop: () => Promise<void>
}

export interface Watched extends Pick<World, "sql" | "fault"> {
  /** The processes that serve. */
  readonly addresses: () => ReadonlyArray<string>
  /** Changes whenever a process is held on purpose, and is negative while one is. */
  readonly holds: () => number
}

const turn = (address: string) =>
  fetch(`${address}/api/v1/capabilities`).then(
    answer => answer.arrayBuffer(),
    () => undefined
  )

const turnAll = async (addresses: ReadonlyArray<string>) => {
  for (let turns = 0; turns < TURNS; turns++) await Promise.all(addresses.map(turn))
}

/** Those of them that still stand where they stood. */
const stillAmong = async ({ sql }: Watched, stood: ReadonlyArray<Still>): Promise<ReadonlyArray<Still>> => {
  const places = new Set(stood.map(({ place }) => place))
  return (await sql<Still>(STANDING_STILL)).filter(({ place }) => places.has(place))
}

/** Most stand for a moment alone, and are not worth a turn of the processes. */
const look = async (watched: Watched): Promise<ReadonlyArray<string>> => {
  const { sql, addresses, holds } = watched
  const held = holds()
  const first = await sql<Still>(STANDING_STILL)
  const end = Date.now() + STILL_MILLIS
  if (first.length === 0) return []
  await new Promise(resolve => setTimeout(resolve, MOMENT_MILLIS))
  const before = await stillAmong(watched, first)
  if (before.length === 0) return []
  await turnAll(addresses())
  await new Promise(resolve => setTimeout(resolve, Math.max(0, end - Date.now())))
  const still = await stillAmong(watched, before)
  const isOurs = held < 0 || holds() !== held
  return isOurs ? [] : still.map(({ query }) => `locks are held after ${query}`)
}

export const watchLocks = (watched: Watched): LockWatch => {
  const found: Array<string> = []
  let calls = 0
  let isOn = true
  const run = async () => {
    while (isOn) {
      const method = CALLS[calls++ % CALLS.length] ?? ""
      await watched.fault({ method, phase: "before", act: { kind: "delay", millis: CALL_MILLIS } })
      for (let waited = 0; isOn && waited < 2 * CALL_MILLIS; waited += LOOK_MILLIS) {
        await new Promise(resolve => setTimeout(resolve, LOOK_MILLIS))
        found.push(...(await look(watched)))
      }
    }
  }
  const running = run()
  /** Told by `stop`; a campaign that has failed otherwise has another story to tell. */
  running.catch(() => {})
  return {
    found,
    calls: () => calls,
    stop: async () => {
      isOn = false
      await running
    }
  }
}
