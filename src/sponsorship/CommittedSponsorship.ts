/** What a sponsorship's owner commits to, as one text: every request that may be published, and until when. */
import type { PlanOwnership } from "../plans/CommittedText.ts"
import type { TransportName } from "../plans/Plan.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Authorization } from "./Sponsorship.ts"

export const SPONSORED = "forwarder-prepaid-erc2771" satisfies TransportName

export interface SponsorshipTerms {
  readonly planId: string
  readonly planCommitment: string
  readonly publicationExpiresAt: number
  readonly authorizations: ReadonlyArray<Authorization>
}

const committed = ({
  stepIndex,
  chainId,
  forwarder,
  forwarderCodeHash,
  targetCodeHash,
  domain,
  message,
  evidence
}: Authorization): Authorization => ({
  stepIndex,
  chainId,
  forwarder,
  forwarderCodeHash,
  targetCodeHash,
  domain,
  message,
  evidence
})

export const committedSponsorshipText = (
  { planId, planCommitment, publicationExpiresAt, authorizations }: SponsorshipTerms,
  { accountId, principalId }: PlanOwnership
): string =>
  canonicalJson({
    kind: SPONSORED,
    accountId,
    principalId,
    planId,
    planCommitment,
    authorizations: authorizations.map(committed),
    publicationExpiresAt
  })
