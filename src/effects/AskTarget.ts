/** Puts a predicate's question to the target at the receipt's block. */
import { Effect, Either } from "effect"
import type { CallOutcome, CallRequest } from "../chain/ChainClient.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import { decodeValues, isCanonicalEncoding } from "../protocol/AbiValues.ts"
import { nodeRefused } from "../protocol/Answers.ts"
import { type EncodedCall, encodeCall } from "../protocol/EncodeCall.ts"
import type { Emitter } from "./Events.ts"
import { doubted, type Verdict } from "./Judgement.ts"
import type { EffectQuestion } from "./Predicate.ts"

export type ReadAtBlock = (request: CallRequest) => Effect.Effect<CallOutcome, RpcFailure>

/** Whatever does not encode back to the same bytes is no answer. */
const valuesOf = ({ entry: { outputs } }: EncodedCall, outcome: CallOutcome) => {
  if (outcome._tag !== "Returned") return undefined
  const values = decodeValues(outputs, outcome.data)
  return Either.isRight(values) && isCanonicalEncoding(outputs, values.right, outcome.data)
    ? values.right
    : undefined
}

/** Fails where the block could not be read, which proves nothing and disproves nothing. */
export const askTarget = Effect.fnUntraced(function* (
  { address, abi }: Emitter,
  { signature, args, judge }: EffectQuestion,
  read: ReadAtBlock
) {
  const encoded = encodeCall(abi, signature, args)
  if (Either.isLeft(encoded)) return doubted(`the catalog cannot ask the target for its ${signature}`)
  const outcome = yield* read({ to: address, data: encoded.right.data })
  if (outcome._tag === "Refused") return yield* nodeRefused(outcome.code)
  const values = valuesOf(encoded.right, outcome)
  const verdict: Verdict<string> =
    values === undefined ? doubted(`the target gives no answer to ${signature}`) : judge(values)
  return verdict
})
