/** What is known of a sponsorship's requests, as the facts of its plan's steps tell. */
import { forwardRequestOf } from "../plans/Binding.ts"
import { EMPTY_FACTS, externalState, isDead, type StepFacts } from "../plans/Step.ts"
import type { Authorization, SponsorshipObservation } from "./Sponsorship.ts"
import type { StoredSponsorship } from "./SponsorshipRow.ts"
import type { SponsoredCall } from "./SponsorshipState.ts"

/** What became of a step that left by another way is nothing of this record's. */
const ownFacts = ({ id, facts }: StoredSponsorship, stepIndex: number): StepFacts => {
  const step = facts[stepIndex] ?? EMPTY_FACTS
  return step.binding?.bindingId === id ? step : EMPTY_FACTS
}

export const sponsoredCalls = (stored: StoredSponsorship): ReadonlyArray<SponsoredCall> =>
  stored.authorizations.map(({ stepIndex }) => {
    const step = ownFacts(stored, stepIndex)
    const isSpent =
      step.proof !== undefined && step.observed === "reverted" && step.receipt?.canonical === true
    return { step, isSpent, isDead: isDead(step) }
  })

/** Without a verifier nothing was judged, for this reason. */
const reasonOf = ({ semantic }: StepFacts): Pick<SponsorshipObservation, "reason"> =>
  semantic?.status === "unknown" && semantic.verifier === undefined && semantic.reason !== undefined
    ? { reason: semantic.reason }
    : {}

const observationOf = (
  { stepIndex, chainId }: Authorization,
  step: StepFacts,
  now: number
): SponsorshipObservation => {
  const { receipt, semantic, proof } = step
  return {
    stepIndex,
    chainId,
    providerState: forwardRequestOf(step.binding)?.providerState ?? null,
    state: externalState(step, now),
    ...(receipt === undefined ? {} : { hash: receipt.transactionHash, receipt }),
    ...(semantic === undefined ? {} : { semantic }),
    ...(proof === undefined || proof === "operation" ? {} : { proof }),
    ...reasonOf(step)
  }
}

/** Of those that were published. */
export const observationsOf = (stored: StoredSponsorship): ReadonlyArray<SponsorshipObservation> =>
  stored.authorizations.flatMap(authorization => {
    const step = ownFacts(stored, authorization.stepIndex)
    return step.binding === undefined ? [] : [observationOf(authorization, step, stored.now)]
  })
