/** Whether an operation that was never sent from here was executed all the same: whoever has it as it is signed can have another bundler carry it. */
import { Effect, Option } from "effect"
import { searchEvents } from "../dispatch/SearchEvents.ts"
import { lookAtHeads, searchedFrom } from "../dispatch/SearchHeads.ts"
import { OPERATION_TOPIC } from "./OperationEvents.ts"
import type { StoredUserOperation } from "./UserOperationRow.ts"

/** Not known to be, where its chain does not say. */
export const isExecutedElsewhere = Effect.fn("ExecutedElsewhere.look")(
  function* ({ chainId, entryPoint, operationHash, sinceBlock }: StoredUserOperation) {
    const heads = yield* lookAtHeads(chainId, [])
    const from = searchedFrom({ sinceBlock, searchedBlock: null, searchedHash: null }, heads)
    const sought = { contract: entryPoint, word: operationHash, from }
    const found = yield* searchEvents(heads.session, OPERATION_TOPIC, [sought], heads.latest.number)
    return Option.exists(found.get(sought) ?? Option.none(), ({ logs }) => logs.length > 0)
  },
  Effect.orElseSucceed(() => false)
)
