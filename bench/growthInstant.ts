/** One sponsorship, one operation and one session, of which a filled database gets copies: published and sent by the service on a chain that answers at once, the session by hand. */
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { PREPARED } from "../test/sessions/support/StoredSessions.ts"
import {
  INSTANT_CHAIN,
  instantManifest,
  instantPayments,
  TERMINAL
} from "../test/support/InstantForwarder.ts"
import { instantWalletManifest } from "../test/support/InstantWallets.ts"
import type { BenchServer } from "./support/Database.ts"
import { lanesWithAnswers } from "./support/LaneLoad.ts"
import { startBench } from "./support/Processes.ts"
import { payment, wireOf } from "./support/RelayRequests.ts"
import { plansFor, SERVICE_PORT, withService } from "./support/RelayWorld.ts"
import type { BenchAccount } from "./support/Requests.ts"
import { publicationRequest, sponsorshipsFor } from "./support/SponsoredRequests.ts"
import { sendingRequests } from "./support/WalletRequests.ts"

const NODE_PORT = 18_923
const PROVIDER_PORT = 18_928
const BUNDLER_PORT = 18_929
const VERIFIED_SECONDS = 60

export type RecordKind = "sponsorships" | "operations" | "sessions"

/** Rows as JSON, by their tables. */
type Rows = Readonly<Record<string, string>>

export type RecordPatterns = Readonly<Record<RecordKind, Rows>> & {
  /** What all copies lead to. */
  readonly shared: Rows
}

const file = (name: string, content: unknown): string => {
  const path = join(tmpdir(), `bench-${name}-${process.pid}.json`)
  writeFileSync(path, JSON.stringify(content))
  return path
}

const sent = async (requests: ReadonlyArray<Buffer>) => {
  const answers = await lanesWithAnswers(requests, { port: SERVICE_PORT, lanes: 1, seconds: 60 })
  const failed = answers.find(({ status }) => status >= 300)
  if (failed !== undefined) throw new Error(`a record was not made: ${failed.status} ${failed.body}`)
}

const published = async (account: BenchAccount) => {
  const [plan] = await plansFor([{ account, calls: [payment(INSTANT_CHAIN, TERMINAL, "1")] }])
  const [sponsorship] = await sponsorshipsFor([{ account, planId: plan?.id ?? "" }])
  if (sponsorship === undefined) throw new Error("no sponsorship")
  await sent([wireOf(account, publicationRequest(account, sponsorship))])
}

const rowOf = async (client: pg.Client, table: string, where = "true"): Promise<string> => {
  const { rows } = await client.query<{ row: string }>(
    `SELECT row_to_json(t)::text AS row FROM ${table} t WHERE ${where} LIMIT 1`
  )
  const [found] = rows
  if (found === undefined) throw new Error(`no row of ${table}`)
  return found.row
}

const rowsOf = async (client: pg.Client, tables: Readonly<Record<string, string>>): Promise<Rows> => {
  const rows: Record<string, string> = {}
  for (const [table, where] of Object.entries(tables)) rows[table] = await rowOf(client, table, where)
  return rows
}

const verified = async (client: pg.Client) => {
  for (let look = 0; look < VERIFIED_SECONDS; look++) {
    const { rowCount } = await client.query("SELECT FROM publications WHERE verified_at IS NOT NULL")
    if (rowCount === 1) return
    await new Promise(resolve => setTimeout(resolve, 1_000))
  }
  throw new Error("the quote was not proved")
}

const grantRow = (account: BenchAccount) => ({
  ...{ bot_address: account.key.address, scopes: ["read", "plan", "relay"], label: "" },
  ...{ created_at: 1, expires_at: 4_000_000_000, revoked_at: null }
})

const sessionRow = ({ id, address }: { readonly id: string; readonly address: string }) => {
  const { asked, sessionKey, manifestId, validUntil, allocationManifestHash, compiled, evidence } = PREPARED
  return {
    ...{ binding: id, chain_id: INSTANT_CHAIN, wallet: address, session_key: sessionKey.toLowerCase() },
    ...{ compiled_hash: compiled.compiledHash, valid_until: validUntil, revision: 0, live: false },
    ...{ was_enabled: false, sweep_attempts: 0 },
    terms: { asked, sessionKey, manifestId, validUntil, allocationManifestHash, compiled, evidence }
  }
}

const patternsIn = async (client: pg.Client, account: BenchAccount): Promise<RecordPatterns> => {
  const of = (table: string) => ({
    plans: `id IN (SELECT plan FROM ${table})`,
    plan_steps: `plan IN (SELECT plan FROM ${table})`,
    transport_bindings: `plan IN (SELECT plan FROM ${table})`,
    [table]: "true"
  })
  const shared = await rowsOf(client, { wallets: "true", bindings: "true" })
  return {
    shared,
    sponsorships: await rowsOf(client, {
      ...of("sponsorships"),
      ...{ publications: "true", sponsored_calls: "true", idempotency_keys: "kind = 'sponsorship'" }
    }),
    operations: await rowsOf(client, {
      ...of("user_operations"),
      ...{ operation_sends: "true", idempotency_keys: "kind = 'operation'" }
    }),
    sessions: {
      bot_grants: JSON.stringify(grantRow(account)),
      sessions: JSON.stringify(sessionRow(JSON.parse(shared.bindings ?? "{}")))
    }
  }
}

/** On a database of their own. */
export const makeRecords = async (postgres: BenchServer, account: BenchAccount): Promise<RecordPatterns> => {
  const url = await postgres.database("patterns")
  const server = { ...postgres, database: async () => url }
  const pace = { ANSWER_MILLIS: "1" }
  const owners = file("owners", [account.key.address])
  const stops = [
    await startBench("relayNode.ts", NODE_PORT, { ...pace, WALLET_OWNERS: owners }),
    await startBench("relayProvider.ts", PROVIDER_PORT, pace),
    await startBench("relayBundler.ts", BUNDLER_PORT, pace)
  ]
  const chains = {
    [`SERVICE_RPC_${INSTANT_CHAIN}`]: `http://127.0.0.1:${NODE_PORT}/${INSTANT_CHAIN}`,
    [`SERVICE_BUNDLER_${INSTANT_CHAIN}`]: `http://127.0.0.1:${BUNDLER_PORT}`,
    SERVICE_SANDBOX_MANIFEST: file("deployments", instantManifest),
    SERVICE_SMART_MANIFESTS: file("manifests", { manifests: [instantWalletManifest] }),
    SERVICE_PROVIDER_URL: `http://127.0.0.1:${PROVIDER_PORT}`,
    SERVICE_PROVIDER_PAYMENTS: JSON.stringify(instantPayments)
  }
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await withService(server, "patterns", [account], chains, async () => {
      await published(account)
      await sent(await sendingRequests([account]))
      await verified(client)
      return patternsIn(client, account)
    })
  } finally {
    await client.end()
    for (const stop of stops) await stop()
  }
}
