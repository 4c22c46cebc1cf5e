import { Effect } from "effect"
import { prepareSponsorship } from "../../sponsorship/PrepareSponsorship.ts"
import { pageOfSponsorships, sponsorshipOf } from "../../sponsorship/ReadSponsorships.ts"
import { submitSponsorship } from "../../sponsorship/SubmitSponsorship.ts"
import { SponsorshipGroup } from "../api/Sponsorships.ts"
import { handling, reply } from "../Handlers.ts"
import { replayHeader } from "./PreparedPlan.ts"

export const sponsorshipHandlers = handling(SponsorshipGroup, {
  createSponsorship: Effect.fnUntraced(function* ({ body }) {
    const { sponsorship, replayed } = yield* prepareSponsorship(body)
    return reply(sponsorship, {
      location: `/api/v1/sponsorships/${sponsorship.id}`,
      ...replayHeader(replayed)
    })
  }),
  listSponsorships: ({ query }) => Effect.map(pageOfSponsorships(query), reply),
  getSponsorship: ({ path }) => Effect.map(sponsorshipOf(path.id), reply),
  submitSponsorship: Effect.fnUntraced(function* ({ path, body }) {
    const { sponsorship, replayed } = yield* submitSponsorship(path.id, body)
    return reply(sponsorship, replayHeader(replayed))
  })
})
