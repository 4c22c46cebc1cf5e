/** Lists and shows user operations from storage alone. */
import { Effect } from "effect"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { decodeListCursor, encodeListCursor } from "../plans/ListCursor.ts"
import { shownUserOperation } from "./ShownUserOperation.ts"
import { UserOperationStore } from "./UserOperationStore.ts"

export interface UserOperationListQuery {
  readonly planId?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

export const pageOfUserOperations = Effect.fn("ReadUserOperations.list")(function* ({
  planId,
  limit,
  cursor
}: UserOperationListQuery) {
  const actor = yield* Principal
  const store = yield* UserOperationStore
  const listed = { list: "user-operations", filter: planId } as const
  const after = cursor === undefined ? undefined : yield* decodeListCursor(actor, listed, cursor)
  const { operations, more } = yield* store.page(actor, { planId, limit, after })
  const last = operations.at(-1)
  const nextCursor = more && last !== undefined ? yield* encodeListCursor(actor, listed, last) : null
  return { items: operations.map(each => shownUserOperation(each)), nextCursor }
})

/** What a key leads to is stored with it, and for good. */
export const storedUserOperation = Effect.fnUntraced(
  function* (actor: Actor, id: string, replayed: boolean) {
    const stored = yield* (yield* UserOperationStore).find(id, actor)
    return { operation: shownUserOperation(stored), replayed }
  },
  Effect.catchTag("USER_OPERATION_NOT_FOUND", Effect.die)
)
