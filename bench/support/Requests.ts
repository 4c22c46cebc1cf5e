/** Pre-signed requests of many accounts, as the bytes that go on the wire. */
import { randomBytes } from "node:crypto"
import { keccak256 } from "../../src/values/Keccak.ts"
import { requestDigest } from "../../src/values/TypedDataHash.ts"
import { sign, testKey } from "../../test/signatures/TestKeys.ts"

export const AUDIENCE = "http://localhost:8787"
export const CHAIN = 1
const TARGET = "/api/v1/accounts/me"
const NO_BODY = keccak256(new Uint8Array(0))
const WINDOW_SECONDS = 290

export interface BenchAccount {
  readonly id: string
  readonly key: ReturnType<typeof testKey>
}

export const benchAccounts = (count: number): ReadonlyArray<BenchAccount> =>
  Array.from({ length: count }, (_, index) => {
    const key = testKey(`bench account ${index}`)
    return { id: `eip155:${CHAIN}:${key.address}`, key }
  })

const signedGet = ({ id, key }: BenchAccount, issuedAt: number): Buffer => {
  const nonce = `0x${randomBytes(32).toString("hex")}` as const
  const expiresAt = issuedAt + WINDOW_SECONDS
  const digest = requestDigest(AUDIENCE, CHAIN, {
    accountId: id,
    signer: key.address,
    grantId: "",
    method: "GET",
    requestTarget: TARGET,
    contentType: "",
    bodyHash: NO_BODY,
    issuedAt,
    expiresAt,
    nonce,
    idempotencyKey: ""
  })
  const lines = [
    `GET ${TARGET} HTTP/1.1`,
    "Host: localhost",
    `X-Service-Account: ${id}`,
    `X-Service-Signer: ${key.address}`,
    `X-Service-Issued-At: ${issuedAt}`,
    `X-Service-Expires-At: ${expiresAt}`,
    `X-Service-Nonce: ${nonce}`,
    `X-Service-Signature: ${sign(key, digest)}`
  ]
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`)
}

/** Round robin over the accounts. */
export const signedGets = (accounts: ReadonlyArray<BenchAccount>, count: number): ReadonlyArray<Buffer> => {
  const issuedAt = Math.floor(Date.now() / 1000)
  return Array.from({ length: count }, (_, index) => {
    const account = accounts[index % accounts.length]
    if (account === undefined) throw new Error("no accounts")
    return signedGet(account, issuedAt)
  })
}
