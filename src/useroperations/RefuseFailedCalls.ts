/** Says in its own words which of an operation's calls fails, for bundlers do not tell. */
import { Effect, Option } from "effect"
import type { CallOutcome } from "../chain/ChainClient.ts"
import { simulatedCall, simulation, tentative } from "../chain/PinnedReads.ts"
import { refuseFailedCall } from "../dispatch/FailedCall.ts"
import type { Call } from "../plans/Plan.ts"
import { SimulationReverted } from "../plans/refusals.ts"
import type { OperationGround } from "./OperationGround.ts"
import type { UserOperationRefused } from "./refusals.ts"

/** Each on what those before it did, where the node runs them together and tells so; else the first alone. */
const outcomesOf = Effect.fnUntraced(function* (
  { session, block, wallet }: OperationGround,
  calls: ReadonlyArray<Call>
) {
  const requests = calls.map(({ to, data, value }) => ({
    to,
    data,
    from: wallet.address,
    value: BigInt(value)
  }))
  const [answer] = yield* session.all([tentative(simulation(requests, block.hash))])
  const simulated = Option.getOrUndefined(answer)
  if (simulated?._tag !== "Simulated")
    return yield* session.all(requests.slice(0, 1).map(request => simulatedCall(request, block.hash)))
  return simulated.calls.map(
    ({ status, returnData }): CallOutcome => ({
      _tag: status === "reverted" ? "Reverted" : "Returned",
      data: returnData
    })
  )
})

export const refuseFailedCalls = Effect.fn("RefuseFailedCalls.run")(function* (
  ground: OperationGround,
  calls: ReadonlyArray<Call>,
  /** Where none of them is seen to fail. */
  otherwise: SimulationReverted | UserOperationRefused = new SimulationReverted()
) {
  const outcomes = yield* outcomesOf(ground, calls)
  yield* Effect.forEach(outcomes, (outcome, index) => {
    const call = calls[index]
    return call === undefined ? Effect.void : Effect.asVoid(refuseFailedCall(call, outcome))
  })
  return yield* otherwise
})
