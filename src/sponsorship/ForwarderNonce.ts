/** How many requests of its signers a forwarder has executed, and by which code it says so. */
import { Effect, Option } from "effect"
import type { CallOutcome, ChainSession } from "../chain/ChainClient.ts"
import { balance, call as callAt, code as codeAt, tentative } from "../chain/PinnedReads.ts"
import { packedRead, packedTold } from "../protocol/PackedCalls.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { signerTopic } from "./ForwardedCalls.ts"

const NONCES = keccak256Utf8("nonces(address)").slice(2, 10)
const WORD_DIGITS = 66

export interface ForwarderNonce {
  readonly next: bigint
  readonly codeHash: Bytes32
}

const wordOf = (outcome: CallOutcome | undefined): Option.Option<bigint> =>
  outcome?._tag === "Returned" && outcome.data.length === WORD_DIGITS
    ? Option.some(BigInt(outcome.data))
    : Option.none()

const nonceOf = (told: CallOutcome | undefined, hash: Bytes32 | undefined) =>
  Option.zipWith(
    wordOf(told),
    Option.fromNullable(hash),
    (next, codeHash): ForwarderNonce => ({ next, codeHash })
  )

/** In the order of the signers, in one call where the node runs its program; none where it does not say, or has no state of the block any more. */
export const forwarderNonces = Effect.fnUntraced(function* (
  session: ChainSession,
  forwarder: Hex,
  signers: ReadonlyArray<Address>,
  at: Bytes32
) {
  const calls = signers.map(signer => ({
    to: forwarder,
    data: `0x${NONCES}${signerTopic(signer).slice(2)}` as const
  }))
  const questions = { calls, codes: [forwarder] }
  const [row, state] = yield* session.all([packedRead(questions, at), tentative(balance(forwarder, at))])
  const { outcomes, codeHashes } = packedTold(questions, row)
  const [hash] = codeHashes
  const isTold = hash !== undefined && !outcomes.includes(undefined)
  if (isTold || Option.isNone(state)) return outcomes.map(told => nonceOf(told, hash))
  const [code, ...alone] = yield* session.all([
    tentative(codeAt(forwarder, at)),
    ...calls.map(asked => tentative(callAt(asked, at)))
  ])
  const found = Option.getOrUndefined(Option.map(code, codeHash))
  return alone.map(told => nonceOf(Option.getOrUndefined(told), found))
})
