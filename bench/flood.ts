/** What a flood of unsigned requests leaves to those who sign: their rate under it against their rate alone, in turn. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrated, seedAccounts, startPostgres } from "./support/Database.ts"
import { median, say, sayBar, sayRate } from "./support/Figures.ts"
import { type LoadReport, load, SERVICE_PROGRAM, startServer } from "./support/Processes.ts"
import { AUDIENCE, type BenchAccount, benchAccounts, signedGets } from "./support/Requests.ts"

const PORT = 18_941
const ACCOUNTS = 500
const CONNECTIONS = 64
/** Each of them asks again as soon as it is answered. */
const FLOODING = 10 * CONNECTIONS
const ADDRESSES = Array.from({ length: 10 }, (_, index) => `127.0.1.${index + 1}`)
const SIGNED_PER_SECOND = 20_000
/** In which the flood begins before the signed requests do, and goes on after them. */
const MARGIN_SECONDS = 2

const unsigned = Buffer.from("GET /api/v1/accounts/me HTTP/1.1\r\nHost: localhost\r\n\r\n")

const signed = async (accounts: ReadonlyArray<BenchAccount>, seconds: number): Promise<number> => {
  const requests = signedGets(accounts, SIGNED_PER_SECOND * seconds)
  const { perSecond, statuses } = await load(requests, { port: PORT, connections: CONNECTIONS, seconds })
  if (Object.keys(statuses).some(status => status !== "200"))
    throw new Error(`signed requests were answered ${JSON.stringify(statuses)}`)
  return perSecond
}

const flooding = (seconds: number): Promise<LoadReport> =>
  load([unsigned], { port: PORT, connections: FLOODING, seconds, repeat: true, from: ADDRESSES })

const underFlood = async (accounts: ReadonlyArray<BenchAccount>, seconds: number) => {
  const flood = flooding(seconds + 2 * MARGIN_SECONDS)
  await new Promise(resolve => setTimeout(resolve, MARGIN_SECONDS * 1_000))
  const rate = await signed(accounts, seconds)
  return { rate, flood: await flood }
}

const environmentOf = (database: string) => ({
  SERVICE_PORT: String(PORT),
  SERVICE_OPS_PORT: String(PORT + 100),
  SERVICE_PUBLIC_URL: AUDIENCE,
  SERVICE_DATABASE_URL: database,
  SERVICE_DATA_DIR: mkdtempSync(join(tmpdir(), "bench-flood-")),
  SERVICE_RPC_1: "http://127.0.0.1:1",
  SERVICE_QUOTA_OWNER: "1000000000"
})

export const run = async (quick: boolean): Promise<void> => {
  const [rounds, seconds] = quick ? [1, 3] : [3, 6]
  const postgres = await startPostgres()
  const database = await postgres.database("flood")
  const accounts = benchAccounts(ACCOUNTS)
  await migrated(database)
  await seedAccounts(database, accounts)
  const stop = await startServer([...SERVICE_PROGRAM], PORT, environmentOf(database))
  const alone: Array<number> = []
  const flooded: Array<number> = []
  try {
    say(
      `signed GET /accounts/me beside ${FLOODING} connections that never sign, from ${ADDRESSES.length} addresses:`
    )
    await signed(accounts, 1)
    for (let round = 0; round < rounds; round++) {
      alone.push(await signed(accounts, seconds))
      const { rate, flood } = await underFlood(accounts, seconds)
      flooded.push(rate)
      say(
        `  round ${round + 1}: the flood got ${flood.perSecond.toFixed(0)} answers/s, ${JSON.stringify(flood.statuses)}`
      )
    }
    sayRate("signed, alone", alone)
    sayRate("signed, in the flood", flooded)
    const share = median(flooded) / median(alone)
    sayBar("kept by those who sign", `${(share * 100).toFixed(0)} %`, share >= 0.7, ">= 70 %")
  } finally {
    await stop()
    await postgres.stop()
  }
}
