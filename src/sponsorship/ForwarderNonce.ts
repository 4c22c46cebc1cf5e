/** How many requests of a signer its forwarder has executed, and by which code it says so. */
import { Effect, Option } from "effect"
import type { CallOutcome, ChainSession } from "../chain/ChainClient.ts"
import { call as callAt, code as codeAt, tentative } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
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

const wordOf = (outcome: CallOutcome): Option.Option<bigint> =>
  outcome._tag === "Returned" && outcome.data.length === WORD_DIGITS
    ? Option.some(BigInt(outcome.data))
    : Option.none()

/** None where the node does not say. */
export const forwarderNonce = (
  session: ChainSession,
  { forwarder, signer }: { readonly forwarder: Hex; readonly signer: Address },
  at: Bytes32
): Effect.Effect<Option.Option<ForwarderNonce>, RpcFailure> =>
  Effect.map(
    session.all([
      tentative(callAt({ to: forwarder, data: `0x${NONCES}${signerTopic(signer).slice(2)}` }, at)),
      tentative(codeAt(forwarder, at))
    ]),
    ([told, code]) =>
      Option.zipWith(Option.flatMap(told, wordOf), code, (next, found) => ({
        next,
        codeHash: codeHash(found)
      }))
  )
