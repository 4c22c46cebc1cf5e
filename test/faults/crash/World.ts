/** What outlives the killed service: a database, a chain, and a proxy that records all that reaches the chain. */
import { closeSync, openSync, readSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import { Client, types } from "pg"
import { type Address, keccak256, zeroAddress } from "viem"
import { deploySandbox, type SandboxManifest } from "../../../sandbox/deploy.ts"
import { Chain } from "../../../sandbox/provider/Chain.ts"
import { paymentContract } from "../../../sandbox/provider/PaymentContract.ts"
import { EmbeddedPostgres } from "../../../src/embedded/Postgres.ts"
import { KEEPING_STATES, startAnvil } from "../../support/Anvil.ts"
import { builtProgram } from "../../support/BuiltProgram.ts"
import { ENDLESS_QUOTAS } from "../../support/EndlessQuotas.ts"
import { passableDirectory } from "../../support/PassableDirectory.ts"
import { freePort } from "../../support/Ports.ts"
import { CONTROL_PATH, type ProxyFault, type ProxyRecord } from "../../support/RecordingProxy.ts"
import { rpc } from "../../support/Rpc.ts"
import { type Operating, startOperating } from "../operating/Beside.ts"
import type { ProviderProxy } from "../sponsored/ProviderProxy.ts"
import { compiled } from "./Compiled.ts"
import { leanHome } from "./LeanHome.ts"
import { type Ears, READY, type Running, started } from "./Processes.ts"
import { type MortalProvider, startMortalProvider } from "./ProviderDeaths.ts"

export interface Sent {
  readonly hash: string
  readonly bytes: string
}

export interface World {
  readonly url: string
  readonly chainUrl: string
  readonly manifest: SandboxManifest
  readonly sql: <Row>(text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  /** Calls back at each commit of a dispatch claim. */
  readonly onClaim: (heard: () => void) => Promise<void>
  readonly fault: (fault: ProxyFault) => Promise<void>
  /** Every raw transaction that left, in order. */
  readonly sent: () => ReadonlyArray<Sent>
  readonly provider: ProviderProxy
  /** Behind it. */
  readonly mortal: MortalProvider
  /** Where wallets act by operations. */
  readonly operating: Operating | undefined
  readonly forwarder: Address
  /** The process at the service's own address, as it is shipped but for the flags. */
  readonly startLasting: (
    flags: ReadonlyArray<string>,
    ears: Ears
  ) => Promise<Running & { readonly url: string }>
  /** A process of the service with an address of its own and its failpoints in our hand. */
  readonly startReplica: (ears: Ears) => Promise<Running & { readonly url: string }>
  readonly stop: () => Promise<void>
}

const INT8_OID = 20
types.setTypeParser(INT8_OID, Number)

const POSTGRES = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" }

const CLAIM_TRIGGER = `
  CREATE FUNCTION tell_claim() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_notify('claims', NEW.hash); RETURN NULL; END $$;
  CREATE TRIGGER tell_claim AFTER INSERT OR UPDATE OF token ON dispatch_leases FOR EACH ROW EXECUTE FUNCTION tell_claim()`

/** Reads what was appended since it was last asked. */
const follower = (file: string): (() => ReadonlyArray<Sent>) => {
  const sent: Array<Sent> = []
  const chunk = Buffer.alloc(1 << 20)
  let position = 0
  let rest = ""
  return () => {
    const descriptor = openSync(file, "r")
    for (let read = -1; read !== 0; position += read) {
      read = readSync(descriptor, chunk, 0, chunk.length, position)
      rest += chunk.toString("utf8", 0, read)
    }
    closeSync(descriptor)
    const lines = rest.split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) {
      const { raw, forwarded }: ProxyRecord = JSON.parse(line)
      if (raw !== undefined && forwarded) sent.push(raw)
    }
    return sent
  }
}

/** What a start may fail of on a machine that others use: a port taken since it was found free, a database that has no turn in time. */
const PASSING = ["is taken", "Cannot use the database"]
const STARTS = 3

/** How long a forward request is good for. */
export const FORWARD_SECONDS = 3_600

type Sql = World["sql"]

/** One statement after the other, whoever asks side by side. */
const statementsOn = (client: Client): Sql => {
  let last: Promise<unknown> = Promise.resolve()
  return (text, values = []) => {
    const mine = last.then(async () => (await client.query(text, [...values])).rows)
    last = mine.catch(() => {})
    return mine
  }
}

/** A PostgreSQL of its own, and one connection to it. */
export const openDatabase = async (directory: string, scope: Scope.CloseableScope) => {
  const { url } = await EmbeddedPostgres.start(directory, { settings: POSTGRES }).pipe(
    Scope.extend(scope),
    Effect.runPromise
  )
  const client = new Client({ connectionString: Redacted.value(url) })
  client.on("error", () => {})
  await client.connect()
  return { databaseUrl: Redacted.value(url), client, sql: statementsOn(client) }
}

const recorded = async (directory: string, upstream: string) => {
  const file = join(directory, "proxy.ndjson")
  const proxy = await started(
    [await builtProgram("test/support/recordingProxyMain.ts"), upstream, file],
    {},
    "http://"
  )
  const fault = async (wanted: ProxyFault) => {
    await fetch(`${proxy.announced}${CONTROL_PATH}`, { method: "POST", body: JSON.stringify(wanted) })
  }
  return { proxy, fault, sent: follower(file) }
}

const addressIn = ({ deployments }: SandboxManifest, name: string): Address =>
  deployments.find(({ contractId }) => contractId.endsWith(`:${name}`))?.address ?? zeroAddress

/** A provider that may die, and the contract by which it is paid. */
const provided = async (directory: string, chainUrl: string) => {
  const mortal = await startMortalProvider(directory, chainUrl)
  const { address } = paymentContract(new Chain(chainUrl).provider)
  const code = await rpc(chainUrl, "eth_getCode", [address, "latest"])
  return { mortal, payments: { address, runtimeCodeHash: keccak256(code) } }
}

export const createWorld = async (accounts: number, isOperated: boolean): Promise<World> => {
  const directory = await passableDirectory("service-crash-")
  const scope = await Effect.runPromise(Scope.make())
  const { databaseUrl, client, sql } = await openDatabase(join(directory, "data"), scope)
  const chain = await startAnvil({ args: ["--accounts", String(accounts), ...KEEPING_STATES] })
  const manifest = await deploySandbox(chain.url)
  const operating = isOperated ? await startOperating(chain.url, directory) : undefined
  const overlay = join(directory, "deployments.json")
  await writeFile(overlay, JSON.stringify(manifest))
  const { proxy, fault, sent } = await recorded(directory, chain.url)
  const { mortal, payments } = await provided(directory, chain.url)
  const provider = mortal.proxy
  const forwarder = addressIn(manifest, "ERC2771Forwarder")
  const service = await builtProgram("src/main.ts")
  const port = await freePort()
  const environment = {
    SERVICE_PORT: String(port),
    SERVICE_OPS_PORT: String(await freePort()),
    SERVICE_DATA_DIR: join(directory, "service"),
    SERVICE_DATABASE_URL: databaseUrl,
    SERVICE_RPC_31337: proxy.announced,
    SERVICE_SANDBOX_MANIFEST: overlay,
    SERVICE_PLAN_TTL_SECONDS: "900",
    SERVICE_PROVIDER_URL: provider.url,
    SERVICE_PROVIDER_PAYMENTS: JSON.stringify({ 31337: payments }),
    SERVICE_FORWARD_TTL_SECONDS: String(FORWARD_SECONDS),
    ...operating?.settings,
    ...ENDLESS_QUOTAS,
    SERVICE_LOG_LEVEL: "error"
  }
  const replica = await compiled("test/faults/crash/serviceMain.ts", join(directory, "program"))
  const home = await leanHome(join(directory, "home"), manifest)
  const url = `http://localhost:${port}`
  const startLasting = async (flags: ReadonlyArray<string>, ears: Ears) => ({
    ...(await started([...flags, service], environment, READY, ears)),
    url
  })
  const startOnce = async (ears: Ears) => {
    const [own, ops] = await Promise.all([freePort(), freePort()])
    const settings = {
      ...environment,
      SERVICE_PORT: String(own),
      SERVICE_OPS_PORT: String(ops),
      SERVICE_PUBLIC_URL: url,
      SERVICE_DATABASE_CONNECTIONS: "4"
    }
    const running = await started([...replica.args, home], settings, READY, ears)
    return { ...running, url: `http://127.0.0.1:${own}` }
  }
  const startReplica = async (ears: Ears) => {
    for (let tries = 1; ; tries++) {
      const begun = await startOnce(ears).catch((failure: unknown) => String(failure))
      if (typeof begun !== "string") return begun
      if (tries === STARTS || !PASSING.some(reason => begun.includes(reason))) throw new Error(begun)
    }
  }
  const stop = async () => {
    await client.end()
    await proxy.kill()
    await mortal.stop()
    await operating?.stop()
    await chain.stop()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await rm(directory, { recursive: true, force: true })
  }
  return {
    url,
    chainUrl: chain.url,
    manifest,
    sql,
    onClaim: async heard => {
      await sql(CLAIM_TRIGGER)
      await sql("LISTEN claims")
      client.on("notification", heard)
    },
    fault,
    sent,
    provider,
    mortal,
    operating,
    forwarder,
    startLasting,
    startReplica,
    stop
  }
}
