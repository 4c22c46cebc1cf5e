/** What is told beside a field: the exact value that its text stands for. */
import { Either } from "effect"
import { formatUnits, zeroAddress } from "viem"
import { isNative } from "../../../review/Amounts.ts"
import { instantText } from "../../../review/Times.ts"
import { exact, type Piece, quoted, words } from "../../../review/Words.ts"
import { percentText, spanText } from "../fields/Exactly.ts"
import type { InputField } from "../fields/InputField.ts"
import { scalarRead } from "../fields/ReadScalar.ts"
import { isAmount, type Surroundings, tokenOfUnit } from "../fields/Surroundings.ts"

const NATIVE_CURRENCY = "61166"
const RESERVED = "1"
const LONGEST_SYMBOL = 16
const EIGHTEEN = 18

const CURRENCIES: Readonly<Record<string, string>> = {
  "1": "ether",
  "2": "US dollars",
  [NATIVE_CURRENCY]: "the chain's own token"
}

const currencyWords = (digits: string): ReadonlyArray<Piece> => {
  const name = Object.hasOwn(CURRENCIES, digits) ? CURRENCIES[digits] : undefined
  return name === undefined ? [] : [words(name)]
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

const amountWords = (field: InputField, digits: string, around: Surroundings): ReadonlyArray<Piece> => {
  const token = tokenOfUnit(field.unit, around)
  if (token === undefined)
    return [
      words(`${formatUnits(BigInt(digits), EIGHTEEN)} whole ones, if the token has ${EIGHTEEN} decimals`)
    ]
  const symbol = token.isForeign ? quoted(token.symbol, LONGEST_SYMBOL) : words(token.symbol)
  return [symbol, words(", exactly "), exact(digits), words(` with ${token.decimals} decimals`)]
}

const addressWords = (address: string): ReadonlyArray<Piece> => {
  if (isNative(address)) return [words("the chain's own token, ether on most chains")]
  return address === zeroAddress ? [words("no address")] : []
}

const timeWords = (digits: string): ReadonlyArray<Piece> => [
  exact(digits),
  words(` seconds since 1970, ${instantText(Number(digits) * 1000)}`)
]

const valueWords = (field: InputField, digits: string, around: Surroundings): ReadonlyArray<Piece> => {
  const { unit } = field
  if (isAmount(unit)) return amountWords(field, digits, around)
  switch (unit?.kind) {
    case "share":
      return [
        words(`${percentText(BigInt(digits), unit.whole)}, `),
        exact(digits),
        words(` of ${unit.whole}`)
      ]
    case "time":
      return timeWords(digits)
    case "duration":
      return [words(`${spanText(BigInt(digits))}, `), exact(digits), words(" seconds")]
    case "currency":
      return currencyWords(digits)
    case "splitGroup":
      return groupWords(digits)
    default:
      return []
  }
}

/** Nothing where the text is wrong or needs no explanation. */
export const besideWords = (field: InputField, typed: string, around: Surroundings): ReadonlyArray<Piece> => {
  const { shape, empty, fallback, isRequired, unit } = field
  if (typed.trim() === "") {
    if (empty !== undefined) return [words(empty.words)]
    if (isRequired || fallback === undefined || fallback === "") return []
    const usual = shape.kind === "number" ? valueWords(field, String(fallback), around) : []
    return [words("usually "), ...(usual.length > 0 ? usual : [exact(fallback)])]
  }
  const read = scalarRead(field, typed, around)
  if (Either.isLeft(read)) return []
  const text = String(read.right)
  if (shape.kind === "address") return addressWords(text)
  return unit !== undefined && /^[0-9]+$/.test(text) ? valueWords(field, text, around) : []
}

export interface Offer {
  readonly label: string
  readonly text: string
}

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

const isToken = ({ name }: InputField): boolean => /token(?!uri|s$)/i.test(name)

/** What a press fills in. */
export const offersFor = (field: InputField, { known }: Surroundings): ReadonlyArray<Offer> => {
  const { shape, unit } = field
  if (unit?.kind === "splitGroup")
    return [
      { label: "Reserved tokens", text: RESERVED },
      { label: "Payouts in the chain's own token", text: String(BigInt(NATIVE_TOKEN)) }
    ]
  if (unit?.kind === "currency")
    return Object.entries(CURRENCIES).map(([text, name]) => ({ label: name, text }))
  if (shape.kind !== "address") return []
  return isToken(field)
    ? [{ label: "The chain's own token", text: NATIVE_TOKEN }]
    : [{ label: "My wallet", text: known.wallet }]
}
