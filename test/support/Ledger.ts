/** The ledger's function called as the service calls it, on rows put there by hand. */
import { randomBytes } from "node:crypto"
import type { Client } from "pg"
import { connected } from "./Sql.ts"

export interface Asked {
  readonly account: string
  readonly signer?: string
  readonly grant?: string
  readonly ownerOnly?: boolean
  readonly scope?: string
  readonly nonce?: Buffer
  readonly issued?: number
  readonly expires?: number
}

export interface Judged {
  readonly verdict: string
  readonly quota_limit: number | null
  readonly quota_remaining: number | null
  readonly retry_after: number | null
}

export const OWNER = `0x${"a1".repeat(20)}`
export const BOT = `0x${"b2".repeat(20)}`
export const accountId = (owner = OWNER): string => `eip155:1:${owner}`

export const nonce = (): Buffer => randomBytes(32)

export interface LedgerOptions {
  readonly wait?: boolean
  readonly ownerQuota?: number
  readonly botsQuota?: number
}

/** A client whose clock stands still unless told otherwise, so that no test waits or straddles a minute. */
export class LedgerSession {
  readonly client: Client

  constructor(client: Client) {
    this.client = client
  }

  static async open(url: string): Promise<LedgerSession> {
    return new LedgerSession(await connected(url))
  }

  /** Each look at the clock takes the next of these times; the last one stays. */
  async clock(...seconds: ReadonlyArray<number>): Promise<void> {
    await this.client.query(`
      CREATE SEQUENCE IF NOT EXISTS looks;
      ALTER SEQUENCE looks RESTART;
      CREATE OR REPLACE FUNCTION unix_seconds() RETURNS bigint LANGUAGE sql VOLATILE AS
        $$ SELECT (ARRAY[${seconds.join(",")}]::bigint[])[least(nextval('looks'), ${seconds.length})] $$`)
  }

  /** Returns once somebody waits for a lock of this session. */
  async blocking(): Promise<void> {
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))"
    while ((await this.client.query(waiting)).rows.length === 0);
  }

  /** Returns once others have put so many more questions to the ledger; seldom misses one between two looks. */
  async asked(times: number): Promise<void> {
    const last =
      "SELECT query_start::text FROM pg_stat_activity WHERE datname = current_database() AND query LIKE $1"
    const seen = new Set<string>()
    while (seen.size <= times)
      for (const { query_start } of (await this.client.query(last, ["%FROM admit_requests(%"])).rows)
        seen.add(query_start)
  }

  async enroll(owner = OWNER): Promise<number> {
    const { rows } = await this.client.query(
      `INSERT INTO accounts (id, authority_chain_id, owner_address, created_at, updated_at) VALUES ($1, 1, $2, 1, 1) RETURNING number`,
      [accountId(owner), owner]
    )
    return rows[0].number
  }

  async grant(account: number, scopes: ReadonlyArray<string>, over: Record<string, unknown> = {}) {
    const row = {
      bot_address: BOT,
      label: "",
      created_at: 1,
      expires_at: 1_000_000_000_000,
      revoked_at: null,
      ...over
    }
    const { rows } = await this.client.query(
      `INSERT INTO bot_grants (id, account, bot_address, scopes, label, created_at, expires_at, revoked_at)
       VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7) RETURNING id`,
      [account, row.bot_address, scopes, row.label, row.created_at, row.expires_at, row.revoked_at]
    )
    return String(rows[0].id)
  }

  async grants(account: number, lists: ReadonlyArray<ReadonlyArray<string>>) {
    const made: Array<string> = []
    for (const scopes of lists) made.push(await this.grant(account, scopes))
    return made
  }

  /** Live nonces with the counts that requests would have left. */
  async fill(account: number, count: number, expires: number): Promise<void> {
    await this.client.query(
      `INSERT INTO request_nonces SELECT $1, sha256(('filler ' || i)::bytea), $3 FROM generate_series(1, $2) i`,
      [account, count, expires]
    )
    await this.client.query(
      `INSERT INTO request_usage VALUES ($1, $2, 0, 0, $3)
       ON CONFLICT (account, minute) DO UPDATE SET expiring = request_usage.expiring + excluded.expiring`,
      [account, Math.floor(expires / 60), count]
    )
  }

  async ask(
    asked: ReadonlyArray<Asked>,
    { wait = false, ownerQuota = 1_000_000, botsQuota = 1_000_000 }: LedgerOptions = {}
  ): Promise<ReadonlyArray<Judged>> {
    const column = <A>(of: (each: Asked) => A) => asked.map(of)
    const { rows } = await this.client.query(
      `SELECT verdict, quota_limit, quota_remaining, retry_after
       FROM admit_requests($1, $2, $3::uuid[], $4, $5, $6, $7, $8, $9, $10, $11, $12) ORDER BY position`,
      [
        column(each => each.account),
        column(each => each.signer ?? OWNER),
        column(each => each.grant ?? null),
        column(each => each.ownerOnly ?? false),
        column(each => each.scope ?? "read"),
        column(each => each.nonce ?? nonce()),
        column(each => each.issued ?? 1000),
        column(each => each.expires ?? 1060),
        column(() => false),
        ownerQuota,
        botsQuota,
        wait
      ]
    )
    return rows
  }

  async verdicts(asked: ReadonlyArray<Asked>, options?: LedgerOptions): Promise<ReadonlyArray<string>> {
    return (await this.ask(asked, options)).map(({ verdict }) => verdict)
  }

  async nonces(account: number): Promise<number> {
    const { rows } = await this.client.query("SELECT count(*) AS n FROM request_nonces WHERE account = $1", [
      account
    ])
    return rows[0].n
  }
}
