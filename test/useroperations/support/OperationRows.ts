/** Operations and what they rest on, put there by hand for the claim of their one sending. */
import { randomUUID } from "node:crypto"
import { assert } from "vitest"
import type { ClaimBench } from "../../support/ClaimBench.ts"
import { MILLIS, NOW, type Request } from "../../support/ClaimSession.ts"
import { accountId } from "../../support/Ledger.ts"

export const WALLET = `0x${"5a".repeat(20)}`
export const STATE = `0x${"57".repeat(32)}`
export const BINDING = `0x${"b1".repeat(32)}`

export const CLAIM_SENDING =
  "SELECT verdict, bound_to FROM claim_user_operation(json_populate_record(NULL::send_request, $1::json))"

const TABLES = ["transport_bindings", "user_operations", "operation_sends", "idempotency_keys", "plans"]

const OWNER = `owner:${accountId()}`

export const operationRows = (bench: ClaimBench) => {
  const insert = async (over: Request = {}): Promise<string> => {
    const id = randomUUID()
    const row = {
      id,
      account: bench.account,
      principal: OWNER,
      plan: bench.plan,
      steps: [0],
      chain_id: 1,
      entry_point: "0xe",
      sender: WALLET,
      nonce: 7,
      binding: BINDING,
      state_hash: STATE,
      terms: {},
      operation_hash: `0x${id}`,
      commitment: "0xc",
      created_at: MILLIS,
      expires_at: MILLIS + 50_000,
      valid_until: NOW + 40,
      since_block: 1,
      maximum_cost: 1,
      wallet_code_hash: "0x1",
      entry_point_code_hash: "0x2",
      revision: 0,
      claimed: false,
      revived: false,
      sweep_attempts: 0,
      ...over
    }
    await bench.sql(
      "INSERT INTO user_operations SELECT * FROM json_populate_record(NULL::user_operations, $1)",
      [JSON.stringify(row)]
    )
    return id
  }

  const bindWallet = (account: number, id: string) =>
    bench.sql(
      `INSERT INTO bindings (id, account, chain_id, address, manifest, state_hash, snapshot, digest, nonce, expires_at, created_at)
       VALUES ($1, $2, 1, $3, 'm', $4, '{}', '0xd', '0x1', 1, 1)`,
      [id, account, WALLET, STATE]
    )

  /** The owner's wallet, and nothing of the test before. */
  const begin = async () => {
    await bench.begin()
    await bench.sql("TRUNCATE wallets CASCADE")
    await bench.sql("INSERT INTO wallets VALUES (1, $1)", [WALLET])
    await bindWallet(bench.account, BINDING)
  }

  const request = (operation: string, over: Request = {}): Request => ({
    account_id: accountId(),
    principal: OWNER,
    grant_id: null,
    operation,
    key: randomUUID(),
    identity: "a request",
    keys_per_account: 10_000,
    commitment: "0xf",
    signature: "0x5165",
    judged_revision: null,
    is_blocked: false,
    token: randomUUID(),
    lease_millis: 60_000,
    sweep_millis: 2_000,
    ...over
  })

  const asked = async (given: Request) => (await bench.sql(CLAIM_SENDING, [JSON.stringify(given)]))[0]

  const stored = async () => {
    const lists = TABLES.map(table => `(SELECT json_agg(t ORDER BY t::text) FROM ${table} t) AS ${table}`)
    return (await bench.sql(`SELECT ${lists.join(", ")}`))[0]
  }

  const refused = async (given: Request, verdict: string, bound_to = "") => {
    const before = await stored()
    assert.deepEqual(await asked(given), { verdict, bound_to })
    assert.deepEqual(await stored(), before)
  }

  return { insert, bindWallet, begin, request, asked, refused }
}
