/** What the wallet and the owner sign of a sponsorship, by viem. */
import { type Hex, keccak256, stringToBytes } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { assert } from "vitest"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import { submissionHash } from "../../../src/values/TypedDataSubmission.ts"
import { FORWARD_REQUEST } from "../../support/ForwardRequest.ts"
import type { RunningService } from "../../support/Service.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"
import type { SponsoredAuthorization } from "./Sponsored.ts"

export const typedMessage = ({ message }: SponsoredAuthorization) => ({
  ...message,
  value: BigInt(message.value),
  gas: BigInt(message.gas),
  nonce: BigInt(message.nonce),
  deadline: Number(message.deadline)
})

export const signAuthorization = (key: PrivateKeyAccount, authorization: SponsoredAuthorization) =>
  key.signTypedData({
    domain: authorization.domain,
    types: FORWARD_REQUEST,
    primaryType: "ForwardRequest",
    message: typedMessage(authorization)
  })

export const signAll = (key: PrivateKeyAccount, { authorizations }: Sponsorship): Promise<Array<Hex>> =>
  Promise.all(authorizations.map(authorization => signAuthorization(key, authorization)))

type Service = Pick<RunningService, "url" | "audience">

export const askPublication = (
  service: Service,
  party: Party,
  { id }: Pick<Sponsorship, "id">,
  body: Readonly<Record<string, unknown>>,
  options: RequestOptions = {}
) =>
  signedFetch(service, party, "POST", `/api/v1/sponsorships/${id}/submissions`, {
    body,
    idempotencyKey: freshNonce(),
    ...options
  })

/** Signed by the owner's wallet, and published by the owner. */
export const published = async (
  service: Service,
  owner: Party,
  sponsorship: Sponsorship
): Promise<Sponsorship> => {
  const signatures = await signAll(owner.key, sponsorship)
  const answer = await askPublication(service, owner, sponsorship, { signatures })
  const body = await answer.json()
  assert.strictEqual(answer.status, 202, JSON.stringify(body))
  return body
}

const SPONSORSHIP_APPROVAL = [
  { name: "audience", type: "string" },
  { name: "accountId", type: "string" },
  { name: "principalId", type: "string" },
  { name: "sponsorshipId", type: "string" },
  { name: "commitment", type: "bytes32" },
  { name: "submissionHash", type: "bytes32" },
  { name: "issuedAt", type: "uint64" },
  { name: "expiresAt", type: "uint64" },
  { name: "nonce", type: "bytes32" }
] as const

export interface SponsorshipApproval {
  readonly accountId: string
  readonly principalId: string
  readonly sponsorshipId: string
  readonly commitment: Hex
  readonly submissionHash: Hex
  readonly issuedAt: number
  readonly expiresAt: number
  readonly nonce: Hex
}

export const approveBy = async (key: PrivateKeyAccount, audience: string, approved: SponsorshipApproval) => {
  const { issuedAt, expiresAt } = approved
  const signature = await key.signTypedData({
    domain: { name: "Service REST", version: "1", chainId: 31337, salt: keccak256(stringToBytes(audience)) },
    types: { ServiceSponsorshipApproval: SPONSORSHIP_APPROVAL },
    primaryType: "ServiceSponsorshipApproval",
    message: { ...approved, audience, issuedAt: BigInt(issuedAt), expiresAt: BigInt(expiresAt) }
  })
  return { ...approved, signature }
}

export const approvedFor = (
  bot: Party,
  { id, commitment }: Sponsorship,
  signatures: ReadonlyArray<Hex>,
  over: Partial<SponsorshipApproval> = {}
): SponsorshipApproval => {
  const hash = submissionHash(commitment, signatures)
  const issuedAt = Math.floor(Date.now() / 1000)
  return {
    accountId: bot.accountId,
    principalId: `bot:${bot.grantId}`,
    sponsorshipId: id,
    commitment,
    submissionHash: hash._tag === "Some" ? hash.value : assert.fail("no signatures"),
    issuedAt,
    expiresAt: issuedAt + 120,
    nonce: freshNonce(),
    ...over
  }
}

/** With a fresh approval of its owner. */
export const publishedByBot = async (
  service: Service,
  owner: Party,
  bot: Party,
  sponsorship: Sponsorship
): Promise<void> => {
  const signatures = await signAll(owner.key, sponsorship)
  const approved = approvedFor(bot, sponsorship, signatures)
  const ownerApproval = await approveBy(owner.key, service.audience, approved)
  const answer = await askPublication(service, bot, sponsorship, { signatures, ownerApproval })
  assert.strictEqual(answer.status, 202, await answer.text())
}
