/** Reads of contracts whose interface the catalog does not have. */
import { Effect, Either, Schema } from "effect"
import type { AbiParameter } from "../../../catalog/Abi.ts"
import type { CallOutcome } from "../../../chain/ChainClient.ts"
import { call } from "../../../chain/PinnedReads.ts"
import { RpcInvalidResponse } from "../../../chain/refusals.ts"
import { decodeValues } from "../../../protocol/AbiValues.ts"
import { invocation, nodeRefused } from "../../../protocol/Answers.ts"
import type { PinnedSnapshot, ReadFailure } from "../../../protocol/PinnedContracts.ts"
import { CallReverted } from "../../../protocol/refusals.ts"
import type { Address } from "../../../values/Scalars.ts"

interface ForeignCall<A, I> {
  readonly signature: string
  /** For parameters of one word each. */
  readonly words?: ReadonlyArray<string>
  readonly outputs: ReadonlyArray<AbiParameter>
  /** Of the list of outputs. */
  readonly as: Schema.Schema<A, I>
}

const unfit = new RpcInvalidResponse({
  detail: "The returned data does not fit the function.",
  retryable: false
})

const valueOf = <A, I>(
  { signature, outputs, as }: ForeignCall<A, I>,
  outcome: CallOutcome
): Either.Either<A, ReadFailure> => {
  if (outcome._tag === "Refused") return Either.left(nodeRefused(outcome.code))
  if (outcome._tag === "Reverted") return Either.left(new CallReverted({ context: { function: signature } }))
  return decodeValues(outputs, outcome.data).pipe(
    Either.flatMap(values => Schema.decodeUnknownEither(as)(values)),
    Either.mapLeft(() => unfit)
  )
}

export const readForeign = <A, I>(
  { ask, block }: PinnedSnapshot,
  to: Address,
  asked: ForeignCall<A, I>
): Effect.Effect<A, ReadFailure> =>
  Effect.flatMap(ask(call(invocation(to, asked.signature, ...(asked.words ?? [])), block.hash)), outcome =>
    valueOf(asked, outcome)
  )
