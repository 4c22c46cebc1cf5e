/** Runs an operation at one block, and refuses what its entry point refuses and what its calls do not come through. */
import { Effect, Option } from "effect"
import type { Snapshot } from "../chain/ChainClient.ts"
import { simulatedCall, simulation, tentative } from "../chain/PinnedReads.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import { refuseFailedCall } from "../dispatch/FailedCall.ts"
import type { Call } from "../plans/Plan.ts"
import { SimulationReverted } from "../plans/refusals.ts"
import type { Address } from "../values/Scalars.ts"
import {
  bundleCall,
  calledRun,
  type OperationRun,
  type PlacedOperation,
  simulatedRun,
  walletCall
} from "./HandleOps.ts"

import { UserOperationRefused } from "./refusals.ts"

/** One endpoint's, where what is asked side by side travels together. */
export type OperationHead = Pick<Snapshot, "session" | "block">

/** A node that tells nothing of a run that can be read, or no logs, or no reason, is asked for the run alone and for what the wallet does in it. */
export const runOperation = Effect.fn("RunOperation.run")(function* (
  { session, block }: OperationHead,
  placed: PlacedOperation,
  bundler: Address
) {
  const bundle = bundleCall(placed, bundler)
  const [answer] = yield* session.all([tentative(simulation([bundle], block.hash))])
  const simulated = Option.getOrUndefined(answer)
  const [told] = simulated?._tag === "Simulated" ? simulated.calls : []
  const run = told && simulatedRun(placed, told)
  if (run !== undefined) return run
  const [outer, inner] = yield* session.all([
    simulatedCall(bundle, block.hash),
    simulatedCall(walletCall(placed), block.hash)
  ])
  const called = calledRun(outer, inner)
  return called ?? (yield* new RpcUnavailable({ detail: "The chain's node refused to run the operation." }))
})

/** Of several calls, of which the run does not say which one failed, the first one's words are tried. */
export const refuseFailedRun = Effect.fnUntraced(function* (run: OperationRun, calls: ReadonlyArray<Call>) {
  if (run._tag === "Succeeded") return
  if (run._tag === "Refused") {
    const { reason, revert } = run
    return yield* new UserOperationRefused({ context: { ...(reason && { reason }), revert } })
  }
  const [call] = calls
  if (call === undefined) return yield* new SimulationReverted()
  yield* refuseFailedCall(call, { _tag: "Reverted", data: run.data })
})
