/** The public record of a sponsorship, which follows from what is stored. */
import { WALLET_NONCE_CONSUMED } from "../plans/Observation.ts"
import { isSatisfied, publicStep } from "../plans/Step.ts"
import { forwardRequestDigest, forwardRequestMembers } from "../values/ForwardRequest.ts"
import type {
  Authorization,
  EconomicCompletion,
  NextAction,
  Sponsorship,
  SponsorshipStatus
} from "./Sponsorship.ts"
import { observationsOf, sponsoredCalls } from "./SponsorshipObservations.ts"
import {
  type StoredFunding,
  type StoredPublication,
  type StoredSponsorship,
  shownPayments
} from "./SponsorshipRow.ts"
import {
  hasEnded,
  isTakenByOthers,
  isTakenForGood,
  type SponsoredCall,
  sponsorshipState
} from "./SponsorshipState.ts"

const isProved = ({ verifiedAt, doubt }: StoredPublication): boolean => verifiedAt !== null && doubt === null

const quoteFacts = (publication: StoredPublication | undefined) =>
  publication === undefined || publication.quote === null
    ? undefined
    : {
        isProved: isProved(publication),
        deadlines: publication.quote.payments.map(({ deadline }) => deadline)
      }

export const stateOf = (stored: StoredSponsorship): SponsorshipStatus =>
  sponsorshipState(
    {
      expiresAt: stored.endsAt,
      calls: sponsoredCalls(stored),
      publication: stored.publication,
      quote: quoteFacts(stored.publication),
      isFunded: stored.funding !== undefined && isSatisfied(stored.funding.facts)
    },
    stored.now
  )

const wait = (retryAfterMs: number): NextAction => ({ kind: "wait", retryAfterMs })

const NEXT: Readonly<Record<SponsorshipStatus, NextAction>> = {
  completed: { kind: "none" },
  execution_verified: { kind: "none" },
  failed: { kind: "none" },
  lapsed: {
    kind: "prepare-again",
    reason: "what was not executed can be no more: what is left needs a new plan"
  },
  executing: wait(2_000),
  prepared: { kind: "sign" },
  expired: {
    kind: "prepare-again",
    reason: "the plan expired before it was published: what is left needs a new plan"
  },
  submitting: wait(1_000),
  submission_unknown: wait(30_000),
  quote_unverified: wait(2_000),
  funding_quote_available: { kind: "fund" },
  quote_expired: wait(60_000)
}

const ECONOMIC: Readonly<Record<SponsorshipStatus, EconomicCompletion>> = {
  completed: "verified",
  execution_verified: "unproved",
  failed: "incomplete",
  lapsed: "incomplete",
  expired: "incomplete",
  executing: "pending",
  prepared: "pending",
  submitting: "pending",
  submission_unknown: "pending",
  quote_unverified: "pending",
  funding_quote_available: "pending",
  quote_expired: "pending"
}

const shownAuthorization = (authorization: Authorization) => ({
  ...authorization,
  types: { ForwardRequest: forwardRequestMembers },
  primaryType: "ForwardRequest" as const,
  digest: forwardRequestDigest(authorization.domain, authorization.message)
})

const shownSubmission = ({ submissionHash, startedAt }: StoredPublication) => ({
  submission: { hash: submissionHash, startedAt, repeatPublicationAllowed: false as const }
})

/** What the provider asks for stays hidden until it is proved to be for this bundle. */
const shownQuote = (publication: StoredPublication) => {
  const { quote, settledAt, commitment, transactions, doubt } = publication
  if (quote === null || settledAt === null) return {}
  const runtimeVerified = isProved(publication)
  return {
    quote: {
      bundleId: quote.bundleId,
      ...(commitment === null ? {} : { commitment }),
      observedAt: settledAt,
      runtimeVerified,
      payments: runtimeVerified ? shownPayments(quote) : [],
      transactions: transactions ?? [],
      ...(doubt === null ? {} : { reason: doubt })
    }
  }
}

const fundingState = ({ facts }: StoredFunding, now: number) => publicStep(0, [], [facts], now).state

const shownFunding = ({ funding, now }: StoredSponsorship) =>
  funding === undefined
    ? {}
    : {
        funding: { planId: funding.planId, chainId: funding.chainId, state: fundingState(funding, now) }
      }

/** They are published together or not at all. */
const hasLeftOtherwise = ({ authorizations, facts }: StoredSponsorship): boolean =>
  authorizations.some(({ stepIndex }) => facts[stepIndex]?.binding !== undefined)

const LEFT: NextAction = {
  kind: "none",
  reason: "steps of it have left by another way: their plan says which"
}

/** Known to nobody here: a step that left otherwise was never published. */
export const isPublishedPerhaps = (stored: StoredSponsorship): boolean =>
  stored.isRestored && stored.publication === undefined && !hasLeftOtherwise(stored)

