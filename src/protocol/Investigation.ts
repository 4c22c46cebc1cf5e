/** Puts an inquiry to a chain, every round of it at the same block. */
import { Effect, Either } from "effect"
import type { CallOutcome, Read, Snapshot } from "../chain/ChainClient.ts"
import { call, callForAnyone, code } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcInvalidResponse } from "../chain/refusals.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { type ChainQuestion, type Inquiry, questionKey } from "./Inquiry.ts"
import type { RecollectionShape } from "./Recollection.ts"

const readOf = (question: ChainQuestion, at: Bytes32): Read<CallOutcome> => {
  if (question._tag === "Call")
    return question.leads ? callForAnyone(question.request, at) : call(question.request, at)
  const { decode, ...read } = code(question.address, at)
  return {
    ...read,
    onNodeError: () => undefined,
    decode: result => Either.map(decode(result), data => ({ _tag: "Returned", data }) as const)
  }
}

const round = Effect.fnUntraced(function* (
  snapshot: Snapshot,
  questions: ReadonlyArray<ChainQuestion>,
  memory: RecollectionShape
) {
  const { session, block } = snapshot
  const distinct = [...new Map(questions.map(question => [questionKey(question), question])).values()]
  const answers = yield* memory.blocks.answers(snapshot, distinct, asked =>
    session.all(asked.map(question => readOf(question, block.hash)))
  )
  return yield* Effect.forEach(questions, question => {
    const answer = answers.get(questionKey(question))
    if (answer === undefined) return new RpcInvalidResponse()
    if (question._tag === "Call" && question.leads) memory.note(session.chainId, question.request, answer)
    return Effect.succeed(answer)
  })
})

export const investigate = <A>(
  snapshot: Snapshot,
  inquiry: Inquiry<A>,
  memory: RecollectionShape
): Effect.Effect<A, RpcFailure> =>
  inquiry._tag === "Settled"
    ? Effect.succeed(inquiry.value)
    : Effect.flatMap(round(snapshot, inquiry.questions, memory), answers =>
        investigate(snapshot, inquiry.resume(answers), memory)
      )
