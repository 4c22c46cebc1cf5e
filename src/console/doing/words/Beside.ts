/** What is told beside a field: the exact value that its text stands for. */
import { Either } from "effect"
import { formatUnits, zeroAddress } from "viem"
import { isNative } from "../../../review/Amounts.ts"
import { instantText } from "../../../review/Times.ts"
import { exact, type Piece, quoted, words } from "../../../review/Words.ts"
import { COMMON_CURRENCIES, currencyUnits, ownCurrency } from "../fields/Currencies.ts"
import { shareText, spanText } from "../fields/Exactly.ts"
import type { FieldUnit, InputField } from "../fields/InputField.ts"
import { scalarRead } from "../fields/ReadScalar.ts"
import { chainIn, isAmount, nearestText, type Surroundings, tokenOfUnit } from "../fields/Surroundings.ts"

const RESERVED = "1"
const LONGEST_SYMBOL = 16

const tokensOwn = (around: Surroundings): string | undefined =>
  ownCurrency(nearestText(around, "token") ?? "")

const currencyWords = (digits: string, around: Surroundings): ReadonlyArray<Piece> => {
  if (digits === tokensOwn(around)) return [words("the token's own")]
  const name = currencyUnits(digits)
  return name === undefined ? [] : [words(name)]
}

const currencyOffers = (around: Surroundings): ReadonlyArray<Offer> => {
  const own = tokensOwn(around)
  return [
    ...(own === undefined ? [] : [{ label: "The token's own", text: own }]),
    ...COMMON_CURRENCIES.map(text => ({ label: currencyUnits(text) ?? text, text }))
  ]
}

/** A group of payout splits is named by its token's address. */
const groupWords = (digits: string): ReadonlyArray<Piece> => {
  if (digits === RESERVED) return [words("the reserved tokens")]
  const hex = BigInt(digits).toString(16)
  if (hex.length < 3 || hex.length > 40) return []
  const address = `0x${hex.padStart(40, "0")}`
  return isNative(address)
    ? [words("payouts in the chain's own token")]
    : [words("payouts in the token "), exact(address)]
}

const amountWords = (
  unit: FieldUnit | undefined,
  digits: string,
  around: Surroundings
): ReadonlyArray<Piece> => {
  const token = tokenOfUnit(unit, around)
  if (token === undefined)
    return [exact(digits), words(" in the smallest unit, whose decimals are not known here")]
  const symbol = token.isForeign ? quoted(token.symbol, LONGEST_SYMBOL) : words(token.symbol)
  const whole = formatUnits(BigInt(digits), token.decimals)
  return [
    words(`${whole} `),
    symbol,
    words(", exactly "),
    exact(digits),
    words(` with ${token.decimals} decimals`)
  ]
}

const addressWords = (address: string): ReadonlyArray<Piece> => {
  if (isNative(address)) return [words("the chain's own token, ether on most chains")]
  return address === zeroAddress ? [words("no address")] : []
}

const timeWords = (digits: string): ReadonlyArray<Piece> => [
  exact(digits),
  words(` seconds since 1970, ${instantText(Number(digits) * 1000)}`)
]

/** What digits are in a unit. */
export const digitsWords = (
  unit: FieldUnit | undefined,
  digits: string,
  around: Surroundings
): ReadonlyArray<Piece> => {
  if (isAmount(unit)) return amountWords(unit, digits, around)
  switch (unit?.kind) {
    case "share":
      return [words(`${shareText(BigInt(digits), unit.whole)}, `), exact(digits), words(` of ${unit.whole}`)]
    case "time":
      return timeWords(digits)
    case "duration":
      return [words(`${spanText(BigInt(digits))}, `), exact(digits), words(" seconds")]
    case "currency":
      return currencyWords(digits, around)
    case "splitGroup":
      return groupWords(digits)
    default:
      return []
  }
}

/** A weight of one stands for another. */
const INHERITED = "1"

const isInherited = ({ name }: InputField, digits: string): boolean =>
  name === "weight" && digits === INHERITED

/** Nothing where the text is wrong or needs no explanation. */
export const besideWords = (field: InputField, typed: string, around: Surroundings): ReadonlyArray<Piece> => {
  const { shape, empty, fallback, isRequired, unit } = field
  if (typed.trim() === "") {
    if (empty !== undefined) return [words(empty.words)]
    if (isRequired || fallback === undefined || fallback === "")
      return unit?.kind === "share" ? [words("a count of parts, or a percentage such as 12.5%")] : []
    const usual = shape.kind === "number" ? digitsWords(unit, String(fallback), around) : []
    return [words("usually "), ...(usual.length > 0 ? usual : [exact(fallback)])]
  }
  const read = scalarRead(field, typed, around)
  if (Either.isLeft(read)) return []
  const text = String(read.right)
  if (isInherited(field, text)) return [words("as the ruleset before issues, less its cut")]
  if (shape.kind === "address") return addressWords(text)
  return unit !== undefined && /^[0-9]+$/.test(text) ? digitsWords(unit, text, around) : []
}

/** What a press fills in. */
export interface Offer {
  readonly label: string
  readonly text: string
}

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

const isToken = ({ name }: InputField): boolean => /token(?!uri|s$)/i.test(name)

/** Those that were looked up on the chain of the input. */
const knownTokens = (around: Surroundings): ReadonlyArray<Offer> =>
  [...around.known.tokens].flatMap(([key, facts]) => {
    const [chain, address = ""] = key.split(":")
    const isHere = facts !== undefined && Number(chain) === chainIn(around) && address.startsWith("0x")
    return isHere && !isNative(address)
      ? [{ label: `Token ${address.slice(0, 6)}…${address.slice(-4)}`, text: address }]
      : []
  })

export const offersFor = (field: InputField, around: Surroundings): ReadonlyArray<Offer> => {
  const { shape, unit } = field
  if (unit?.kind === "currency") return currencyOffers(around)
  if (field.name === "weight") return [{ label: "As the ruleset before", text: `${INHERITED} units` }]
  if (unit?.kind === "splitGroup")
    return [
      { label: "Reserved tokens", text: RESERVED },
      { label: "Payouts in the chain's own token", text: String(BigInt(NATIVE_TOKEN)) }
    ]
  if (unit?.kind === "party" && shape.kind === "address")
    return [{ label: "My wallet", text: around.known.wallet }]
  return shape.kind === "address" && isToken(field)
    ? [{ label: "The chain's own token", text: NATIVE_TOKEN }, ...knownTokens(around)]
    : []
}
