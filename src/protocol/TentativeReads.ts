/** What calls return and which code addresses have at one block, as far as a node says: one that does not changes nothing of the rest. */
import { Effect, Option } from "effect"
import type { CallOutcome, ChainSession } from "../chain/ChainClient.ts"
import { balance, call as callAt, code as codeAt, tentative } from "../chain/PinnedReads.ts"
import { type Bytes32, ZERO_ADDRESS } from "../values/Scalars.ts"
import { type PackedQuestions, type PackedTold, packedRead, packedTold } from "./PackedCalls.ts"
import { codeHash } from "./RuntimeCode.ts"

/** In one call where the node runs its program; else each by itself, unless the node has no state of the block any more. */
export const tentativeReads = Effect.fnUntraced(function* (
  session: ChainSession,
  questions: PackedQuestions,
  at: Bytes32
) {
  const [row, state] = yield* session.all([packedRead(questions, at), tentative(balance(ZERO_ADDRESS, at))])
  const told = packedTold(questions, row)
  const isTold = ![...told.outcomes, ...told.codeHashes].includes(undefined)
  if (isTold || Option.isNone(state)) return told
  const [outcomes, codes] = yield* Effect.all(
    [
      session.all(questions.calls.map(asked => tentative(callAt(asked, at)))),
      session.all(questions.codes.map(address => tentative(codeAt(address, at))))
    ],
    { concurrency: "unbounded" }
  )
  const alone: PackedTold = {
    outcomes: outcomes.map(Option.getOrUndefined),
    codeHashes: codes.map(code => Option.getOrUndefined(Option.map(code, codeHash)))
  }
  return alone
})

const WORD_DIGITS = 66

/** The one word that a call returned. */
export const wordOf = (outcome: CallOutcome | undefined): Option.Option<bigint> =>
  outcome?._tag === "Returned" && outcome.data.length === WORD_DIGITS
    ? Option.some(BigInt(outcome.data))
    : Option.none()
