/** What the relay's benchmarks run on: a service over given chains with enrolled accounts, and a local chain with the contracts. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { deploySandbox, type SandboxManifest } from "../../sandbox/deploy.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { startAnvil } from "../../test/support/Anvil.ts"
import { type BenchServer, migrated, seedAccounts } from "./Database.ts"
import { lanesWithAnswers } from "./LaneLoad.ts"
import { SERVICE_PROGRAM, type Stop, startServer } from "./Processes.ts"
import { type Outgoing, planRequest, signedParts, wireOf } from "./RelayRequests.ts"
import { AUDIENCE, type BenchAccount } from "./Requests.ts"

export const SERVICE_PORT = 18_921
const SETUP_LANES = 32
const SETUP_SECONDS = 600

export interface LocalChain {
  readonly url: string
  readonly manifest: SandboxManifest
  /** The file that the service reads. */
  readonly overlay: string
  readonly rpc: (method: string, params: ReadonlyArray<unknown>) => Promise<unknown>
  readonly stop: Stop
}

const rpcTo = (url: string) => async (method: string, params: ReadonlyArray<unknown>) => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
  const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  return (await answer.json()).result
}

/** With the sandbox contracts and a block each second. */
export const startLocalChain = async (): Promise<LocalChain> => {
  const chain = await startAnvil()
  const manifest = await deploySandbox(chain.url)
  const directory = mkdtempSync(join(tmpdir(), "bench-chain-"))
  const overlay = join(directory, "deployments.json")
  writeFileSync(overlay, JSON.stringify(manifest))
  const rpc = rpcTo(chain.url)
  await rpc("evm_setIntervalMining", [1])
  const stop = async () => {
    await chain.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  return { url: chain.url, manifest, overlay, rpc, stop }
}

export const terminalOf = ({ manifest }: LocalChain): string =>
  manifest.deployments.find(({ contractId }) => contractId.endsWith(":JBMultiTerminal"))?.contractId ?? ""

export interface ServiceOver {
  readonly database: string
  /** `SERVICE_RPC_<chainId>` and what else the service is to know of its chains. */
  readonly chains: Readonly<Record<string, string>>
}

const startService = async ({ database, chains }: ServiceOver): Promise<Stop> => {
  const directory = mkdtempSync(join(tmpdir(), "bench-relay-"))
  const profile = process.env.BENCH_PROFILE
  const options = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]
  const stop = await startServer([...options, ...SERVICE_PROGRAM], SERVICE_PORT, {
    SERVICE_PORT: String(SERVICE_PORT),
    SERVICE_OPS_PORT: String(SERVICE_PORT + 100),
    SERVICE_PUBLIC_URL: AUDIENCE,
    SERVICE_DATABASE_URL: database,
    SERVICE_DATA_DIR: directory,
    SERVICE_PLAN_TTL_SECONDS: "900",
    SERVICE_QUOTA_OWNER: "1000000000",
    SERVICE_QUOTA_ADDRESS: "1000000000",
    SERVICE_ENROLMENTS_PER_ADDRESS: "0",
    SERVICE_QUOTA_RPC: "1000000000",
    ...chains
  })
  return async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** On a fresh database with these accounts enrolled. */
export const withService = async <A>(
  postgres: BenchServer,
  name: string,
  accounts: ReadonlyArray<BenchAccount>,
  chains: ServiceOver["chains"],
  use: () => Promise<A>
): Promise<A> => {
  const database = await postgres.database(name)
  await migrated(database)
  await seedAccounts(database, accounts)
  const stop = await startService({ database, chains })
  try {
    return await use()
  } finally {
    await stop()
  }
}

/** One plan for each entry, in their order. */
export const plansFor = async (
  wanted: ReadonlyArray<{ readonly account: BenchAccount; readonly calls: ReadonlyArray<unknown> }>
): Promise<ReadonlyArray<Plan>> => {
  const requests = wanted.map(({ account, calls }) => wireOf(account, planRequest(account, calls)))
  const options = { port: SERVICE_PORT, lanes: SETUP_LANES, seconds: SETUP_SECONDS }
  const answers = await lanesWithAnswers(requests, options)
  const failed = answers.find(({ status }) => status !== 201)
  if (failed !== undefined || answers.length !== wanted.length)
    throw new Error(`a plan was not created: ${failed?.status} ${failed?.body}`)
  return answers.map(({ body }): Plan => JSON.parse(body))
}

export interface Told {
  readonly status: number
  readonly retryAfter: number
  readonly body: unknown
}

/** One request, signed now. */
export const ask = async (account: BenchAccount, outgoing: Outgoing): Promise<Told> => {
  const { headers, bytes } = signedParts(account, outgoing)
  const { method, target } = outgoing
  const answer = await fetch(`http://127.0.0.1:${SERVICE_PORT}${target}`, {
    method,
    headers,
    ...(method === "GET" ? {} : { body: bytes })
  })
  const retryAfter = Number(answer.headers.get("retry-after") ?? 1)
  return { status: answer.status, retryAfter, body: await answer.json() }
}
