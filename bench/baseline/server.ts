/** The straightforward service that ours is compared with: hono, viem's recovery, one transaction of separate statements. */
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import pg from "pg"
import { type Hex, keccak256, recoverTypedDataAddress, stringToBytes } from "viem"
import { AUDIENCE, CHAIN } from "../support/Requests.ts"

const pool = new pg.Pool({ connectionString: process.env.DATABASE ?? "", max: 10 })

const types = {
  ServiceRequest: [
    { name: "audience", type: "string" },
    { name: "accountId", type: "string" },
    { name: "signer", type: "address" },
    { name: "grantId", type: "string" },
    { name: "method", type: "string" },
    { name: "requestTarget", type: "string" },
    { name: "contentType", type: "string" },
    { name: "bodyHash", type: "bytes32" },
    { name: "issuedAt", type: "uint64" },
    { name: "expiresAt", type: "uint64" },
    { name: "nonce", type: "bytes32" },
    { name: "idempotencyKey", type: "string" }
  ]
} as const

const domain = {
  name: "Service REST",
  version: "1",
  chainId: CHAIN,
  salt: keccak256(stringToBytes(AUDIENCE))
}

const hex = (text: string): Hex => `0x${text.slice(2)}`

const seconds = async (client: pg.PoolClient): Promise<number> => {
  const { rows } = await client.query("SELECT extract(epoch FROM clock_timestamp()) AS now")
  return Number(rows[0].now)
}

const consume = async (client: pg.PoolClient, accountId: string, nonce: Buffer, expiresAt: number) => {
  await client.query("BEGIN")
  const { rows } = await client.query("SELECT * FROM accounts WHERE id = $1 FOR UPDATE", [accountId])
  const account = rows[0]
  await client.query("SELECT * FROM bot_grants WHERE account = $1 AND id = $2", [account.number, null])
  const now = await seconds(client)
  if (now >= expiresAt) throw new Error("expired")
  await client.query("DELETE FROM request_nonces WHERE account = $1 AND expires_at <= $2", [
    account.number,
    Math.floor(now)
  ])
  const known = await client.query("SELECT 1 FROM request_nonces WHERE account = $1 AND nonce = $2", [
    account.number,
    nonce
  ])
  if (known.rows.length > 0) throw new Error("reused")
  const counted = await client.query("SELECT count(*) FROM request_nonces WHERE account = $1", [
    account.number
  ])
  if (Number(counted.rows[0].count) >= 1000) throw new Error("full")
  await client.query("INSERT INTO request_nonces (account, nonce, expires_at) VALUES ($1, $2, $3)", [
    account.number,
    nonce,
    expiresAt
  ])
  if ((await seconds(client)) >= expiresAt) throw new Error("expired")
  await client.query(
    `INSERT INTO request_usage AS u (account, minute, owner_count, bots_count)
     VALUES ($1, extract(epoch FROM now())::bigint / 60, 1, 0)
     ON CONFLICT (account, minute) DO UPDATE SET owner_count = u.owner_count + 1`,
    [account.number]
  )
  await client.query("COMMIT")
  return account
}

const app = new Hono()

app.get("/api/v1/accounts/me", async context => {
  const header = (name: string) => context.req.header(name) ?? ""
  const url = new URL(context.req.url)
  const accountId = header("x-service-account")
  const expiresAt = Number(header("x-service-expires-at"))
  const nonce = hex(header("x-service-nonce"))
  const signer = await recoverTypedDataAddress({
    domain,
    types,
    primaryType: "ServiceRequest",
    message: {
      audience: AUDIENCE,
      accountId,
      signer: hex(header("x-service-signer")),
      grantId: header("x-service-grant"),
      method: context.req.method,
      requestTarget: url.pathname + url.search,
      contentType: header("content-type"),
      bodyHash: keccak256(new Uint8Array(0)),
      issuedAt: BigInt(header("x-service-issued-at")),
      expiresAt: BigInt(expiresAt),
      nonce,
      idempotencyKey: header("idempotency-key")
    },
    signature: hex(header("x-service-signature"))
  })
  if (signer.toLowerCase() !== header("x-service-signer").toLowerCase())
    return context.json({ error: "signature" }, 401)
  const client = await pool.connect()
  try {
    const account = await consume(client, accountId, Buffer.from(nonce.slice(2), "hex"), expiresAt)
    return context.json({ account: { id: account.id, createdAt: account.created_at } })
  } catch {
    await client.query("ROLLBACK")
    return context.json({ error: "refused" }, 409)
  } finally {
    client.release()
  }
})

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: "127.0.0.1" })
