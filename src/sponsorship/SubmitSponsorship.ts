/** Publishes a sponsorship's signed requests: parsed, preflighted, consented to, claimed, and sent to the provider once for ever. */
import { Effect, Option } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { type RequestKey, requestKey } from "../auth/Idempotency.ts"
import { approvePublication, requirePublicationPresence } from "../auth/OwnerApproval.ts"
import { claimJudged, haveDependencies, judgedDependencies } from "../dispatch/JudgedDependencies.ts"
import { refreshPlan } from "../dispatch/Reconcile.ts"
import { SponsorshipConflict } from "../dispatch/refusals.ts"
import { unlessTwin } from "../dispatch/Twin.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { Settings } from "../settings/Settings.ts"
import { inPlanTrace } from "../telemetry/PlanTrace.ts"
import { stage } from "../telemetry/Requests.ts"
import { failpoint } from "../values/Failpoint.ts"
import { executeCalldata } from "../values/ForwardRequest.ts"
import { type SignedSubmission, signedSubmission } from "./ForwardSignatures.ts"
import type { ProviderTransaction } from "./PrepaidProvider.ts"
import { preflightPublication, type SignedForwardRequest } from "./PublicationPreflight.ts"
import { type PublicationRequest, PublicationStore } from "./PublicationStore.ts"
import { isPublishedPerhaps, publicSponsorship } from "./PublicSponsorship.ts"
import { type ClaimedSponsorship, Publish } from "./Publish.ts"
import { storedSponsorship } from "./ReadSponsorships.ts"
import { SponsorshipExpired, SponsorshipUnavailable } from "./refusals.ts"
import { refuseUnpayable } from "./SentValue.ts"
import { type SponsoredStep, sponsoredSteps } from "./SponsoredSteps.ts"
import type { PlannedSponsorship, StoredSponsorship } from "./SponsorshipRow.ts"
import { SponsorshipStore } from "./SponsorshipStore.ts"
import { virtualNonce } from "./VirtualNonce.ts"

export interface SponsorshipSubmission {
  readonly signatures: ReadonlyArray<string>
  readonly ownerApproval?: unknown
}

const RESTORED =
  "This service was restored from a backup after the sponsorship's plan was made, and whether it was published in between is not known here: look first whether its forwarders have used the nonces of its requests, and whether the provider has its bundle."

const expired = (stored: StoredSponsorship) =>
  new SponsorshipExpired(isPublishedPerhaps(stored) ? { detail: RESTORED } : {})

const refuseStale = (stored: StoredSponsorship) => {
  if (stored.publication !== undefined) return Effect.fail(new SponsorshipConflict())
  return stored.endsAt <= stored.now ? Effect.fail(expired(stored)) : Effect.void
}

const stepsOf = ({ authorizations }: StoredSponsorship): ReadonlyArray<number> =>
  authorizations.map(({ stepIndex }) => stepIndex)

/** Dependencies are looked at anew, because what was confirmed may have left the chain since. */
const currentPlan = Effect.fnUntraced(function* ({ stored, plan: found }: PlannedSponsorship) {
  const plan = haveDependencies(found, stepsOf(stored)) ? yield* refreshPlan(found) : found
  const steps = yield* Effect.catchTag(sponsoredSteps(plan, stepsOf(stored)), "PLAN_EXPIRED", () =>
    Effect.fail(expired(stored))
  )
  return { plan, steps }
})

const claim = Effect.fnUntraced(function* (
  request: PublicationRequest,
  { stored, token }: ClaimedSponsorship,
  judged: StoredPlan
) {
  const store = yield* PublicationStore
  const claimed = claimJudged(judged, request.actor, plan =>
    store.claim(request, token, judgedDependencies(plan, stepsOf(stored)))
  )
  return yield* Effect.catchTag(claimed, "PLAN_NOT_FOUND", Effect.die)
})

const transactionsOf = (
  { authorizations }: StoredSponsorship,
  { signatures }: SignedSubmission
): ReadonlyArray<ProviderTransaction> =>
  authorizations.map(({ chainId, forwarder, message }, position) => ({
    chain: chainId,
    target: forwarder,
    data: executeCalldata(message, signatures[position] ?? "0x"),
    value: message.value,
    virtual_nonce: virtualNonce(authorizations, position)
  }))

