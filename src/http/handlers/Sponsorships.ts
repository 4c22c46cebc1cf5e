import { Effect } from "effect"
import { fundSponsorship } from "../../sponsorship/FundSponsorship.ts"
import { prepareSponsorship } from "../../sponsorship/PrepareSponsorship.ts"
import { pageOfSponsorships, sponsorshipOf } from "../../sponsorship/ReadSponsorships.ts"
import { refreshSponsorship } from "../../sponsorship/RefreshSponsorship.ts"
import { submitSponsorship } from "../../sponsorship/SubmitSponsorship.ts"
import { SponsorshipGroup } from "../api/Sponsorships.ts"
import { handling, reply } from "../Handlers.ts"
import { createdPlan, replayHeader } from "./PreparedPlan.ts"

export const sponsorshipHandlers = handling(SponsorshipGroup, {
  createSponsorship: Effect.fnUntraced(function* ({ body }) {
    const { sponsorship, replayed } = yield* prepareSponsorship(body)
    return reply(sponsorship, {
      location: `/api/v1/sponsorships/${sponsorship.id}`,
      ...replayHeader(replayed)
    })
  }),
  listSponsorships: ({ query }) => Effect.map(pageOfSponsorships(query), reply),
  getSponsorship: ({ path, query }) =>
    Effect.map(query.refresh === "true" ? refreshSponsorship(path.id) : sponsorshipOf(path.id), reply),
  submitSponsorship: Effect.fnUntraced(function* ({ path, body }) {
    const { sponsorship, replayed } = yield* submitSponsorship(path.id, body)
    return reply(sponsorship, replayHeader(replayed))
  }),
  createFundingPlan: ({ path, body }) => Effect.map(fundSponsorship(path.id, body), createdPlan)
})
