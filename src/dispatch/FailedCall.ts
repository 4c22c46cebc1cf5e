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
import type { Hex } from "../values/Scalars.ts"

/** What a call's revert says by its own ABI, where the catalog still has it, and by the errors that contracts pass on. */
export const reasonOfRevert = Effect.fnUntraced(function* (call: Call, data: Hex) {
  const catalog = yield* Catalog
  const abi = yield* Effect.orElseSucceed(catalog.abi(call.decoded.abiHash), () => [])
  const { passedErrors } = yield* contractNames(catalog)
  return decodeRevert([...abi, ...passedErrors], data)
})

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
  return yield* new SimulationReverted(ofRevert(yield* reasonOfRevert(call, outcome.data)))
})
