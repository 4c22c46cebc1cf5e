/** Which right an action of a policy is, read back from what the guard enforces; only its exact shape is one. */
import { digitsOf } from "../values/AbiWords.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { SessionAction } from "./PolicyShape.ts"

/** What stands for the chain's native currency where a token is named. */
export const NATIVE_ASSET: Address = "0x000000000000000000000000000000000000EEEe"

/** A call's shape: the lengths that it may have, and what is asked of each of its words. */
interface RightShape {
  readonly selector: Hex
  readonly minimumLength: number
  /** Undefined: any that is not below the other. */
  readonly maximumLength?: number
  /** By their order: a word that is fixed for all calls, one that each policy fixes, or the one that is counted. */
  readonly words: ReadonlyArray<bigint | "fixed" | "counted">
}

const WORD_BYTES = 32

/** `setUriOf(uint256,string)`. */
const PROJECT_URI = { selector: "0x702a3977", minimumLength: 100, words: ["fixed", 64n] } as const

/** `transfer(address,uint256)`. */
const TOKEN_TRANSFER = {
  selector: "0xa9059cbb",
  minimumLength: 68,
  maximumLength: 68,
  words: ["fixed", "counted"]
} as const

/** `pay(uint256,address,uint256,address,uint256,string,bytes)`, with no memo and no metadata. */
const PROJECT_PAYMENT = {
  selector: "0xfef43257",
  minimumLength: 292,
  maximumLength: 292,
  words: ["fixed", "fixed", "counted", "fixed", "fixed", 224n, 256n, 0n, 0n]
} as const

const isShaped = (
  { selector, minimumLength, maximumLength, rules }: SessionAction,
  shape: RightShape
): boolean =>
  selector === shape.selector &&
  minimumLength === shape.minimumLength &&
  (maximumLength === shape.maximumLength ||
    (shape.maximumLength === undefined && maximumLength >= minimumLength)) &&
  rules.length === shape.words.length &&
  rules.every(({ condition, offset, word }, index) => {
    const asked = shape.words[index]
    return (
      offset === index * WORD_BYTES &&
      condition === (asked === "counted" ? 1 : 0) &&
      (typeof asked !== "bigint" || BigInt(word) === asked)
    )
  })

const wordAt = ({ rules }: SessionAction, index: number): bigint => BigInt(rules[index]?.word ?? 0)

const ADDRESS_DIGITS = 40

/** Undefined: the word is no address, as the called contract would find out. */
const addressAt = ({ rules }: SessionAction, index: number): Address | undefined => {
  const digits = digitsOf(rules[index]?.word ?? "0x")
  return /^0{24}[0-9a-f]{40}$/.test(digits) ? checksummed(`0x${digits.slice(-ADDRESS_DIGITS)}`) : undefined
}

export type KnownRight =
  | { readonly kind: "v6-project-uri"; readonly projectId: string; readonly longestText: number }
  | { readonly kind: "erc20-transfer"; readonly asset: Address; readonly beneficiary: Address }
  | {
      readonly kind: "v6-pay"
      readonly projectId: string
      readonly asset: Address
      readonly beneficiary: Address
      readonly minReturnedTokens: string
    }

const payment = (action: SessionAction): KnownRight | undefined => {
  const [asset, beneficiary] = [addressAt(action, 1), addressAt(action, 3)]
  if (asset === undefined || beneficiary === undefined) return undefined
  if ((asset === NATIVE_ASSET) !== (action.valueMode === 1)) return undefined
  const minReturnedTokens = String(wordAt(action, 4))
  return { kind: "v6-pay", projectId: String(wordAt(action, 0)), asset, beneficiary, minReturnedTokens }
}

const transfer = (action: SessionAction): KnownRight | undefined => {
  const beneficiary = addressAt(action, 0)
  return beneficiary === undefined || action.valueMode !== 0
    ? undefined
    : { kind: "erc20-transfer", asset: action.target, beneficiary }
}

const projectUri = (action: SessionAction): KnownRight | undefined => {
  const longestText = action.maximumLength - PROJECT_URI.minimumLength
  return action.valueMode === 0
    ? { kind: "v6-project-uri", projectId: String(wordAt(action, 0)), longestText }
    : undefined
}

/** Undefined: no kind of right that is known here. */
export const knownRight = (action: SessionAction): KnownRight | undefined => {
  if (isShaped(action, PROJECT_PAYMENT)) return payment(action)
  if (isShaped(action, TOKEN_TRANSFER)) return transfer(action)
  return isShaped(action, PROJECT_URI) ? projectUri(action) : undefined
}
