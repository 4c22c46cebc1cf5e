/** Runs the calls of a plan that depend on nothing, exactly as they would be sent, at the plan's block. */
import { Effect } from "effect"
import type { CallOutcome, EstimateOutcome } from "../../chain/ChainClient.ts"
import { code, gasEstimate, simulatedCall } from "../../chain/PinnedReads.ts"
import { gasPrice } from "../../chain/Reads.ts"
import { SimulationReverted } from "../../plans/refusals.ts"
import { nodeRefused } from "../../protocol/Answers.ts"
import type { ContractNames } from "../../protocol/ContractNames.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { decodeRevert } from "../../protocol/RevertReason.ts"
import { ofRevert } from "../../protocol/RevertText.ts"
import { CallReverted, DeploymentCodeMissing } from "../../protocol/refusals.ts"
import { known, type Observed, observed, unknown } from "../../values/Observed.ts"
import type { Address, Hex } from "../../values/Scalars.ts"
import { gasWithPart } from "../../values/TransactionGas.ts"
import type { EncodedPlanCall } from "./PlanCalls.ts"
import type { GasView, StepSimulation } from "./PlanSummary.ts"

const AT_ONCE = { concurrency: "unbounded" } as const

const requestOf = (from: Address, { call: { to, data, value } }: EncodedPlanCall) => ({
  from,
  to,
  data,
  value: BigInt(value)
})

/** A revert is an answer; a node that will not run the call says nothing about it. */
const returnedBy = (
  names: ContractNames,
  { abi, call }: EncodedPlanCall,
  stepIndex: number,
  outcome: Observed<CallOutcome>
) => {
  if (outcome.status === "unknown") return Effect.succeed(outcome)
  const { value } = outcome
  if (value._tag === "Returned") return Effect.succeed(known(value.data))
  if (value._tag === "Refused") return Effect.succeed(unknown(nodeRefused(value.code)))
  const revert = decodeRevert([...abi, ...names.passedErrors], value.data)
  return new SimulationReverted(ofRevert(revert, { stepIndex, function: call.decoded.function }))
}

/** What has no code takes any call for a transfer, and answers nothing; so may a function of what has: without a look at it an answer tells nothing. */
const refuseWithoutCode = (
  { call: { chainId, to } }: EncodedPlanCall,
  returned: Observed<Hex>,
  there: Observed<Hex>
): Effect.Effect<void, DeploymentCodeMissing> =>
  [returned, there].every(each => each.status === "known" && each.value === "0x")
    ? new DeploymentCodeMissing({ context: { chainId, address: to } })
    : Effect.void

const estimatedBy = (estimate: Observed<EstimateOutcome>): Observed<string> => {
  if (estimate.status === "unknown") return estimate
  const { value } = estimate
  if (value._tag === "Estimated") return known(String(value.gas))
  return unknown(value._tag === "Refused" ? nodeRefused(value.code) : new CallReverted())
}

const simulateOne = Effect.fnUntraced(function* (
  names: ContractNames,
  snapshot: PinnedSnapshot,
  account: Address,
  encoded: EncodedPlanCall,
  stepIndex: number
) {
  const request = requestOf(account, encoded)
  const { hash } = snapshot.block
  const [outcome, estimate, there] = yield* Effect.all(
    [
      observed(snapshot.askApart(simulatedCall(request, hash))),
      observed(snapshot.askApart(gasEstimate(request, hash))),
      observed(snapshot.askApart(code(request.to, hash)))
    ],
    AT_ONCE
  )
  const told = yield* returnedBy(names, encoded, stepIndex, outcome)
  yield* refuseWithoutCode(encoded, told, there)
  const returned = there.status === "unknown" ? there : told
  const simulation: StepSimulation = { stepIndex, returned, estimatedGas: estimatedBy(estimate) }
  return simulation
})

/** One round trip. */
export const simulateFirstSteps = (
  names: ContractNames,
  snapshot: PinnedSnapshot,
  account: Address,
  calls: ReadonlyArray<EncodedPlanCall>
) =>
  Effect.forEach(
    calls.flatMap((encoded, index) => (encoded.call.dependsOn.length === 0 ? [{ encoded, index }] : [])),
    ({ encoded, index }) => simulateOne(names, snapshot, account, encoded, index),
    AT_ONCE
  )

const NO_BASE_FEE = 0n

/** One read; the node's price is the base fee with the priority fee that it finds usual. */
export const readFees = (snapshot: PinnedSnapshot): Effect.Effect<GasView["fees"]> =>
  observed(
    Effect.map(snapshot.askApart(gasPrice), price => {
      const { baseFeePerGas } = snapshot.block
      const base = baseFeePerGas ?? NO_BASE_FEE
      const priority = price > base ? price - base : 0n
      return {
        baseFeePerGas: baseFeePerGas === null ? null : String(baseFeePerGas),
        gasPrice: String(price),
        maximumFeePerGas: String(2n * base + priority),
        maximumPriorityFeePerGas: String(priority)
      }
    })
  )

/** A fifth. */
const MARGIN = 5n

export const gasView = (simulations: ReadonlyArray<StepSimulation>, fees: GasView["fees"]): GasView => ({
  limits: simulations.map(({ stepIndex, estimatedGas }) => ({
    stepIndex,
    gas:
      estimatedGas.status === "known"
        ? known(String(gasWithPart(BigInt(estimatedGas.value), MARGIN)))
        : estimatedGas
  })),
  fees
})
