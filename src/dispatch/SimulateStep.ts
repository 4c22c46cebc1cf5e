/** Runs a step's exact call as the planned wallet at one canonical block; it changes and overrides nothing. */
import { Effect, Option } from "effect"
import { Principal } from "../accounts/Principal.ts"
import { believingReverts } from "../chain/BelievedRevert.ts"
import { ChainClient, type Snapshot } from "../chain/ChainClient.ts"
import { balance, gasEstimate, simulatedCall, simulation } from "../chain/PinnedReads.ts"
import { blockByNumber } from "../chain/Reads.ts"
import { RpcBehind, RpcInvalidResponse } from "../chain/refusals.ts"
import { transactionOf } from "../plans/Binding.ts"
import type { Call } from "../plans/Plan.ts"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { PlanStore } from "../plans/PlanStore.ts"
import { DependenciesUnconfirmed, SimulationReorged, StepNotFound } from "../plans/refusals.ts"
import type { Simulation } from "../plans/Simulation.ts"
import { blockersOf } from "../plans/Step.ts"
import { assetChangesOf } from "./AssetChanges.ts"
import { refuseFailedCall } from "./FailedCall.ts"
import { type NonceHolder, planExpired } from "./NonceHolder.ts"
import { refreshPlan } from "./Reconcile.ts"
import { SenderBalanceTooLow } from "./refusals.ts"

const LIMITATIONS = [
  "The call ran against state of the reported block; state may change before a transaction is mined.",
  "The estimate covers execution gas; chain-specific extra fees are not in it.",
  "The estimate is of the reported block: storage that this block warmed up already may cost more in the next one."
]

const EXPIRED = "The plan expired, so nothing of it is simulated."

/** Of an admitted step. */
const holderIn = (plan: StoredPlan, step: number): Option.Option<NonceHolder> =>
  Option.map(Option.fromNullable(transactionOf(factsOf(plan, step).binding)), ({ hash }) => ({
    planId: plan.id,
    stepIndex: step,
    transactionHash: hash
  }))

const runnable = Effect.fnUntraced(function* (plan: StoredPlan, step: number) {
  const call = plan.terms.calls[step]
  if (call === undefined) return yield* new StepNotFound()
  const holder = holderIn(plan, step)
  const isKnown = Option.isSome(holder)
  if (plan.expiresAt <= plan.now) return yield* planExpired(isKnown ? {} : plan, EXPIRED, holder)
  const blockedBy = blockersOf(call, plan.terms.calls, plan.facts)
  if (blockedBy.length > 0) return yield* new DependenciesUnconfirmed({ context: { blockedBy } })
  return call
})

const runAt = Effect.fnUntraced(function* ({ session, block }: Snapshot, call: Call, account: `0x${string}`) {
  const request = { from: account, to: call.to, data: call.data, value: BigInt(call.value) }
  const [funds, outcome, estimate, canonical] = yield* session.all([
    balance(account, block.hash),
    simulatedCall(request, block.hash),
    gasEstimate(request, block.hash),
    blockByNumber(call.chainId, block.number)
  ])
  if (canonical === null) return yield* new RpcBehind()
  if (canonical.hash !== block.hash) return yield* new SimulationReorged()
  if (funds < request.value)
    return yield* new SenderBalanceTooLow({
      detail: "The wallet does not have the value of the call.",
      context: { balance: String(funds), value: call.value }
    })
  const returned = yield* refuseFailedCall(call, outcome)
  const estimated = yield* refuseFailedCall(call, estimate)
  if (returned._tag !== "Returned" || estimated._tag !== "Estimated") return yield* new RpcInvalidResponse()
  const traced = yield* Effect.option(session.all([simulation([request], block.hash)]))
  const assetChanges = assetChangesOf(Option.getOrUndefined(traced)?.[0])
  return { block, result: returned.data, gas: estimated.gas, assetChanges }
})

const run = Effect.fn("SimulateStep.run")(function* (call: Call, account: `0x${string}`) {
  const anew = (yield* ChainClient).snapshot(call.chainId)
  return yield* believingReverts(yield* anew, {
    headOf: ({ block }) => block.hash,
    anew,
    run: snapshot => runAt(snapshot, call, account)
  })
})

export const simulateStep = Effect.fn("SimulateStep.simulate")(function* (planId: string, step: number) {
  const actor = yield* Principal
  const stored = yield* (yield* PlanStore).find(planId, actor)
  const rests = (stored.terms.calls[step]?.dependsOn.length ?? 0) > 0
  const plan = rests ? yield* refreshPlan(stored) : stored
  const call = yield* runnable(plan, step)
  const { block, result, gas, assetChanges } = yield* run(call, plan.terms.account)
  const simulated: Simulation = {
    planId,
    commitment: plan.commitment,
    stepIndex: step,
    simulated: true,
    chainId: call.chainId,
    blockNumber: String(block.number),
    blockHash: block.hash,
    result,
    estimatedGas: String(gas),
    assetChanges,
    limitations: LIMITATIONS
  }
  return simulated
})
