import type { MessageOf } from "../../src/values/TypedData.ts"
import { sponsorshipApprovalDigest, transactionApprovalDigest } from "../../src/values/TypedDataHash.ts"
import { sign, signCompact, signHighS } from "../../test/signatures/TestKeys.ts"
import {
  AUDIENCE,
  accountId,
  CHAIN,
  GRANT,
  type Hex,
  NOW,
  owner,
  PLAN,
  stranger,
  vector,
  word
} from "./Vector.ts"

type ApprovalType = "ServiceTransactionApproval" | "ServiceSponsorshipApproval"
type Fields<Type extends ApprovalType> = Omit<MessageOf<Type>, "audience">

interface Making<Type extends ApprovalType> {
  readonly change?: Partial<Fields<Type>>
  readonly audience?: string
  readonly chainId?: number
  readonly serverTime?: number
  readonly sign?: (digest: Uint8Array, message: Fields<Type>) => Hex
}

interface Kind<Type extends ApprovalType> {
  readonly type: Type
  readonly base: Fields<Type>
  readonly digest: (audience: string, chainId: number, message: Fields<Type>) => Uint8Array
}

const shared = {
  accountId: accountId(CHAIN),
  principalId: `bot:${GRANT}`,
  commitment: word("c0"),
  issuedAt: NOW,
  expiresAt: NOW + 300,
  nonce: word("9a")
}

const { accountId: account, principalId, commitment, ...window } = shared

const transaction: Kind<"ServiceTransactionApproval"> = {
  type: "ServiceTransactionApproval",
  base: {
    accountId: account,
    principalId,
    planId: PLAN,
    commitment,
    stepIndex: 0,
    transactionHash: word("7a"),
    ...window
  },
  digest: transactionApprovalDigest
}

const sponsorship: Kind<"ServiceSponsorshipApproval"> = {
  type: "ServiceSponsorshipApproval",
  base: {
    accountId: account,
    principalId,
    sponsorshipId: PLAN,
    commitment,
    submissionHash: word("7a"),
    ...window
  },
  digest: sponsorshipApprovalDigest
}

const approvalVector =
  <Type extends ApprovalType>(kind: Kind<Type>) =>
  (problem: string | null, name: string, description: string, making: Making<Type> = {}) => {
    const { audience = AUDIENCE, chainId = CHAIN, serverTime = NOW } = making
    const message = { ...kind.base, ...making.change }
    const digest = kind.digest(audience, chainId, message)
    const signature = making.sign?.(digest, message) ?? sign(owner, digest)
    const rest = {
      audience,
      chainId,
      message,
      signature,
      signer: owner.address,
      serverTime,
      likelyCause: null
    }
    return vector(kind.type, { name, description, problem, ...rest })
  }

const UNSIGNED = "INVALID_OWNER_APPROVAL_SIGNATURE"
const EXPIRED = "OWNER_APPROVAL_EXPIRED"
const MALFORMED = "INVALID_OWNER_APPROVAL"

/** The changes name members that approvals of both types have. */
type Change<Type extends ApprovalType> = (fields: Partial<typeof shared>) => Partial<Fields<Type>>

const acceptedBoth = <Type extends ApprovalType>(kind: Kind<Type>, change: Change<Type>) => {
  const made = approvalVector(kind)
  return [
    made(null, "plain", "The longest window, just issued."),
    made(null, "last-second", "One second before the end.", { serverTime: NOW + 299 }),
    made(null, "ahead-30", "A clock 30 seconds ahead is allowed.", { serverTime: NOW - 30 }),
    made(null, "chain-1", "Another authority chain.", {
      chainId: 1,
      change: change({ accountId: accountId(1) })
    }),
    made(null, "audience-localhost", "Another audience.", { audience: "http://localhost:8080" })
  ]
}

