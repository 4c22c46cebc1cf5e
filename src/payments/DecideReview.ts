/** Decides a review once, for the page that shows it: approved by the wallet's passkey alone, cancelled by whoever has its address. */
import { createHash } from "node:crypto"
import { Effect, Either, Option } from "effect"
import { encodeFunctionData, parseAbi } from "viem"
import type { CallOutcome } from "../chain/ChainClient.ts"
import { batched } from "../chain/GatheredSession.ts"
import { call } from "../chain/PinnedReads.ts"
import { nodeRefused } from "../protocol/Answers.ts"
import { evidenceOf } from "../protocol/BlockEvidence.ts"
import type { WalletPaymentSettings } from "../settings/payments.ts"
import { Settings } from "../settings/Settings.ts"
import { BindingStore } from "../smartaccounts/BindingStore.ts"
import { boundWalletAt } from "../smartaccounts/BoundWallet.ts"
import { Manifests } from "../smartaccounts/Manifests.ts"
import { manifestHead } from "../smartaccounts/WalletChecks.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { failpoint } from "../values/Failpoint.ts"
import { contractEnvelope } from "../values/OwnerEnvelope.ts"
import { encodedPasskey } from "../values/PasskeySignature.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { type AssertionFault, checkAssertion, type PaymentAssertion } from "./Assertion.ts"
import { CredentialStore, type StoredPasskey } from "./CredentialStore.ts"
import type { ReviewStatus } from "./PaymentReview.ts"
import { appOf, callbackOf, pilotSettings } from "./Pilot.ts"
import type { StoredReview } from "./ReviewRow.ts"
import { type DecisionVerdict, type OwnersApproval, ReviewStore } from "./ReviewStore.ts"
import {
  PaymentAssertionInvalid,
  PaymentReviewDecided,
  PaymentReviewExpired,
  PaymentReviewNotFound,
  PaymentUnsuitable
} from "./refusals.ts"

export interface PagedReview {
  readonly review: StoredReview
  readonly settings: WalletPaymentSettings
  readonly credentialId: string | undefined
}

/** None whose app is not registered any more as it was. */
const pagedReview = Effect.fn("DecideReview.find")(function* (id: string) {
  const settings = yield* Effect.catchAll(pilotSettings, () => Effect.fail(new PaymentReviewNotFound()))
  const review = Option.getOrUndefined(yield* (yield* ReviewStore).find(id))
  const app = review && appOf(settings, review.botAddress)
  if (review === undefined || app === undefined || app.callbackUri !== review.callbackUri)
    return yield* new PaymentReviewNotFound()
  return { review, settings }
})

/** What the page shows, and the passkey that it asks for. */
export const reviewToPage = Effect.fn("DecideReview.page")(function* (id: string) {
  const found = yield* pagedReview(id)
  const passkey = yield* (yield* CredentialStore).find(found.review.bindingId)
  const paged: PagedReview = { ...found, credentialId: Option.getOrUndefined(passkey)?.credentialId }
  return paged
})

const decided = (status: ReviewStatus) => new PaymentReviewDecided({ context: { status } })

const refuseDecided = ({ status }: StoredReview) => {
  if (status === "pending") return Effect.void
  return status === "expired" ? Effect.fail(new PaymentReviewExpired()) : Effect.fail(decided(status))
}

const invalid = (check: AssertionFault | "contract") => new PaymentAssertionInvalid({ context: { check } })

const ownerAbi = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"])
const VALID = `0x${"1626ba7e".padEnd(64, "0")}`

const checkAnswer = (outcome: CallOutcome) => {
  if (outcome._tag === "Refused") return Effect.fail(nodeRefused(outcome.code))
  return outcome._tag === "Returned" && outcome.data === VALID
    ? Effect.void
    : Effect.fail(invalid("contract"))
}

