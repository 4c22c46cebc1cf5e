/** The words with which a buyback hook tells a terminal, and us, what it is about to do. */
import { checksummed } from "../../../values/Checksum.ts"
import type { Address, Bytes32, Hex } from "../../../values/Scalars.ts"

const WORD_DIGITS = 64

const wordsOf = (metadata: Hex): ReadonlyArray<Bytes32> =>
  Array.from(
    { length: (metadata.length - 2) / WORD_DIGITS },
    (_, index): Bytes32 => `0x${metadata.slice(2 + index * WORD_DIGITS, 2 + (index + 1) * WORD_DIGITS)}`
  )

const numberAt = (words: ReadonlyArray<Bytes32>, index: number): bigint => BigInt(words[index] ?? 0)

const addressAt = (words: ReadonlyArray<Bytes32>, index: number): Address =>
  checksummed(`0x${(words[index] ?? "").slice(-40)}`)

export interface BuybackPay {
  readonly amountToMintWith: bigint
  readonly controller: Address
  readonly minimumBeneficiaryTokenCount: bigint
  readonly minimumReservedTokenCount: bigint
  readonly skipSplits: boolean
}

/** 1.4.0 added two words to the fifteen of 1.1.1. */
const PAY_WORDS = [15, 17]

export const buybackPayOf = (metadata: Hex): BuybackPay | undefined => {
  const words = wordsOf(metadata)
  if (!PAY_WORDS.includes(words.length)) return undefined
  return {
    amountToMintWith: numberAt(words, 1),
    controller: addressAt(words, 4),
    minimumBeneficiaryTokenCount: numberAt(words, 11),
    minimumReservedTokenCount: numberAt(words, 12),
    skipSplits: numberAt(words, 15) !== 0n
  }
}

export interface BuybackCashOut {
  readonly minimumSwapAmountOut: bigint
  readonly cashOutCountToSell: bigint
  readonly netDirectCashOutAmount: bigint
}

const CASH_OUT_WORDS = 8

export const buybackCashOutOf = (metadata: Hex): BuybackCashOut | undefined => {
  const words = wordsOf(metadata)
  if (words.length !== CASH_OUT_WORDS) return undefined
  return {
    minimumSwapAmountOut: numberAt(words, 0),
    cashOutCountToSell: numberAt(words, 1),
    netDirectCashOutAmount: numberAt(words, 2)
  }
}
