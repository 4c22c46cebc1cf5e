import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"

type Own = Pick<Sponsorship, "id" | "planId" | "authorizations" | "quote"> & {
  readonly submissionHash: NonNullable<Sponsorship["submission"]>["hash"]
}

/** Published and quoted, so that it waits for its payment. */
export const fundableSponsorship = ({ submissionHash, ...own }: Own): Sponsorship => ({
  ...own,
  planCommitment: `0x${"11".repeat(32)}`,
  commitment: `0x${"11".repeat(32)}`,
  state: "funding_quote_available",
  createdAt: 1,
  publicationExpiresAt: 2,
  revision: 1,
  submission: { hash: submissionHash, startedAt: 1, repeatPublicationAllowed: false },
  observations: [],
  nextAction: { kind: "fund" },
  atomicAcrossChains: false,
  economicCompletion: "pending"
})
