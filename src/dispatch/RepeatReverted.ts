/** Asks why transactions reverted, by the same calls on the state that their blocks began with; it decides nothing. */
import { Effect, Option } from "effect"
import type { BlockListing, CallOutcome, ChainSession } from "../chain/ChainClient.ts"
import { isLimiting } from "../chain/JsonRpc.ts"
import { call as callAt, tentative } from "../chain/PinnedReads.ts"
import { transactionOf } from "../plans/Binding.ts"
import { type Observation, revertBefore } from "../plans/Observation.ts"
import type { Call } from "../plans/Plan.ts"
import type { StepRevert } from "../plans/StepRevert.ts"
import type { RevertReason } from "../protocol/RevertReason.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { hasNul } from "../values/JsonEscapes.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { reasonOfRevert } from "./FailedCall.ts"
import type { Admitted } from "./Observe.ts"

/** In one look; the others are asked about in the next one. */
const MOST_AT_ONCE = 32
const LONGEST_REASON = 1_024

const DIFFERS =
  "the call did not revert when it was run again: what made it revert came with its own block, the transactions before it or what its access list cost"

interface Observed {
  readonly admitted: Admitted
  readonly observation: Observation
  readonly canonical: BlockListing | null
}

interface Repetition {
  readonly admitted: Admitted
  readonly parent: { readonly blockNumber: string; readonly blockHash: Bytes32 }
}

/** None where the reason is known already, or where the wallet's own transaction is not the call itself. */
const repetitionOf = ({ admitted, observation, canonical }: Observed): ReadonlyArray<Repetition> => {
  if (observation._tag !== "Mined" || canonical?.parentHash === undefined) return []
  const { receipt, required } = observation
  const isDue = receipt.status === "reverted" && receipt.confirmations >= required
  if (!isDue || revertBefore(admitted.facts, receipt) !== undefined) return []
  const blockNumber = String(BigInt(receipt.blockNumber) - 1n)
  return transactionOf(admitted.binding) === undefined
    ? []
    : [{ admitted, parent: { blockNumber, blockHash: canonical.parentHash } }]
}

const repeat = ({ admitted: { account, call, binding }, parent }: Repetition) =>
  tentative(
    callAt(
      {
        from: account,
        to: call.to,
        data: call.data,
        value: BigInt(call.value),
        gas: BigInt(transactionOf(binding)?.transaction.gas ?? 0)
      },
      parent.blockHash
    )
  )

const isKept = (args: RevertReason["args"]): boolean => {
  const text = canonicalJson(args ?? null)
  return text.length <= LONGEST_REASON && !hasNul(text)
}

/** What a contract said at length is left out, not cut: an error's name still tells. */
const bounded = ({ args, ...reason }: RevertReason): RevertReason =>
  args === undefined || !isKept(args) ? reason : { ...reason, args }

const told = Effect.fnUntraced(function* (call: Call, parent: Repetition["parent"], outcome: CallOutcome) {
  switch (outcome._tag) {
    case "Returned":
      return { status: "unknown", ...parent, reason: DIFFERS } satisfies StepRevert
    case "Refused":
      return {
        status: "unknown",
        ...parent,
        reason: `the node ended the repetition with error ${outcome.code}, as where the gas runs out or the state is gone`
      } satisfies StepRevert
    case "Reverted":
      return {
        status: "known",
        ...parent,
        ...bounded(yield* reasonOfRevert(call, outcome.data))
      } satisfies StepRevert
  }
})

/** A node that answers less often than it is asked said nothing of the call. */
const isAnswer = (outcome: CallOutcome): boolean => outcome._tag !== "Refused" || !isLimiting(outcome.code)

/** The observations as they are, with the reasons that a node gave; nothing fails where it gives none. */
export const withReverts = Effect.fn("Reconcile.reverts")(function* (
  session: ChainSession,
  looked: ReadonlyArray<Observed>
) {
  const due = looked.flatMap(repetitionOf).slice(0, MOST_AT_ONCE)
  const asked: Effect.Effect<ReadonlyArray<Option.Option<CallOutcome>>> =
    due.length === 0 ? Effect.succeed([]) : Effect.orElseSucceed(session.all(due.map(repeat)), () => [])
  const outcomes = yield* asked
  const found = new Map<Admitted, StepRevert>()
  for (const [index, { admitted, parent }] of due.entries()) {
    const outcome = Option.filter(Option.flatten(Option.fromNullable(outcomes[index])), isAnswer)
    if (Option.isSome(outcome)) found.set(admitted, yield* told(admitted.call, parent, outcome.value))
  }
  return looked.map(({ admitted, observation }): Observation => {
    const revert = found.get(admitted)
    return observation._tag !== "Mined" || revert === undefined ? observation : { ...observation, revert }
  })
})
