/** Amounts in whole units of what they are of; where that is not known, in the smallest unit and saying so. */
import { formatUnits } from "viem"
import { isNative, PROJECT_DECIMALS } from "../../../review/Amounts.ts"
import { amount, exact, type Piece, quoted, untrusted, words } from "../../../review/Words.ts"

export interface Asset {
  readonly token: string
  readonly decimals: number
  /** What it calls itself. */
  readonly symbol?: string | undefined
}

const LONGEST_SYMBOL = 20
const MOST_DECIMALS = 77
const INTEGER = /^-?[0-9]{1,78}$/

export const assetOf = (token: string, decimals: number, symbol?: string | null): Asset | undefined =>
  Number.isInteger(decimals) && decimals >= 0 && decimals <= MOST_DECIMALS
    ? { token, decimals, symbol: symbol ?? undefined }
    : undefined

/** The digits alone. */
export const wholeUnits = (value: bigint, decimals: number | undefined): string =>
  decimals === undefined ? String(value) : formatUnits(value, decimals)

const nameOf = ({ token, symbol }: Asset): ReadonlyArray<Piece> => {
  if (isNative(token)) return []
  if (symbol === undefined || symbol === "") return [words(" of the token "), exact(token)]
  return [words(" "), quoted(symbol, LONGEST_SYMBOL)]
}

export const assetPieces = (value: string, asset: Asset | undefined): ReadonlyArray<Piece> => {
  if (!INTEGER.test(value)) return [untrusted(value)]
  if (asset === undefined) return [amount(value), words(" in the smallest unit of its token")]
  const digits = wholeUnits(BigInt(value), asset.decimals)
  return [amount(isNative(asset.token) ? `${digits} ether` : digits), ...nameOf(asset)]
}

/** Of a project's own tokens, held as credits or as ERC-20. */
export const tokenCount = (value: string, symbol?: string | null): ReadonlyArray<Piece> => {
  if (!INTEGER.test(value)) return [untrusted(value)]
  const digits = wholeUnits(BigInt(value), PROJECT_DECIMALS)
  if (symbol === undefined || symbol === null || symbol === "")
    return [amount(`${digits} ${digits === "1" ? "token" : "tokens"}`)]
  return [amount(digits), words(" "), quoted(symbol, LONGEST_SYMBOL)]
}

/** What a unit of the axis is called, plainly. */
export const unitName = (asset: Asset | undefined): ReadonlyArray<Piece> => {
  if (asset === undefined) return [words("the token's smallest unit")]
  if (isNative(asset.token)) return [words("ether")]
  return asset.symbol === undefined || asset.symbol === ""
    ? [words("the token "), exact(asset.token)]
    : [quoted(asset.symbol, LONGEST_SYMBOL)]
}

const HUNDREDTHS = 4
const SHARE_UNIT = 1_000_000n

/** Rounded down to four places; what is less than that says so. */
export const supplyShareText = (part: bigint, whole: bigint): string | undefined => {
  if (whole <= 0n || part < 0n) return undefined
  const parts = (part * SHARE_UNIT) / whole
  if (parts === 0n && part > 0n) return "less than 0.0001 %"
  const isRound = parts * whole === part * SHARE_UNIT
  return `${isRound ? "" : "about "}${formatUnits(parts, HUNDREDTHS)} %`
}
