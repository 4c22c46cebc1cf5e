/** Which integers are amounts, of which token, and how they read in whole units. */
import { formatUnits } from "viem"
import type { AbiParameter } from "../catalog/Abi.ts"
import { type ExplainedCall, memberNamed } from "./ExplainCall.ts"
import { exact, type Piece, type ReviewRow, row, untrusted, words } from "./Words.ts"

export interface TokenFacts {
  /** Absent of a token that the service cannot prove: its decimals are what it says of itself. */
  readonly symbol?: string
  readonly decimals: number
  /** Of a project's own token. */
  readonly name?: string
  /** The `tokenKey` of a project's own token. */
  readonly place?: string
}

/** By `tokenKey` or `projectTokenKey`; undefined where a chain was asked and did not say. */
export type Tokens = ReadonlyMap<string, TokenFacts | undefined>

/** What holds an argument: the whole call, or a tuple of it. */
export interface Holder {
  readonly parameters: ReadonlyArray<AbiParameter>
  readonly value: unknown
}

type Unit =
  | { readonly kind: "native" }
  | { readonly kind: "project" }
  | { readonly kind: "token"; readonly address: string }
  | { readonly kind: "currency"; readonly currency: string }

/** No token has as many units, and many never lower such an allowance. */
export const LIMITLESS = 2n ** 255n

const NATIVE_TOKEN = "0x000000000000000000000000000000000000eeee"
export const NATIVE_DECIMALS = 18
/** Of every project token, whether held as credits or as ERC-20. */
export const PROJECT_DECIMALS = 18

/** The member that names the token of an amount. */
const TOKEN_OF: Readonly<Record<string, ReadonlyArray<string>>> = {
  amount: ["token"],
  minTokensPaidOut: ["token"],
  minTokensReclaimed: ["tokenToReclaim", "token"],
  minBorrowAmount: ["token"]
}

const PROJECT_TOKENS = new Set([
  ...["cashOutCount", "tokenCount", "creditCount", "minReturnedTokens", "projectTokenCount"],
  ...["collateralCount", "collateralCountToReturn", "collateralCountToTransfer", "collateralCountToAdd"]
])
const PROJECT_TOKEN_METHODS = new Set(["transferCreditsFrom", "claimTokensFor"])
const ERC20_METHODS = new Set(["transfer", "transferFrom", "approve", "permit"])

export const isNative = (address: string): boolean => address.toLowerCase() === NATIVE_TOKEN

export const tokenKey = (chainId: number, address: string): string => `${chainId}:${address.toLowerCase()}`

/** The token of a project, whatever its address is. */
export const projectTokenKey = (chainId: number, projectId: string): string =>
  `${chainId}:project:${projectId}`

const named = ({ parameters, value }: Holder, name: string): unknown => memberNamed(value, parameters, name)

/** The token of another chain is no address here. */
const isToken = (value: unknown): value is string =>
  typeof value === "string" && /^0x[0-9a-f]{40}$/i.test(value)

const siblingToken = (holder: Holder, name: string): string | undefined =>
  (TOKEN_OF[name] ?? []).map(sibling => named(holder, sibling)).find(isToken)

/** The low 32 bits of a token's address stand for its own currency. */
export const isOwnCurrency = (currency: unknown, token: string): boolean =>
  currency === undefined || String(currency) === String(BigInt(token) & 0xffffffffn)

/** The catalog describes every ERC-20 as a project's token. */
export const isErc20 = ({ contract, method }: ExplainedCall): boolean =>
  contract?.name === "JBERC20" && method !== undefined && ERC20_METHODS.has(method.name)

const isProjectTokens = ({ method }: ExplainedCall, name: string): boolean =>
  PROJECT_TOKENS.has(name) ||
  (name === "count" && method !== undefined && PROJECT_TOKEN_METHODS.has(method.name))

/** Undefined where nothing says that the integer is an amount. */
export const unitOf = (
  explained: ExplainedCall,
  { name, type }: AbiParameter,
  holder: Holder
): Unit | undefined => {
  if (!/^uint[0-9]+$/.test(type)) return undefined
  if (isErc20(explained) && (name === "value" || name === "amount"))
    return { kind: "token", address: explained.call.to }
  if (isProjectTokens(explained, name)) return { kind: "project" }
  const token = siblingToken(holder, name)
  if (token === undefined) return undefined
  const currency = name === "amount" ? named(holder, "currency") : undefined
  if (!isOwnCurrency(currency, token)) return { kind: "currency", currency: String(currency) }
  return isNative(token) ? { kind: "native" } : { kind: "token", address: token }
}

const DIGITS = /^[0-9]{1,78}$/

/** Whole coins and the same in wei. */
export const nativeAmount = (wei: string): ReadonlyArray<Piece> =>
  DIGITS.test(wei)
    ? [words(`${formatUnits(BigInt(wei), NATIVE_DECIMALS)} ether (`), exact(wei), words(" wei)")]
    : [untrusted(wei)]

/** What a transaction can cost by its own members; rollups charge for its data beside that. */
export const highestCost = (wei: string): ReviewRow =>
  row("costs at most", ...nativeAmount(wei), words(", and what the chain charges beside gas"))

const tokenAmount = (units: bigint, facts: TokenFacts | undefined): ReadonlyArray<Piece> => {
  if (facts === undefined)
    return [exact(units), words(" in the token's smallest unit; its decimals are not known")]
  const { symbol, decimals } = facts
  return [
    words(`${formatUnits(units, decimals)} of a token that `),
    ...(symbol === undefined ? [] : [words("calls itself "), untrusted(symbol)]),
    words(symbol === undefined ? `says it has ${decimals} decimals (` : " ("),
    exact(units),
    words(symbol === undefined ? " in its smallest unit)" : ` with ${decimals} decimals)`)
  ]
}

export const amountPieces = (
  unit: Unit,
  value: unknown,
  chainId: number,
  tokens: Tokens
): ReadonlyArray<Piece> => {
  const digits = String(value)
  if (!DIGITS.test(digits)) return [untrusted(digits)]
  const units = BigInt(digits)
  if (unit.kind === "native") return nativeAmount(digits)
  if (unit.kind === "token") return tokenAmount(units, tokens.get(tokenKey(chainId, unit.address)))
  return unit.kind === "project"
    ? [
        words(`${formatUnits(units, PROJECT_DECIMALS)} of the project's tokens (`),
        exact(digits),
        words(` with ${PROJECT_DECIMALS} decimals)`)
      ]
    : [exact(digits), words(" in the smallest unit of currency "), exact(unit.currency)]
}
