/** The claim's function called as the service calls it, on rows put there by hand. */
import { randomUUID } from "node:crypto"
import type { Client } from "pg"
import { accountId, OWNER } from "./Ledger.ts"
import { connected } from "./Sql.ts"

/** Seconds. */
export const NOW = 1_000_000
export const MILLIS = NOW * 1000

export type Request = Readonly<Record<string, unknown>>

/** As they were named before they were reserved by scope and text. */
const FORMER_NONCES =
  "(SELECT 'eip155:' || chain_id || ':' || sender AS scope, nonce::text AS nonce, plan, step FROM wallet_nonces)"

/** Without columns that came later. */
const KEYS = "(SELECT account, principal, key, identity, kind, plan, step, created_at FROM idempotency_keys)"

const TABLES: Readonly<Record<string, string>> = {
  bindings: "transport_bindings",
  nonces: "reserved_nonces",
  leases: "dispatch_leases",
  approvals: "owner_approvals",
  keys: KEYS,
  plans: "plans"
}

export class ClaimSession {
  readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  static async open(url: string): Promise<ClaimSession> {
    return new ClaimSession(await connected(url))
  }

  async rows(text: string, values: ReadonlyArray<unknown> = []) {
    const { rows } = await this.client.query(text, [...values])
    return rows
  }

  /** Everything that a claim could change. */
  async stored(): Promise<Readonly<Record<string, unknown>>> {
    const [known] = await this.rows("SELECT to_regclass('wallet_nonces') AS former")
    const tables = known.former === null ? TABLES : { ...TABLES, nonces: FORMER_NONCES }
    const lists = Object.entries(tables).map(
      ([name, table]) => `(SELECT json_agg(t ORDER BY t::text) FROM ${table} t) AS ${name}`
    )
    return (await this.rows(`SELECT ${lists.join(", ")}`))[0]
  }

  async ask(request: Request): Promise<{ readonly verdict: string; readonly bound_to: string | null }> {
    const [answer] = await this.rows(
      "SELECT verdict, bound_to FROM claim_dispatch(json_populate_record(NULL::dispatch_request, $1::json))",
      [JSON.stringify(request)]
    )
    return answer
  }

  async verdict(request: Request): Promise<string> {
    return (await this.ask(request)).verdict
  }

  /** A plan of two steps of the owner's. */
  async plan(account: number, principal: string): Promise<string> {
    const id = randomUUID()
    await this.rows(
      `INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
       VALUES ($1, $2, $3, 'contract-calls', $4, '{}', '0x', 1, $5)`,
      [id, account, principal, OWNER, MILLIS + 60_000]
    )
    await this.rows("INSERT INTO plan_steps (plan, step) VALUES ($1, 0), ($1, 1)", [id])
    return id
  }
}

/** The owner's step, to be dispatched with everything in order. */
export const dispatchOf = (plan: string, owner = OWNER): Request => ({
  purpose: "dispatch",
  account_id: accountId(owner),
  principal: `owner:${accountId(owner)}`,
  grant_id: null,
  plan,
  step: 0,
  key: randomUUID(),
  identity: "a request",
  keys_per_account: 10_000,
  hash: "0xaa",
  transport: "signed-eoa-transaction",
  binding_id: randomUUID(),
  transaction: { hash: "0xaa" },
  raw: "\\x02f8",
  chain_id: 1,
  sender: OWNER,
  nonce: "18446744073709551615",
  judged_revision: 0,
  is_blocked: false,
  approval_form: "owner-request",
  approval_signer: owner,
  approval_nonce: "0x01",
  approval_issued_at: NOW - 10,
  approval_expires_at: NOW + 50,
  future_allowance_seconds: 30,
  token: randomUUID(),
  claims_seen: 0,
  lease_millis: 30_000,
  sweep_millis: 2_000
})

export const asBot = (request: Request, grant: string): Request => ({
  ...request,
  principal: `bot:${grant}`,
  grant_id: grant,
  approval_form: "owner-approval"
})

/** What a repeat and the opening of a bundle tell of themselves. */
export const keyOnly = (request: Request, purpose: "repeat" | "bundle"): Request => ({
  purpose,
  account_id: request.account_id,
  principal: request.principal,
  grant_id: request.grant_id,
  plan: request.plan,
  step: purpose === "repeat" ? request.step : null,
  key: randomUUID(),
  identity: "another request",
  keys_per_account: request.keys_per_account
})
