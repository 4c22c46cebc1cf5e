/** Refuses a call's run that did not return, with the revert in the words of the call's own ABI. */
import { Effect } from "effect"
import { Catalog } from "../catalog/Catalog.ts"
import type { CallOutcome, EstimateOutcome } from "../chain/ChainClient.ts"
import { RpcUnavailable } from "../chain/refusals.ts"
import type { Call } from "../plans/Plan.ts"
import { SimulationReverted } from "../plans/refusals.ts"
import { contractNames } from "../protocol/ContractNames.ts"
import { decodeRevert } from "../protocol/RevertReason.ts"
import { ofRevert } from "../protocol/RevertText.ts"

export const refuseFailedCall = Effect.fnUntraced(function* (
  call: Call,
  outcome: CallOutcome | EstimateOutcome
) {
  if (outcome._tag === "Returned" || outcome._tag === "Estimated") return outcome
  if (outcome._tag === "Refused")
    return yield* new RpcUnavailable({
      detail: "The node refused to run the call.",
      context: { rpcCode: outcome.code }
    })
  const catalog = yield* Catalog
  const abi = yield* Effect.orDie(catalog.abi(call.decoded.abiHash))
  const { passedErrors } = yield* contractNames(catalog)
  return yield* new SimulationReverted(ofRevert(decodeRevert([...abi, ...passedErrors], outcome.data)))
})
