import { Effect } from "effect"
import { type AdmittedLifecycle, activateSession, revokeSession } from "../../sessions/Lifecycle.ts"
import { prepareSession } from "../../sessions/PrepareSession.ts"
import { pageOfSessions, quotaOf, sessionOf } from "../../sessions/ReadSessions.ts"
import { reviewedSession } from "../../sessions/ReviewSession.ts"
import { shownSession } from "../../sessions/ShownSession.ts"
import { SessionsGroup } from "../api/Sessions.ts"
import { handling, reply } from "../Handlers.ts"
import { replayHeader } from "./PreparedPlan.ts"

/** Of the plan, where there is one. */
const admitted = ({ session, plan, installationConfirmed, replayed }: AdmittedLifecycle) =>
  reply(
    { session: shownSession(session), plan, installationConfirmed },
    { ...(plan === null ? {} : { location: `/api/v1/plans/${plan.id}` }), ...replayHeader(replayed) }
  )

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
  getSessionQuota: ({ path }) => Effect.map(quotaOf(path.id), quota => reply(quota)),
  createActivationPlan: ({ path, body }) =>
    Effect.map(activateSession({ sessionId: path.id, ...body }), admitted),
  createRevocationPlan: ({ path, body }) =>
    Effect.map(revokeSession({ sessionId: path.id, ...body }), admitted)
})
