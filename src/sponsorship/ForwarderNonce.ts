/** How many requests of its signers a forwarder has executed, and by which code it says so. */
import { Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { tentativeReads, wordOf } from "../protocol/TentativeReads.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import { signerTopic } from "./ForwardedCalls.ts"

const NONCES = keccak256Utf8("nonces(address)").slice(2, 10)

export interface ForwarderNonce {
  readonly next: bigint
  readonly codeHash: Bytes32
}

/** In the order of the signers; none where the node does not say. */
export const forwarderNonces = Effect.fnUntraced(function* (
  session: ChainSession,
  forwarder: Address,
  signers: ReadonlyArray<Address>,
  at: Bytes32
) {
  const calls = signers.map(signer => ({
    to: forwarder,
    data: `0x${NONCES}${signerTopic(signer).slice(2)}` as const
  }))
  const { outcomes, codeHashes } = yield* tentativeReads(session, { calls, codes: [forwarder] }, at)
  const code = Option.fromNullable(codeHashes[0])
  return outcomes.map(told =>
    Option.zipWith(wordOf(told), code, (next, codeHash): ForwarderNonce => ({ next, codeHash }))
  )
})
