/** What a simulated step changes in the balances of the wallet that sends it. */
import type { Plan } from "../plans/Plan.ts"
import type { AssetChange, Simulation } from "../plans/Simulation.ts"
import { printable } from "../values/UntrustedText.ts"
import { type TokenFacts, type Tokens, tokenKey } from "./Amounts.ts"
import { native, tokenAmount } from "./sentences/Speech.ts"
import { exact, type ReviewRow, row, toned, words } from "./Words.ts"

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase()

/** A project's own token is looked up by its project. */
const factsAt = (tokens: Tokens, place: string): TokenFacts | undefined =>
  tokens.get(place) ?? [...tokens.values()].find(facts => facts?.place === place)

const NATIVE = "native"

/** Above zero what the wallet gets, below what it gives. */
const signOf = ({ from, to }: AssetChange, wallet: string): bigint =>
  (isSame(to, wallet) ? 1n : 0n) - (isSame(from, wallet) ? 1n : 0n)

const netOf = (changes: ReadonlyArray<AssetChange>, wallet: string): ReadonlyMap<string, bigint> => {
  const net = new Map<string, bigint>()
  for (const change of changes) {
    if (change.kind === "erc721") continue
    const asset = change.kind === "native" ? NATIVE : change.token
    net.set(asset, (net.get(asset) ?? 0n) + signOf(change, wallet) * BigInt(change.amount))
  }
  return net
}

/** Whose balances they are. */
type Holder = Pick<Plan, "account" | "smartAccount">

const nameOf = ({ smartAccount }: Holder, net: bigint): string => {
  const isGain = net > 0n
  if (smartAccount === undefined) return isGain ? "you get" : "you give"
  return isGain ? "the wallet gets" : "the wallet gives"
}

const amountRow = (holder: Holder, asset: string, net: bigint, facts: TokenFacts | undefined): ReviewRow => {
  const units = net < 0n ? -net : net
  return row(nameOf(holder, net), ...(asset === NATIVE ? native(units) : tokenAmount(facts, units, asset)))
}

const itemRows = (changes: ReadonlyArray<AssetChange>, holder: Holder): ReadonlyArray<ReviewRow> =>
  changes.flatMap(change => {
    const net = signOf(change, holder.account)
    return change.kind !== "erc721" || net === 0n
      ? []
      : [row(nameOf(holder, net), words("item "), exact(change.tokenId), words(" of "), exact(change.token))]
  })

const balances = ({ smartAccount }: Holder): string =>
  smartAccount === undefined ? "your balances" : "the wallet's balances"

/** The gas is not among them. */
export const balanceRows = (
  { chainId, assetChanges }: Simulation,
  holder: Holder,
  tokens: Tokens
): ReadonlyArray<ReviewRow> => {
  if (assetChanges.status === "unknown")
    return [row(balances(holder), words(`are not foreseen: ${printable(assetChanges.reason)}`))]
  const { changes } = assetChanges
  const moved = [...netOf(changes, holder.account)]
    .filter(([, net]) => net !== 0n)
    .map(([asset, net]) => amountRow(holder, asset, net, factsAt(tokens, tokenKey(chainId, asset))))
  const rows = [...moved, ...itemRows(changes, holder)]
  return rows.length === 0
    ? [row(balances(holder), words("stay as they are, but for the gas"))]
    : rows.map(each => toned("key", each))
}