const refusedBoth = <Type extends ApprovalType>(kind: Kind<Type>, change: Change<Type>) => {
  const made = approvalVector(kind)
  const signedAs =
    (fields: Partial<typeof shared>, chainId = CHAIN, audience = AUDIENCE) =>
    (_: Uint8Array, message: Fields<Type>): Hex =>
      sign(owner, kind.digest(audience, chainId, { ...message, ...change(fields) }))
  return [
    made(UNSIGNED, "other-signer", "Another key signed.", { sign: digest => sign(stranger, digest) }),
    made(UNSIGNED, "account-changed", "Signed for another account.", {
      sign: signedAs({ accountId: accountId(1) })
    }),
    made(UNSIGNED, "principal-changed", "Signed for another bot.", {
      sign: signedAs({ principalId: `bot:${PLAN}` })
    }),
    made(UNSIGNED, "commitment-changed", "Signed for other contents.", {
      sign: signedAs({ commitment: word("c1") })
    }),
    made(UNSIGNED, "expiry-changed", "Signed with another expiry.", {
      sign: signedAs({ expiresAt: NOW + 299 })
    }),
    made(UNSIGNED, "nonce-changed", "Signed with another nonce.", { sign: signedAs({ nonce: word("9b") }) }),
    made(UNSIGNED, "chain-changed", "Signed on another chain.", { sign: signedAs({}, 1) }),
    made(UNSIGNED, "audience-changed", "Signed for another service.", {
      sign: signedAs({}, CHAIN, "https://other.example")
    }),
    made(UNSIGNED, "high-s", "The mirrored signature.", { sign: digest => signHighS(owner, digest) }),
    made(UNSIGNED, "eip-2098", "The compact form.", { sign: digest => signCompact(owner, digest) }),
    made(EXPIRED, "expired-now", "The end of the window is outside it.", { serverTime: NOW + 300 }),
    made(EXPIRED, "ahead-31", "Issued 31 seconds in the future.", { serverTime: NOW - 31 }),
    made(MALFORMED, "window-301", "A window of 301 seconds.", { change: change({ expiresAt: NOW + 301 }) })
  ]
}

const transactionVector = approvalVector(transaction)
const sponsorshipVector = approvalVector(sponsorship)

export const transactionApprovals = [
  ...acceptedBoth(transaction, fields => fields),
  ...refusedBoth(transaction, fields => fields),
  transactionVector(null, "step-1", "The second step.", { change: { stepIndex: 1 } }),
  transactionVector(null, "step-largest", "The largest uint32.", { change: { stepIndex: 2 ** 32 - 1 } }),
  transactionVector(UNSIGNED, "step-changed", "Signed for another step.", {
    sign: (_, message) =>
      sign(owner, transactionApprovalDigest(AUDIENCE, CHAIN, { ...message, stepIndex: 1 }))
  }),
  transactionVector(UNSIGNED, "transaction-changed", "Signed for another transaction.", {
    sign: (_, message) =>
      sign(owner, transactionApprovalDigest(AUDIENCE, CHAIN, { ...message, transactionHash: word("7b") }))
  }),
  transactionVector(
    UNSIGNED,
    "sponsorship-signature",
    "An approval of the other type over the same values.",
    {
      sign: (_, { planId, transactionHash, stepIndex: _step, ...message }) =>
        sign(
          owner,
          sponsorshipApprovalDigest(AUDIENCE, CHAIN, {
            ...message,
            sponsorshipId: planId,
            submissionHash: transactionHash
          })
        )
    }
  )
]

export const sponsorshipApprovals = [
  ...acceptedBoth(sponsorship, fields => fields),
  ...refusedBoth(sponsorship, fields => fields),
  sponsorshipVector(UNSIGNED, "submission-changed", "Signed for another submission.", {
    sign: (_, message) =>
      sign(owner, sponsorshipApprovalDigest(AUDIENCE, CHAIN, { ...message, submissionHash: word("7b") }))
  }),
  sponsorshipVector(
    UNSIGNED,
    "transaction-signature",
    "An approval of the other type over the same values.",
    {
      sign: (_, { sponsorshipId, submissionHash, ...message }) =>
        sign(
          owner,
          transactionApprovalDigest(AUDIENCE, CHAIN, {
            ...message,
            planId: sponsorshipId,
            stepIndex: 0,
            transactionHash: submissionHash
          })
        )
    }
  )
]
