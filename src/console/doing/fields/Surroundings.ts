/** What a field is read within: the groups around it, and what is known of chains and tokens. */
import {
  isNative,
  NATIVE_DECIMALS,
  PROJECT_DECIMALS,
  type TokenFacts,
  tokenKey
} from "../../../review/Amounts.ts"
import { currencyUnits, ownCurrency } from "./Currencies.ts"
import { type DraftMembers, membersIn, textIn } from "./Draft.ts"
import type { FieldUnit } from "./InputField.ts"

export interface KnownChain {
  readonly id: number
  readonly name: string
}

export interface KnownFacts {
  readonly wallet: string
  readonly chains: ReadonlyArray<KnownChain>
  /** By `tokenKey`, or by `projectTokenKey` of a project's own. */
  readonly tokens: ReadonlyMap<string, TokenFacts | undefined>
  /** The tokens that loans were given in, by `loanKey`. */
  readonly loans: ReadonlyMap<string, string>
}

export const loanKey = (chainId: number, loanId: string): string => `${chainId}:${loanId}`

export interface Surroundings {
  readonly known: KnownFacts
  /** The innermost first. */
  readonly groups: ReadonlyArray<DraftMembers>
}

export const within = (around: Surroundings, members: DraftMembers): Surroundings => ({
  ...around,
  groups: [members, ...around.groups]
})

/** What is typed in the nearest member of a name. */
export const nearestText = ({ groups }: Surroundings, name: string): string | undefined => {
  const group = groups.find(members => typeof members[name] === "string")
  return group === undefined ? undefined : textIn(group[name]).trim()
}

/** The chain of the whole input. */
export const chainIn = ({ groups }: Surroundings): number => {
  const root = groups.at(-1) ?? {}
  return Number(textIn(root.chainId ?? membersIn(root.project).chainId))
}

export interface FoundToken {
  readonly symbol: string
  readonly decimals: number
  /** Whether somebody else chose the symbol. */
  readonly isForeign: boolean
}

const whole = (symbol: string, decimals: number): FoundToken => ({ symbol, decimals, isForeign: false })

const tokenAt = (address: string, around: Surroundings): FoundToken | undefined => {
  if (isNative(address)) return whole("ether", NATIVE_DECIMALS)
  const facts = around.known.tokens.get(tokenKey(chainIn(around), address))
  return (
    facts && {
      symbol: facts.symbol ?? "whole tokens",
      decimals: facts.decimals,
      isForeign: facts.symbol !== undefined
    }
  )
}

/** Limits and payouts may be counted in a currency of their own, with the decimals of the token. */
const tokenIn = (around: Surroundings, member: string): FoundToken | undefined => {
  const address = nearestText(around, member) ?? ""
  const token = tokenAt(address, around)
  const currency = textIn(around.groups[0]?.currency).trim()
  if (token === undefined || !/^[0-9]{1,10}$/.test(currency)) return token
  const digits = String(Number(currency))
  return digits === ownCurrency(address)
    ? token
    : whole(currencyUnits(digits) ?? `units of currency ${digits}`, token.decimals)
}

/** In which whole tokens an amount is typed; undefined where its decimals are not known. */
export const tokenOfUnit = (unit: FieldUnit | undefined, around: Surroundings): FoundToken | undefined => {
  switch (unit?.kind) {
    case "native":
      return whole("ether", NATIVE_DECIMALS)
    case "project":
      return whole("tokens", PROJECT_DECIMALS)
    case "token":
      return tokenIn(around, unit.member)
    case "loan": {
      const token = around.known.loans.get(loanKey(chainIn(around), nearestText(around, "loanId") ?? ""))
      return token === undefined ? undefined : tokenAt(token, around)
    }
    case "decimals": {
      const decimals = nearestText(around, unit.member) ?? ""
      return /^[0-9]{1,2}$/.test(decimals) ? whole("whole units", Number(decimals)) : undefined
    }
    default:
      return undefined
  }
}

export const isAmount = (unit: FieldUnit | undefined): boolean =>
  unit !== undefined && ["native", "project", "token", "decimals", "loan"].includes(unit.kind)
