/** Signed posts and signed transactions of many accounts, as the bytes that go on the wire. */
import { randomBytes } from "node:crypto"
import { type Hex, serializeTransaction } from "viem"
import type { Call } from "../../src/plans/Plan.ts"
import { keccak256, keccak256Bytes } from "../../src/values/Keccak.ts"
import { requestDigest } from "../../src/values/TypedDataHash.ts"
import { sign, signParts } from "../../test/signatures/TestKeys.ts"
import { AUDIENCE, type BenchAccount, CHAIN } from "./Requests.ts"

const WINDOW_SECONDS = 290
const JSON_TYPE = "application/json"

export const random = () => `0x${randomBytes(32).toString("hex")}` as const

export interface Outgoing {
  readonly method: "GET" | "POST"
  readonly target: string
  readonly body?: unknown
  /** Where something else that is signed names it. */
  readonly nonce?: Hex
}

/** The headers and the body of a request signed now. */
export const signedParts = (
  { id, key }: BenchAccount,
  { method, target, body, nonce = random() }: Outgoing
) => {
  const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body))
  const issuedAt = Math.floor(Date.now() / 1000)
  const expiresAt = issuedAt + WINDOW_SECONDS
  const hasBody = body !== undefined
  const idempotencyKey = hasBody ? random() : ""
  const digest = requestDigest(AUDIENCE, CHAIN, {
    accountId: id,
    signer: key.address,
    grantId: "",
    method,
    requestTarget: target,
    contentType: hasBody ? JSON_TYPE : "",
    bodyHash: keccak256(bytes),
    issuedAt,
    expiresAt,
    nonce,
    idempotencyKey
  })
  const headers: Readonly<Record<string, string>> = {
    "X-Service-Account": id,
    "X-Service-Signer": key.address,
    "X-Service-Issued-At": String(issuedAt),
    "X-Service-Expires-At": String(expiresAt),
    "X-Service-Nonce": nonce,
    "X-Service-Signature": sign(key, digest),
    ...(hasBody ? { "Content-Type": JSON_TYPE, "Idempotency-Key": idempotencyKey } : {})
  }
  return { headers, bytes }
}

export const wireOf = (account: BenchAccount, outgoing: Outgoing): Buffer => {
  const { headers, bytes } = signedParts(account, outgoing)
  const lines = [
    `${outgoing.method} ${outgoing.target} HTTP/1.1`,
    "Host: localhost",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(bytes.length === 0 ? [] : [`Content-Length: ${bytes.length}`])
  ]
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes])
}

export const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"
const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const BENEFICIARY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

/** A payment to a project, which is the same calldata for everyone. */
export const payment = (chainId: number, contractId: string, projectId: string) => ({
  chainId,
  contractId,
  function: PAY,
  args: [projectId, NATIVE_TOKEN, "1000", BENEFICIARY, "0", "thanks", "0x"],
  value: "1000"
})

export const planRequest = (account: BenchAccount, calls: ReadonlyArray<unknown>): Outgoing => ({
  method: "POST",
  target: "/api/v1/plans",
  body: { operation: "contract_calls", input: { account: account.key.address, calls } }
})

/** An EIP-1559 transaction of exactly this call. */
export const signedTransaction = (
  { key }: BenchAccount,
  call: Pick<Call, "chainId" | "to" | "data" | "value">,
  nonce: number
): Hex => {
  const transaction = {
    type: "eip1559",
    chainId: call.chainId,
    to: call.to,
    data: call.data,
    value: BigInt(call.value),
    nonce,
    gas: 1_000_000n,
    maxFeePerGas: 100_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n
  } as const
  const unsigned = Buffer.from(serializeTransaction(transaction).slice(2), "hex")
  const { compact, recoveryId } = signParts(key, keccak256Bytes(unsigned))
  const half = (from: number): Hex => `0x${Buffer.from(compact.subarray(from, from + 32)).toString("hex")}`
  return serializeTransaction(transaction, { r: half(0), s: half(32), yParity: recoveryId === 1 ? 1 : 0 })
}

export const submission = (planId: string, step: number, rawSignedTransaction: Hex): Outgoing => ({
  method: "POST",
  target: `/api/v1/plans/${planId}/steps/${step}/submissions`,
  body: { rawSignedTransaction }
})