const requestsOf = (
  { authorizations }: StoredSponsorship,
  { signatures }: SignedSubmission,
  steps: ReadonlyArray<SponsoredStep>
): ReadonlyArray<SignedForwardRequest> =>
  authorizations.flatMap((authorization, position) => {
    const [signature, step] = [signatures[position], steps[position]]
    return signature === undefined || step === undefined
      ? []
      : [{ authorization, signature, call: step.call }]
  })

/** Whether it was this request, and what came of it where that was awaited; one that is given up leaves no claim behind whose requests are not being published. */
const claimAndPublish = (request: PublicationRequest, stored: StoredSponsorship, plan: StoredPlan) =>
  Effect.gen(function* () {
    const actors = yield* AccountActors
    const { publish, publishUnheard } = yield* Publish
    const own: ClaimedSponsorship = { stored, token: yield* (yield* PublicationStore).newToken(stored.id) }
    const transactions = transactionsOf(stored, request.submission)
    const claimed = Effect.zipLeft(claim(request, own, plan), failpoint("sponsor.claimed"))
    /** The account's fiber, which claims, knows nothing of the request. */
    const told = Effect.annotateSpans(claimed, { plan: plan.id, sponsorship: stored.id })
    const isOwn = yield* Effect.tapErrorTag(
      actors.run(request.actor.accountId, told),
      "DATABASE_UNAVAILABLE",
      () => publishUnheard(request, own, transactions)
    )
    yield* failpoint("sponsor.told")
    if (!isOwn) return { isOwn, published: Option.none<StoredSponsorship>() }
    const publishing = publish(own, transactions)
    const published = yield* inPlanTrace(plan.id, "submission", { sponsorship: stored.id })(publishing)
    return { isOwn, published }
  }).pipe(Effect.uninterruptible)

const publishStored = Effect.fnUntraced(function* (
  actor: Actor,
  key: RequestKey,
  planned: PlannedSponsorship,
  { signatures, ownerApproval }: SponsorshipSubmission
) {
  const { stored } = planned
  const { id } = stored
  if ((yield* Settings).sponsorship.providerUrl === undefined) return yield* new SponsorshipUnavailable()
  const submission = yield* signedSubmission(stored.commitment, stored.authorizations, signatures)
  yield* failpoint("sponsor.recovered")
  yield* requirePublicationPresence(actor, ownerApproval)
  yield* refuseStale(stored)
  yield* refuseUnpayable(stored.authorizations.map(({ message }) => message))
  const { plan, steps } = yield* currentPlan(planned)
  yield* failpoint("sponsor.current")
  yield* preflightPublication(requestsOf(stored, submission, steps), plan.terms.account)
  yield* failpoint("sponsor.simulated")
  const what = { sponsorshipId: id, commitment: stored.commitment, submissionHash: submission.hash }
  const approval = yield* approvePublication(actor, ownerApproval, what)
  yield* failpoint("sponsor.approved")
  const request: PublicationRequest = { actor, key, sponsorshipId: id, submission, approval }
  const { isOwn, published } = yield* claimAndPublish(request, stored, plan)
  return Option.isSome(published)
    ? { sponsorship: publicSponsorship(published.value), replayed: false }
    : yield* storedSponsorship(actor, id, !isOwn)
})

export const submitSponsorship = Effect.fnUntraced(function* (id: string, given: SponsorshipSubmission) {
  const actor = yield* Principal
  const key = yield* requestKey
  const { planned, outcome } = yield* (yield* SponsorshipStore).findOwn(id, key)
  const known = Option.getOrUndefined(outcome)?.subject
  if (known !== undefined) return yield* storedSponsorship(actor, known, true)
  const publishing = publishStored(actor, key, planned, given)
  const named = Effect.annotateSpans(publishing, { plan: planned.plan.id, sponsorship: id })
  return yield* Effect.catchAll(named, refused =>
    unlessTwin(key, refused, subject => storedSponsorship(actor, subject, true))
  )
}, stage("SubmitSponsorship.submit"))
