/** What the sentences about calls are made of: who, which project, how much of what. */
import { formatUnits, zeroAddress } from "viem"
import {
  isNative,
  NATIVE_DECIMALS,
  PROJECT_DECIMALS,
  projectTokenKey,
  type TokenFacts,
  type Tokens,
  tokenKey
} from "../Amounts.ts"
import { type ExplainedCall, memberNamed } from "../ExplainCall.ts"
import { amount, exact, type Piece, quoted, words } from "../Words.ts"

export type Clause = ReadonlyArray<Piece>

export interface Telling {
  readonly explained: ExplainedCall
  readonly wallet: string
  /** What the wallet is called: whoever reads it, or a wallet of several owners. */
  readonly self: "you" | "it"
  readonly tokens: Tokens
  /** By `tokenKey`: the contracts that the plan's calls go to. */
  readonly names: ReadonlyMap<string, string>
}

/** What the wallet does, as said after "you" or "it will". */
export type Teller = (telling: Telling) => Clause

const LONGEST_SYMBOL = 16
const LONGEST_NAME = 40
const LONGEST_AMOUNT = 60

export const said = (text: string): Clause => [words(text)]

export const say = (texts: TemplateStringsArray, ...clauses: ReadonlyArray<Clause>): Clause =>
  texts.flatMap((text, index) => [...(text === "" ? [] : said(text)), ...(clauses[index] ?? [])])

/** An argument, or by a longer path a member of its tuples. */
export const given = (
  { explained: { method, values } }: Telling,
  ...path: ReadonlyArray<string>
): unknown => {
  let parameters = method?.inputs ?? []
  let value: unknown = values
  for (const name of path) {
    value =
      Array.isArray(value) && /^[0-9]+$/.test(name)
        ? value[Number(name)]
        : memberNamed(value, parameters, name)
    parameters = parameters.find(parameter => parameter.name === name)?.components ?? parameters
  }
  return value
}

export const integer = (value: unknown): bigint =>
  typeof value === "bigint" || typeof value === "number" ? BigInt(value) : 0n

export const elementsOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

export const counted = (count: number, what: string): string =>
  `${count === 0 ? "no" : count} ${what}${count === 1 ? "" : "s"}`

export const named = (value: unknown): Clause => [quoted(String(value), LONGEST_NAME)]

const isSelf = ({ wallet }: Telling, address: unknown): boolean =>
  String(address).toLowerCase() === wallet.toLowerCase()

export const who = (telling: Telling, address: unknown): Clause => {
  if (isSelf(telling, address)) return said(telling.self)
  if (address === zeroAddress) return say`nobody (${[exact(address)]})`
  const name = telling.names.get(tokenKey(telling.explained.call.chainId, String(address)))
  return name === undefined ? [exact(address)] : say`${said(name)} (${[exact(address)]})`
}

/** Whose tokens they are, where they are not the wallet's own. */
export const heldBy = (telling: Telling, address: unknown): Clause =>
  isSelf(telling, address) ? [] : say` held by ${who(telling, address)}`

export const sent = ({ explained: { call } }: Telling): bigint => BigInt(call.value)

export const native = (wei: bigint): Clause => [amount(`${formatUnits(wei, NATIVE_DECIMALS)} ETH`)]

const factsOf = ({ tokens, explained }: Telling, token: unknown): TokenFacts | undefined =>
  tokens.get(tokenKey(explained.call.chainId, String(token)))

const projectFacts = ({ tokens, explained }: Telling, id: unknown): TokenFacts | undefined =>
  tokens.get(projectTokenKey(explained.call.chainId, String(id)))

const symbolOf = (facts: TokenFacts | undefined): Clause | undefined =>
  facts?.symbol === undefined || facts.symbol === "" ? undefined : [quoted(facts.symbol, LONGEST_SYMBOL)]

export const project = (telling: Telling, id: unknown): Clause => {
  const name = projectFacts(telling, id)?.name ?? ""
  return [words("project "), exact(id), ...(name === "" ? [] : [words(" "), ...named(name)])]
}

export const asset = (telling: Telling, token: unknown): Clause =>
  isNative(String(token)) ? said("ETH") : (symbolOf(factsOf(telling, token)) ?? say`token ${[exact(token)]}`)

/** By an unproved one's functions an item of a collection moves too, whose number stands where the amount would. */
export const orItem = (telling: Telling, token: unknown, units: bigint): Clause =>
  factsOf(telling, token)?.symbol === undefined
    ? say` (or its item ${[exact(units)]}, if it is a collection)`
    : []

/** The units stand beside what they are by the token's own word, which nothing proves. */
const unprovedText = (facts: TokenFacts | undefined, units: bigint, token: unknown): Clause | undefined =>
  facts === undefined || facts.symbol !== undefined
    ? undefined
    : say`of token ${[exact(token)]} (${[exact(units)]} in its smallest unit; that it has ${[exact(facts.decimals)]} decimals is its own word)`

export const tokenAmount = (
  facts: TokenFacts | undefined,
  units: bigint,
  token: unknown,
  decimals = facts?.decimals ?? 0
): Clause => {
  const symbol = symbolOf(facts) ?? unprovedText(facts, units, token)
  const whole = formatUnits(units, decimals)
  return symbol === undefined || whole.length > LONGEST_AMOUNT
    ? say`${[amount(String(units))]} in the smallest unit of token ${[exact(token)]} (its decimals are not known)`
    : say`${[amount(whole)]} ${symbol}`
}

export const money = (telling: Telling, token: unknown, units: bigint): Clause =>
  isNative(String(token)) ? native(units) : tokenAmount(factsOf(telling, token), units, token)

/** `otherwise` follows the number where nobody knows the tokens' symbol. */
export const projectTokens = (telling: Telling, id: unknown, count: bigint, otherwise: string): Clause =>
  say`${[amount(formatUnits(count, PROJECT_DECIMALS))]} ${symbolOf(projectFacts(telling, id)) ?? said(otherwise)}`

const undecided = (what: Clause): Clause => say`an amount of ${what} decided when it runs, perhaps none`

export const leastMoney = (telling: Telling, token: unknown, units: bigint): Clause =>
  units === 0n ? undecided(asset(telling, token)) : say`at least ${money(telling, token, units)}`

export const leastTokens = (telling: Telling, id: unknown, count: bigint): Clause =>
  count === 0n
    ? undecided(symbolOf(projectFacts(telling, id)) ?? said("its tokens"))
    : say`at least ${projectTokens(telling, id, count, "of its tokens")}`

export const gain = (telling: Telling, what: Clause, beneficiary: unknown): Clause =>
  isSelf(telling, beneficiary)
    ? say` and get ${what}; 100 % go to ${said(telling.self)}`
    : say` for ${what}; 100 % go to ${who(telling, beneficiary)}, none to ${said(telling.self)}`

/** What the call itself carries, where it carries something. */
export const carried = (telling: Telling, before: string): Clause =>
  sent(telling) === 0n ? [] : say`${said(before)}${native(sent(telling))}`
