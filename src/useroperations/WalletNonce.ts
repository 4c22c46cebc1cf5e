/** How far wallets' nonces went at a final block, by the code that their operations were prepared for. */
import { Effect, Option } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { type FinalAndLatest, readsAtFinal } from "../dispatch/FinalReads.ts"
import type { OperationBinding } from "../plans/Binding.ts"
import { wordOf } from "../protocol/TentativeReads.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Hex } from "../values/Scalars.ts"

const GET_NONCE = keccak256Utf8("getNonce(address,uint192)").slice(2, 10)
const SEQUENCE_BITS = 64n

type Facts = OperationBinding["operation"]

export interface WalletNonce {
  readonly next: bigint
  /** It was this much; else no more. */
  readonly isFinal: boolean
}

const word = (digits: string): string => digits.padStart(64, "0")

const question = ({ sender, nonce }: Facts): Hex =>
  `0x${GET_NONCE}${word(sender.slice(2).toLowerCase())}${word((BigInt(nonce) >> SEQUENCE_BITS).toString(16))}`

/** Of each operation's key, in their order; none where the node does not say, or where the code is another. */
export const walletNonces = Effect.fnUntraced(function* (
  session: ChainSession,
  operations: ReadonlyArray<Facts>,
  heads: FinalAndLatest
) {
  const codes = [...new Set(operations.flatMap(({ entryPoint, sender }) => [entryPoint, sender]))]
  const calls = operations.map(facts => ({ to: facts.entryPoint, data: question(facts) }))
  const { outcomes, codeHashes, isFinal } = yield* readsAtFinal(session, { calls, codes }, heads)
  const hashes = new Map(codes.map((address, index) => [address, codeHashes[index]]))
  return operations.map(({ entryPoint, sender, entryPointCodeHash, walletCodeHash }, index) => {
    const isPinned = hashes.get(entryPoint) === entryPointCodeHash && hashes.get(sender) === walletCodeHash
    return isPinned
      ? Option.map(wordOf(outcomes[index]), (next): WalletNonce => ({ next, isFinal }))
      : Option.none<WalletNonce>()
  })
})
