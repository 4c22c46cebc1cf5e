/** Runs a step's exact call as the planned wallet at one canonical block; it changes and overrides nothing. */
import { Effect } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { ChainClient } from "../chain/ChainClient.ts"
import { gasEstimate, simulatedCall } from "../chain/PinnedReads.ts"
import { blockByNumber } from "../chain/Reads.ts"
import { RpcInvalidResponse } from "../chain/refusals.ts"
import type { Call } from "../plans/Plan.ts"
import type { StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { DependenciesUnconfirmed, PlanExpired, SimulationReorged, StepNotFound } from "../plans/refusals.ts"
import { blockersOf } from "../plans/Step.ts"
import { refuseFailedCall } from "./Preflight.ts"
import { refresh } from "./Reconcile.ts"

const LIMITATIONS = [
  "The call ran against state of the reported block; state may change before a transaction is mined.",
  "The estimate covers execution gas; chain-specific extra fees are not in it."
]

const runnable = Effect.fnUntraced(function* (plan: StoredPlan, step: number) {
  const call = plan.terms.calls[step]
  if (call === undefined) return yield* new StepNotFound()
  if (plan.expiresAt <= plan.now) return yield* new PlanExpired()
  const blockedBy = blockersOf(call, plan.facts)
  if (blockedBy.length > 0) return yield* new DependenciesUnconfirmed({ context: { blockedBy } })
  return call
})

const run = Effect.fn("SimulateStep.run")(function* (call: Call, account: `0x${string}`) {
  const { session, block } = yield* (yield* ChainClient).snapshot(call.chainId)
  const request = { from: account, to: call.to, data: call.data, value: BigInt(call.value) }
  const [outcome, estimate, canonical] = yield* session.all([
    simulatedCall(request, block.hash),
    gasEstimate(request, block.hash),
    blockByNumber(call.chainId, block.number)
  ])
  if (canonical?.hash !== block.hash) return yield* new SimulationReorged()
  const returned = yield* refuseFailedCall(call, outcome)
  const estimated = yield* refuseFailedCall(call, estimate)
  if (returned._tag !== "Returned" || estimated._tag !== "Estimated") return yield* new RpcInvalidResponse()
  return { block, result: returned.data, gas: estimated.gas }
})

export const simulateStep = Effect.fn("SimulateStep.simulate")(function* (planId: string, step: number) {
  const actor = yield* Principal
  const plans = yield* PlanStore
  const stored = yield* plans.find(planId, actor)
  if ((stored.terms.calls[step]?.dependsOn.length ?? 0) > 0) yield* refresh(planId)
  const plan = yield* plans.find(planId, actor)
  const call = yield* runnable(plan, step)
  const { block, result, gas } = yield* run(call, plan.terms.account)
  return {
    planId,
    commitment: plan.commitment,
    stepIndex: step,
    simulated: true as const,
    chainId: call.chainId,
    blockNumber: String(block.number),
    blockHash: block.hash,
    result,
    estimatedGas: String(gas),
    assetChanges: { status: "unknown" as const, reason: "asset changes are not derived from simulations" },
    limitations: LIMITATIONS
  }
})
