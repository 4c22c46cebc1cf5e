/** How many requests of its signers a forwarder has executed at a final block, and by which code it says so. */
import { Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { type FinalAndLatest, readsAtFinal } from "../dispatch/FinalReads.ts"
import { wordOf } from "../protocol/TentativeReads.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { signerTopic } from "./ForwardedCalls.ts"

const NONCES = keccak256Utf8("nonces(address)").slice(2, 10)

export interface ForwarderNonce {
  readonly next: bigint
  readonly codeHash: Bytes32
  /** It was this many; else no more. */
  readonly isFinal: boolean
}

/** In the order of the signers; none where the node does not say. */
export const forwarderNonces = Effect.fnUntraced(function* (
  session: ChainSession,
  forwarder: Address,
  signers: ReadonlyArray<Address>,
  heads: FinalAndLatest
) {
  const calls = signers.map(signer => ({
    to: forwarder,
    data: `0x${NONCES}${signerTopic(signer).slice(2)}` as const
  }))
  const { outcomes, codeHashes, isFinal } = yield* readsAtFinal(session, { calls, codes: [forwarder] }, heads)
  const code = Option.fromNullable(codeHashes[0])
  return outcomes.map(told =>
    Option.zipWith(wordOf(told), code, (next, codeHash): ForwarderNonce => ({ next, codeHash, isFinal }))
  )
})
