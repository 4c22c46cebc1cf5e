import { Effect } from "effect"
import { awaitOperation } from "../../useroperations/LongPoll.ts"
import { prepareUserOperation } from "../../useroperations/PrepareUserOperation.ts"
import { pageOfUserOperations } from "../../useroperations/ReadUserOperations.ts"
import { refreshOperation } from "../../useroperations/RefreshOperation.ts"
import { submitOperation } from "../../useroperations/SubmitOperation.ts"
import { UserOperationsGroup } from "../api/UserOperations.ts"
import { handling, reply } from "../Handlers.ts"
import { replayHeader } from "./PreparedPlan.ts"

export const userOperationsHandlers = handling(UserOperationsGroup, {
  createUserOperation: Effect.fnUntraced(function* ({ body }) {
    const { operation, replayed } = yield* prepareUserOperation(body)
    return reply(operation, {
      location: `/api/v1/user-operations/${operation.id}`,
      ...replayHeader(replayed)
    })
  }),
  listUserOperations: ({ query }) => Effect.map(pageOfUserOperations(query), reply),
  getUserOperation: Effect.fnUntraced(function* ({ path, query: { wait, since } }) {
    return reply(
      wait === undefined || since === undefined
        ? yield* refreshOperation(path.id)
        : yield* awaitOperation(path.id, { wait, since })
    )
  }),
  submitUserOperation: Effect.fnUntraced(function* ({ path, body }) {
    const { operation, replayed } = yield* submitOperation(path.id, body.signature)
    return reply(operation, replayHeader(replayed))
  })
})
