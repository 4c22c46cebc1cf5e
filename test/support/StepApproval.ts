/** The owner's approval of one step of a bot's plan. */
import { type Hex, keccak256, stringToBytes } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import type { Plan } from "../../src/plans/Plan.ts"
import { freshNonce, type Party } from "./SignedFetch.ts"

export const TRANSACTION_APPROVAL = [
  { name: "audience", type: "string" },
  { name: "accountId", type: "string" },
  { name: "principalId", type: "string" },
  { name: "planId", type: "string" },
  { name: "commitment", type: "bytes32" },
  { name: "stepIndex", type: "uint32" },
  { name: "transactionHash", type: "bytes32" },
  { name: "issuedAt", type: "uint64" },
  { name: "expiresAt", type: "uint64" },
  { name: "nonce", type: "bytes32" }
] as const

export interface Approved {
  readonly accountId: string
  readonly principalId: string
  readonly planId: string
  readonly commitment: Hex
  readonly stepIndex: number
  readonly transactionHash: Hex
  readonly issuedAt: number
  readonly expiresAt: number
  readonly nonce: Hex
}

export const approvedStep = (bot: Party, plan: Plan, raw: Hex, over: Partial<Approved> = {}): Approved => {
  const issuedAt = over.issuedAt ?? Math.floor(Date.now() / 1000)
  return {
    accountId: bot.accountId,
    principalId: `bot:${bot.grantId}`,
    planId: plan.id,
    commitment: plan.commitment,
    stepIndex: 0,
    transactionHash: keccak256(raw),
    issuedAt,
    expiresAt: issuedAt + 120,
    nonce: freshNonce(),
    ...over
  }
}

/** The approval signed by this key, over this audience and chain. */
export const signApproval = async (
  key: PrivateKeyAccount,
  domain: { readonly audience: string; readonly chainId?: number },
  approved: Approved
) => {
  const { audience, chainId = 31337 } = domain
  const signature = await key.signTypedData({
    domain: { name: "Service REST", version: "1", chainId, salt: keccak256(stringToBytes(audience)) },
    types: { ServiceTransactionApproval: TRANSACTION_APPROVAL },
    primaryType: "ServiceTransactionApproval",
    message: {
      ...approved,
      audience,
      issuedAt: BigInt(approved.issuedAt),
      expiresAt: BigInt(approved.expiresAt)
    }
  })
  return { ...approved, signature }
}
