/** Until when a paymaster pays for an operation, by its own contract's word. */
import { Effect, Option } from "effect"
import { encodeFunctionData, parseAbi } from "viem"
import type { Block, CallOutcome, ChainSession } from "../chain/ChainClient.ts"
import { simulatedCall, tentative } from "../chain/PinnedReads.ts"
import { maximumCostOf, packedOperation } from "../values/PackedOperation.ts"
import { PACKED_OPERATION, type PlacedOperation } from "./HandleOps.ts"

const paymasterAbi = parseAbi([
  PACKED_OPERATION,
  "function validatePaymasterUserOp(PackedUserOperation op, bytes32 hash, uint256 maximumCost) returns (bytes context, uint256 validationData)"
])

const ENDLESS = Number.POSITIVE_INFINITY

/** The second of its words: who signed for it (20 bytes), then until when and from when in 6 bytes each, from the lowest. */
const VALIDATION = /^0x[0-9a-f]{64}[0-9a-f]{12}([0-9a-f]{12})[0-9a-f]{40}/

const endIn = (outcome: CallOutcome): number => {
  const [, digits] = (outcome._tag === "Returned" && VALIDATION.exec(outcome.data)) || []
  return Number(`0x${digits ?? 0}`) || ENDLESS
}

interface Place {
  readonly session: ChainSession
  readonly block: Pick<Block, "hash">
}

/** In seconds, asked as the entry point asks; without an end where the wallet pays, where none is set and where none can be read. */
export const paidUntil = Effect.fn("PaidUntil.look")(function* (
  { session, block }: Place,
  { entryPoint, operation, operationHash }: PlacedOperation
) {
  if (!("paymaster" in operation)) return ENDLESS
  const data = encodeFunctionData({
    abi: paymasterAbi,
    functionName: "validatePaymasterUserOp",
    args: [packedOperation(operation), operationHash, maximumCostOf(operation)]
  })
  const request = { from: entryPoint, to: operation.paymaster, data }
  const [outcome] = yield* session.all([tentative(simulatedCall(request, block.hash))])
  return Option.match(outcome, { onNone: () => ENDLESS, onSome: endIn })
})