/** Another one would do the same again, so nobody is told to prepare it. */
const PUBLISHED_PERHAPS: NextAction = {
  kind: "none",
  reason:
    "it may have been published before the service was restored from a backup: before anything is done in its place, look whether its forwarders have used the nonces of its requests, and whether the provider has its bundle; what they have not executed can be until its deadline is over in a final block"
}

/** As long as nobody is known to have paid; the claim of a payment refuses the same. */
const PAYABLE = new Set<SponsorshipStatus>(["quote_unverified", "funding_quote_available", "quote_expired"])

const MAY_BE_PAID: NextAction = {
  kind: "wait",
  retryAfterMs: 60_000,
  reason:
    "it was published before the service was restored from a backup, and may have been paid for since: it is paid for here no more, and its chains tell what comes of it"
}

/** What was done instead may be the same, so nobody is told to do it again. */
const SUPERSEDED: NextAction = {
  kind: "none",
  reason:
    "nothing more can come of it, for other requests of the signer used its nonces: what those did not do needs a new plan"
}

const UNPAYABLE: NextAction = {
  kind: "wait",
  retryAfterMs: 10_000,
  reason:
    "a nonce of it is used, and by another request as far as is seen, so that it is paid for here no more: its chains tell what comes of it"
}

/** One of which nothing is seen is looked for less often. */
const paying = ({ facts: { observed } }: StoredFunding): NextAction => ({
  kind: "wait",
  retryAfterMs: observed === "unknown" ? 10_000 : 2_000,
  reason: "its payment left and is not proved yet: it is paid for once"
})

const UNPAID: NextAction = {
  kind: "wait",
  retryAfterMs: 60_000,
  reason:
    "its payment failed, and a bundle is paid for once: what is not executed ends with its requests' deadlines"
}

/** It was reverted, or another transaction took its nonce for good. */
const hasFailedToPay = ({ facts: { observed, semantic } }: StoredFunding): boolean =>
  observed === "reverted" || semantic?.status === "failed" || semantic?.reason === WALLET_NONCE_CONSUMED

const UNFINISHED: NextAction = {
  kind: "wait",
  retryAfterMs: 30_000,
  reason:
    "one of its requests failed, and others can still be executed until their deadlines: nothing of those is to be done in another way meanwhile"
}

const isSuperseded = (stored: StoredSponsorship): boolean => {
  const calls = sponsoredCalls(stored)
  const isTaken = ({ step }: SponsoredCall) => isTakenForGood(step)
  return calls.some(isTaken) && calls.every(call => isTaken(call) || hasEnded(call))
}

const nextOf = (state: SponsorshipStatus, stored: StoredSponsorship): NextAction => {
  const { publication, funding } = stored
  const usual = NEXT[state]
  if (isPublishedPerhaps(stored)) return PUBLISHED_PERHAPS
  if (usual.kind !== "none" && isSuperseded(stored)) return SUPERSEDED
  if (
    state === "failed" &&
    !sponsoredCalls(stored).every(call => hasEnded(call) || isTakenForGood(call.step))
  )
    return UNFINISHED
  if (PAYABLE.has(state) && sponsoredCalls(stored).some(({ step }) => isTakenByOthers(step))) return UNPAYABLE
  if (stored.isPaidPerhaps && PAYABLE.has(state) && funding?.admitted !== true) return MAY_BE_PAID
  if (state === "prepared") return hasLeftOtherwise(stored) ? LEFT : usual
  if (funding?.admitted === true && PAYABLE.has(state))
    return hasFailedToPay(funding) ? UNPAID : paying(funding)
  if (state === "quote_unverified")
    return { ...usual, ...(publication?.doubt ? { reason: publication.doubt } : {}) }
  return state === "funding_quote_available" && funding !== undefined
    ? { kind: "submit", reason: "the funding plan waits for the owner's transaction" }
    : usual
}

const UNKNOWN =
  "Whether the provider took the requests is not known. They are never published again; their execution shows on their chains."

export const publicSponsorship = (stored: StoredSponsorship): Sponsorship => {
  const { id, planId, planCommitment, commitment, createdAt, publicationExpiresAt, revision } = stored
  const { publication } = stored
  const state = stateOf(stored)
  return {
    ...{ id, planId, planCommitment, commitment, state, createdAt, publicationExpiresAt, revision },
    authorizations: stored.authorizations.map(shownAuthorization),
    ...(publication === undefined ? {} : { ...shownSubmission(publication), ...shownQuote(publication) }),
    observations: observationsOf(stored),
    ...(state === "submission_unknown" ? { recovery: UNKNOWN } : {}),
    ...shownFunding(stored),
    nextAction: nextOf(state, stored),
    atomicAcrossChains: false,
    economicCompletion: isPublishedPerhaps(stored) ? "pending" : ECONOMIC[state]
  }
}
