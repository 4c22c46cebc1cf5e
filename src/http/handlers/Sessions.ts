import { Effect } from "effect"
import { prepareSession } from "../../sessions/PrepareSession.ts"
import { pageOfSessions, quotaOf, sessionOf } from "../../sessions/ReadSessions.ts"
import { reviewedSession } from "../../sessions/ReviewSession.ts"
import { SessionsGroup } from "../api/Sessions.ts"
import { handling, reply } from "../Handlers.ts"
import { replayHeader } from "./PreparedPlan.ts"

export const sessionHandlers = handling(SessionsGroup, {
  reviewSession: ({ body }) => Effect.map(reviewedSession(body), review => reply(review)),
  createSession: Effect.fnUntraced(function* ({ body }) {
    const { session, replayed } = yield* prepareSession(body)
    return reply(session, {
      location: `/api/v1/smart-accounts/sessions/${session.id}`,
      ...replayHeader(replayed)
    })
  }),
  listSessions: ({ query }) => Effect.map(pageOfSessions(query), reply),
  getSession: ({ path, query: { refresh } }) =>
    Effect.map(sessionOf(path.id, refresh !== "false"), session => reply(session)),
  getSessionQuota: ({ path }) => Effect.map(quotaOf(path.id), quota => reply(quota))
})
