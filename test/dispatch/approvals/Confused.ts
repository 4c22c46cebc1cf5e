/** Signatures of another type, domain or hand over the very values of an approval. */
import { hashMessage, hashTypedData, keccak256, stringToBytes, type TypedDataDomain } from "viem"
import { BOT_PROOF } from "../../support/Bots.ts"
import { SERVICE_REQUEST } from "../../support/SignedFetch.ts"
import { TRANSACTION_APPROVAL } from "../../support/StepApproval.ts"
import { domainOf, type Ground, type Hex, type Mutant, SIGNATURE, signedBy, typedData } from "./Ground.ts"

const domains = (ground: Ground): ReadonlyArray<readonly [string, TypedDataDomain]> => {
  const { audience } = ground
  const other = (over: TypedDataDomain) => domainOf(audience, over)
  const { salt: _salt, ...saltless } = domainOf(audience)
  const { chainId: _chain, ...chainless } = domainOf(audience)
  return [
    ["of another name", other({ name: "Service Rest" })],
    ["of version 2", other({ version: "2" })],
    ["of no version", { ...other({}), version: "" }],
    ["of chain 1", other({ chainId: 1 })],
    ["of chain 0", other({ chainId: 0 })],
    ["of another salt", other({ salt: keccak256(stringToBytes(`${audience}/`)) })],
    ["of a zero salt", other({ salt: `0x${"00".repeat(32)}` })],
    ["without salt", saltless],
    ["without chain", chainless],
    ["with a verifying contract", other({ verifyingContract: `0x${"11".repeat(20)}` })],
    ["of another service", domainOf("https://other.example")]
  ]
}

const otherDomains = (ground: Ground) =>
  domains(ground).map(async ([name, domain]) => ({
    name: `signed in a domain ${name}`,
    code: SIGNATURE,
    given: await signedBy(ground.owner, ground, {}, domain)
  }))

const otherSigners = (ground: Ground) =>
  [["the bot", ground.bot] as const, ["a stranger", ground.stranger] as const].map(async ([who, key]) => ({
    name: `signed by ${who}`,
    code: SIGNATURE,
    given: await signedBy(key, ground)
  }))

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

const widened = TRANSACTION_APPROVAL.map(member =>
  member.type.startsWith("uint") ? { ...member, type: "uint256" } : member
)
const reordered = [...TRANSACTION_APPROVAL].reverse()
const silent = TRANSACTION_APPROVAL.filter(({ name }) => name !== "audience")

/** The owner's key over the same values in some other form. */
const otherForms = (ground: Ground): ReadonlyArray<readonly [string, Promise<Hex>]> => {
  const { owner, approved, audience } = ground
  const data = typedData(ground, approved)
  const domain = domainOf(audience)
  const message: Record<string, unknown> = { ...data.message }
  const digest = hashTypedData(data)
  const as = (fields: typeof widened, primaryType = "ServiceTransactionApproval") =>
    owner.signTypedData({ domain, types: { [primaryType]: fields }, primaryType, message })
  return [
    [
      "a sponsorship approval",
      owner.signTypedData({
        domain,
        types: { ServiceSponsorshipApproval: SPONSORSHIP_APPROVAL },
        primaryType: "ServiceSponsorshipApproval",
        message: { ...data.message, sponsorshipId: approved.planId, submissionHash: approved.transactionHash }
      })
    ],
    ["a request", requestBy(ground)],
    ["a bot proof", proofOf(ground)],
    ["another type of the same members", as([...TRANSACTION_APPROVAL], "ServiceTransactionApproval2")],
    ["wider integers", as(widened)],
    ["members in another order", as(reordered)],
    ["no audience", as(silent)],
    ["a personal message of the digest", owner.signMessage({ message: { raw: digest } })],
    ["a personal message of the JSON", owner.signMessage({ message: JSON.stringify(approved) })],
    ["the transaction's hash", owner.sign({ hash: approved.transactionHash })],
    ["the commitment", owner.sign({ hash: approved.commitment })],
    ["the hash of the digest", owner.sign({ hash: keccak256(digest) })],
    ["the prefixed digest", owner.sign({ hash: hashMessage({ raw: digest }) })]
  ]
}

const requestBy = ({ owner, approved, audience, target, submittedBody }: Ground): Promise<Hex> =>
  owner.signTypedData({
    domain: domainOf(audience),
    types: { ServiceRequest: SERVICE_REQUEST },
    primaryType: "ServiceRequest",
    message: {
      audience,
      accountId: approved.accountId,
      signer: owner.address,
      grantId: "",
      method: "POST",
      requestTarget: target,
      contentType: "application/json",
      bodyHash: keccak256(stringToBytes(submittedBody)),
      issuedAt: BigInt(approved.issuedAt),
      expiresAt: BigInt(approved.expiresAt),
      nonce: approved.nonce,
      idempotencyKey: ""
    }
  })

const proofOf = ({ owner, approved, audience, bot: { address } }: Ground): Promise<Hex> =>
  owner.signTypedData({
    domain: domainOf(audience),
    types: { ServiceBotProof: BOT_PROOF },
    primaryType: "ServiceBotProof",
    message: {
      audience,
      accountId: approved.accountId,
      botAddress: address,
      scopes: ["read", "plan", "relay"],
      expiresAt: BigInt(approved.expiresAt),
      label: "",
      ownerRequestNonce: approved.nonce
    }
  })

const confused = (ground: Ground) =>
  otherForms(ground).map(async ([name, signature]) => ({
    name: `the signature of ${name}`,
    code: SIGNATURE,
    given: { ...ground.approved, signature: await signature }
  }))

export const confusedMutants = (ground: Ground): Promise<ReadonlyArray<Mutant>> =>
  Promise.all([...otherDomains(ground), ...otherSigners(ground), ...confused(ground)])