/** By the contract itself, whose code is the pinned one, at the head where the wallet is as it was bound; two round trips. */
const checkAtHead = Effect.fnUntraced(function* (
  { accountId, bindingId, signed }: StoredReview,
  { owner }: StoredPasskey,
  signature: Hex
) {
  const binding = yield* Effect.catchTag(
    (yield* BindingStore).find(accountId, bindingId),
    "BINDING_NOT_FOUND",
    () => Effect.fail(new PaymentUnsuitable({ context: { reason: "binding" } }))
  )
  const manifest = yield* Effect.catchAll((yield* Manifests).byId(binding.manifestId), () =>
    Effect.fail(new PaymentUnsuitable({ context: { reason: "manifest" } }))
  )
  const head = yield* manifestHead(manifest)
  const session = batched(head.session)
  const data = encodeFunctionData({ abi: ownerAbi, args: [signed.signing.digest, signature] })
  const [, [answer]] = yield* Effect.all(
    [
      boundWalletAt({ session, evidence: evidenceOf(head.block) }, binding),
      session.all([call({ to: owner, data }, head.block.hash)])
    ],
    { concurrency: "unbounded" }
  )
  yield* checkAnswer(answer)
})

const commitmentOf = (
  { chainId, signed: { entryPoint, operation } }: StoredReview,
  signature: Hex
): Bytes32 => {
  const text = canonicalJson({ chainId, entryPoint, operation: { ...operation, signature } })
  return `0x${createHash("sha256").update(text).digest("hex")}`
}

const approvalOf = Effect.fnUntraced(function* (
  review: StoredReview,
  rpId: string,
  assertion: PaymentAssertion
) {
  const { digest, ...validity } = review.signed.signing
  const origin = new URL((yield* Settings).audience).origin
  const found = yield* (yield* CredentialStore).find(review.bindingId)
  const passkey = yield* Effect.mapError(found, () => invalid("credential"))
  const checked = checkAssertion(assertion, { digest, origin, rpId, passkey })
  const { signature, counter } = yield* Either.mapLeft(checked, invalid)
  const own = encodedPasskey(signature)
  yield* checkAtHead(review, passkey, own)
  const envelope = contractEnvelope(validity, { signer: passkey.owner, signature: own })
  const approval: OwnersApproval = {
    credentialId: passkey.credentialId,
    counter,
    signature: envelope,
    signedCommitment: commitmentOf(review, envelope)
  }
  return approval
})

type VerdictRefusal =
  | PaymentReviewNotFound
  | PaymentReviewDecided
  | PaymentReviewExpired
  | PaymentUnsuitable
  | PaymentAssertionInvalid

const judged = (verdict: DecisionVerdict): Effect.Effect<void, VerdictRefusal> => {
  switch (verdict) {
    case "STORED":
      return Effect.void
    case "NOT_FOUND":
      return Effect.fail(new PaymentReviewNotFound())
    case "APPROVED":
      return Effect.fail(decided("approved"))
    case "CANCELLED":
      return Effect.fail(decided("cancelled"))
    case "EXPIRED":
      return Effect.fail(new PaymentReviewExpired())
    case "SENT":
      return Effect.fail(new PaymentUnsuitable({ context: { reason: "sent" } }))
    case "UNBOUND":
      return Effect.fail(new PaymentUnsuitable({ context: { reason: "binding" } }))
    case "COUNTER":
      return Effect.fail(invalid("counter"))
  }
}

export interface DecidedReview {
  readonly status: "approved" | "cancelled"
  /** Where the page goes on: the app's registered place. */
  readonly redirect: string
}

/** Cancelled without an approval. */
const decide = Effect.fnUntraced(function* (review: StoredReview, approval: Option.Option<OwnersApproval>) {
  yield* judged(yield* (yield* ReviewStore).decide(review, approval))
  yield* failpoint("review.decided")
  const answer: DecidedReview = {
    status: Option.isSome(approval) ? "approved" : "cancelled",
    redirect: callbackOf(review, review.issuer, review)
  }
  return answer
})

export const approveReview = Effect.fn("DecideReview.approve")(function* (
  id: string,
  assertion: PaymentAssertion
) {
  const { review, settings } = yield* pagedReview(id)
  yield* refuseDecided(review)
  return yield* decide(review, Option.some(yield* approvalOf(review, settings.rpId, assertion)))
})

export const cancelReview = Effect.fn("DecideReview.cancel")(function* (id: string) {
  const { review } = yield* pagedReview(id)
  yield* refuseDecided(review)
  return yield* decide(review, Option.none())
})
