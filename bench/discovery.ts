/** A page of the catalog against bare node:http that writes the same bytes, and the latency of searching the catalog. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrated, startPostgres } from "./support/Database.ts"
import { median, say, sayBar, sayRate } from "./support/Figures.ts"
import { load, SERVICE_PROGRAM, startBench, startServer } from "./support/Processes.ts"

const PORTS = { bare: 18_911, service: 18_912 }
const CONNECTIONS = 64
const PAGE = "/api/v1/catalog/contracts?limit=25"
const SEARCHES = 1_000
const SEARCH_SECONDS = 4
const SEARCHERS = 4
const MAXIMUM_ROWS = 100

const get = (target: string): Buffer => Buffer.from(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)

const rate = async (port: number, seconds: number): Promise<number> => {
  const { perSecond } = await load([get(PAGE)], { port, connections: CONNECTIONS, seconds, repeat: true })
  return perSecond
}

/** Each search has a target of its own, so that none is answered from kept bytes; the looks' offsets never meet. */
const searches = (look: number): ReadonlyArray<Buffer> =>
  Array.from({ length: SEARCHES }, (_, index) => {
    const limit = 1 + (index % MAXIMUM_ROWS)
    const offset = look * (SEARCHES / MAXIMUM_ROWS) + Math.floor(index / MAXIMUM_ROWS)
    return get(
      `/api/v1/catalog/contracts?category=contract&deployedOnly=true&chainId=8453&offset=${offset}&limit=${limit}`
    )
  })

const searchLatency = async (): Promise<number> => {
  const rate = SEARCHES / SEARCH_SECONDS
  const options = { port: PORTS.service, connections: SEARCHERS, seconds: SEARCH_SECONDS, rate }
  const bare = await load(searches(0), { ...options, port: PORTS.bare })
  say(`  bare node:http at the same rate, p99: ${bare.p99.toFixed(2)} ms, which is the machine's own`)
  await load(searches(0), options)
  const looks: Array<number> = []
  for (let look = 1; look <= 3; look++) looks.push((await load(searches(look), options)).p99)
  say(`  catalog search p99, three looks: ${looks.map(p99 => p99.toFixed(2)).join(", ")} ms`)
  return median(looks)
}

const serviceEnvironment = (database: string) => ({
  SERVICE_PORT: String(PORTS.service),
  SERVICE_OPS_PORT: String(PORTS.service + 100),
  SERVICE_DATABASE_URL: database,
  SERVICE_DATA_DIR: mkdtempSync(join(tmpdir(), "bench-discovery-")),
  SERVICE_RPC_1: "http://127.0.0.1:1",
  SERVICE_QUOTA_ADDRESS: "1000000000",
  SERVICE_ENROLMENTS_PER_ADDRESS: "0"
})

export const run = async (quick: boolean): Promise<void> => {
  const postgres = await startPostgres()
  const database = await postgres.database("discovery")
  await migrated(database)
  const stopService = await startServer([...SERVICE_PROGRAM], PORTS.service, serviceEnvironment(database))
  const sample = await fetch(`http://127.0.0.1:${PORTS.service}${PAGE}`, {
    headers: { "accept-encoding": "identity" }
  })
  const stopBare = await startBench("bare.ts", PORTS.bare, {
    HEADERS: JSON.stringify(Object.fromEntries(sample.headers)),
    BODY: Buffer.from(await sample.arrayBuffer()).toString("base64")
  })
  const rates: { readonly bare: Array<number>; readonly service: Array<number> } = { bare: [], service: [] }
  for (let round = 0; round < (quick ? 1 : 5); round++) {
    rates.bare.push(await rate(PORTS.bare, quick ? 1 : 3))
    rates.service.push(await rate(PORTS.service, quick ? 1 : 3))
  }
  sayRate("bare node:http, the same bytes", rates.bare)
  sayRate("service", rates.service)
  const share = median(rates.service) / median(rates.bare)
  sayBar("share of bare node:http", `${(share * 100).toFixed(0)} %`, share >= 0.6, ">= 60 %")
  const p99 = await searchLatency()
  sayBar("catalog search p99", `${p99.toFixed(2)} ms`, p99 < 5, "< 5 ms")
  await stopBare()
  await stopService()
  await postgres.stop()
}
