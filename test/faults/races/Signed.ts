/** What owners and bots of a race sign, quickly: requests, proofs, approvals and transactions. */
import { randomBytes } from "node:crypto"
import { type Hex, serializeTransaction } from "viem"
import { freshNonce } from "../../../src/client/SignRequest.ts"
import { realSystem } from "../../../src/client/System.ts"
import type { Call, Plan } from "../../../src/plans/Plan.ts"
import { keccak256, keccak256Bytes } from "../../../src/values/Keccak.ts"
import { botProofDigest, transactionApprovalDigest } from "../../../src/values/TypedDataHash.ts"
import { sign, signParts } from "../../signatures/TestKeys.ts"
import { fastHeaders, type Signer, type Signing } from "../../support/FastSign.ts"
import { plannedTransaction } from "../../support/PlannedTransaction.ts"

export const AUDIENCE = "http://localhost:8787"

const clock = { ahead: 0 }

/** What is signed from now on is signed by a clock that is so many seconds ahead. */
export const setClocksAhead = (seconds: number): void => {
  clock.ahead = seconds
}

/** On the wire, except for where it goes. */
export interface Ready {
  readonly target: string
  readonly init: RequestInit
  /** The same wish signed anew; absent where only these very bytes will do. */
  readonly again?: () => Ready
}

export const newKey = (): string => randomBytes(16).toString("hex")

interface Asked {
  readonly method: "GET" | "POST" | "DELETE"
  readonly target: string
  readonly body?: unknown
  readonly key?: string
  readonly nonce?: Hex
}

export const ready = (signer: Signer, asked: Asked): Ready => {
  const { method, target, body, key, nonce } = asked
  const text = body === undefined ? undefined : JSON.stringify(body)
  const signing: Signing = {
    audience: AUDIENCE,
    method,
    target,
    ahead: clock.ahead,
    ...(text === undefined ? {} : { body: text, contentType: "application/json" }),
    ...(key === undefined ? {} : { idempotencyKey: key }),
    ...(nonce === undefined ? {} : { nonce })
  }
  const headers = { ...fastHeaders(signer, signing) }
  const init = { method, headers, ...(text === undefined ? {} : { body: text }) }
  return { target, init, ...(nonce === undefined ? { again: () => ready(signer, asked) } : {}) }
}

const HOUR = 3_600

/** The owner's request for a bot that may relay. */
export const registration = (owner: Signer, bot: Signer["key"], seconds = HOUR): Ready => {
  const nonce = freshNonce(realSystem)
  const terms = {
    botAddress: bot.address,
    scopes: ["read", "plan", "relay"],
    expiresAt: Math.floor(Date.now() / 1000) + seconds,
    label: ""
  }
  const { accountId, chainId } = owner
  const digest = botProofDigest(AUDIENCE, chainId, { ...terms, accountId, ownerRequestNonce: nonce })
  const body = { ...terms, proofSignature: sign(bot, digest) }
  const request = ready(owner, { method: "POST", target: "/api/v1/accounts/me/bots", body, nonce })
  return { ...request, again: () => registration(owner, bot, seconds) }
}

export const transactionFor = (
  { key }: Signer,
  call: Pick<Call, "chainId" | "to" | "data" | "value">,
  nonce: number,
  tip = 1_000_000_000n
): Hex => {
  const transaction = plannedTransaction(call, nonce, tip)
  const unsigned = Buffer.from(serializeTransaction(transaction).slice(2), "hex")
  const { compact, recoveryId } = signParts(key, keccak256Bytes(unsigned))
  const half = (from: number): Hex => `0x${Buffer.from(compact.subarray(from, from + 32)).toString("hex")}`
  return serializeTransaction(transaction, { r: half(0), s: half(32), yParity: recoveryId === 1 ? 1 : 0 })
}

export const hashOf = (raw: Hex): Hex => keccak256(Buffer.from(raw.slice(2), "hex"))

/** The owner's consent that a bot carries. */
export const approvalBy = (
  owner: Signer,
  grantId: string,
  plan: Pick<Plan, "id" | "commitment">,
  raw: Hex
) => {
  const issuedAt = Math.floor(Date.now() / 1000)
  const approval = {
    accountId: owner.accountId,
    principalId: `bot:${grantId}`,
    planId: plan.id,
    commitment: plan.commitment,
    stepIndex: 0,
    transactionHash: hashOf(raw),
    issuedAt,
    expiresAt: issuedAt + 120,
    nonce: freshNonce(realSystem)
  }
  return {
    ...approval,
    signature: sign(owner.key, transactionApprovalDigest(AUDIENCE, owner.chainId, approval))
  }
}
