/** How far a wallet's nonces went at a block, by the code that its operation was prepared for. */
import { Effect, Option } from "effect"
import type { CallOutcome, ChainSession } from "../chain/ChainClient.ts"
import { call as callAt, code as codeAt, tentative } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import type { OperationBinding } from "../plans/Binding.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"

const GET_NONCE = keccak256Utf8("getNonce(address,uint192)").slice(2, 10)
const WORD_DIGITS = 66
const SEQUENCE_BITS = 64n

type Facts = OperationBinding["operation"]

const word = (digits: string): string => digits.padStart(64, "0")

const question = ({ sender, nonce }: Facts): Hex =>
  `0x${GET_NONCE}${word(sender.slice(2))}${word((BigInt(nonce) >> SEQUENCE_BITS).toString(16))}`

const wordOf = (outcome: CallOutcome): Option.Option<bigint> =>
  outcome._tag === "Returned" && outcome.data.length === WORD_DIGITS
    ? Option.some(BigInt(outcome.data))
    : Option.none()

/** Of the operation's key; none where the node does not say, or where the code is another. */
export const walletNonceAt = (
  session: ChainSession,
  facts: Facts,
  at: Bytes32
): Effect.Effect<Option.Option<bigint>, RpcFailure> =>
  Effect.map(
    session.all([
      tentative(callAt({ to: facts.entryPoint, data: question(facts) }, at)),
      tentative(codeAt(facts.entryPoint, at)),
      tentative(codeAt(facts.sender, at))
    ]),
    ([told, entryPoint, wallet]) => {
      const isPinned =
        Option.exists(entryPoint, code => codeHash(code) === facts.entryPointCodeHash) &&
        Option.exists(wallet, code => codeHash(code) === facts.walletCodeHash)
      return isPinned ? Option.flatMap(told, wordOf) : Option.none()
    }
  )
