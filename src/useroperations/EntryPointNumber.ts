/** A number that an entry point tells at one block. */
import { Effect, Either } from "effect"
import type { CallRequest, ChainSession } from "../chain/ChainClient.ts"
import { call as callAt } from "../chain/PinnedReads.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import { invocation, numberIn } from "../protocol/Answers.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"

export const entryPointNumber = Effect.fnUntraced(function* (
  session: ChainSession,
  request: CallRequest,
  at: Bytes32
) {
  const [outcome] = yield* session.all([callAt(request, at)])
  return yield* Either.mapLeft(
    numberIn(outcome),
    () => new RpcInvalidResponse({ detail: "The entry point cannot have answered so." })
  )
})

export const nonceQuestion = (entryPoint: Address, wallet: Address, key: bigint): CallRequest =>
  invocation(entryPoint, "getNonce(address,uint192)", wallet, key)
