/** What each counter of a session's guard counts, in words and in whole units. */
import { formatUnits } from "viem"
import { type KnownRight, knownRight, NATIVE_ASSET } from "../../sessions/KnownRights.ts"
import { decodePolicy } from "../../sessions/Policy.ts"
import type { NamedAsset, PolicyNames } from "../../sessions/PolicyWords.ts"
import type { PublicSession, SessionCounter } from "../../sessions/Session.ts"
import { visible } from "../../values/UntrustedText.ts"

export interface CounterShown {
  readonly name: string
  readonly title: string
  readonly used: string
  readonly limit: string
  readonly remaining: string
  /** In thousandths of the limit. */
  readonly share: number
}

const NATIVE = { address: NATIVE_ASSET, symbol: "ETH", decimals: 18 } as const
const WHOLE = 1000n
const LONGEST_SYMBOL = 16
const LONGEST_ID = 64

/** What it counts: money of some asset, or things. */
interface Counts {
  readonly title: string
  readonly asset?: string
}

const rightText = (right: KnownRight | undefined): string => {
  switch (right?.kind) {
    case "v6-pay":
      return `payments to project ${right.projectId}`
    case "erc20-transfer":
      return `transfers to ${right.beneficiary.slice(0, 10)}…`
    default:
      return "calls"
  }
}

const ofRight = ({ compiled }: PublicSession, index: number): Counts => {
  const action = decodePolicy(compiled.encodedPolicy)?.actions[index]
  const right = action && knownRight(action)
  const asset = right === undefined || right.kind === "v6-project-uri" ? undefined : right.asset
  return { title: `Right ${index + 1}: ${rightText(right)}`, ...(asset !== undefined && { asset }) }
}

const ofLimit = ({ allocations, chainId }: PublicSession, named: string): Counts => {
  const own = allocations.flatMap(group => group.allocations).filter(each => each.chainId === chainId)
  const asset = own.find(({ id }) => id === named)?.asset
  return { title: `Limit "${visible(named, LONGEST_ID).text}"`, ...(asset !== undefined && { asset }) }
}

const countsOf = (session: PublicSession, name: string): Counts => {
  const [kind, which = ""] = name.split(/:(.*)/)
  if (kind === "action") return ofRight(session, Number(which))
  if (kind === "allocation") return ofLimit(session, which)
  if (kind === "cost") return { title: "Cost of gas", asset: NATIVE_ASSET }
  return { title: kind === "gas" ? "Gas" : "Calls" }
}

const grouped = (integer: string): string => integer.replace(/\B(?=(?:\d{3})+$)/g, ",")

const assetIn = ({ assets = [] }: PolicyNames, address: string): NamedAsset | undefined =>
  [NATIVE, ...assets].find(each => each.address.toLowerCase() === address.toLowerCase())

const amountIn = (names: PolicyNames, address: string | undefined) => {
  const asset = address === undefined ? undefined : assetIn(names, address)
  return (value: string): string =>
    asset === undefined
      ? grouped(value)
      : `${formatUnits(BigInt(value), asset.decimals)} ${visible(asset.symbol ?? "tokens", LONGEST_SYMBOL).text}`
}

const shareOf = ({ used, limit }: SessionCounter): number =>
  BigInt(limit) === 0n ? Number(WHOLE) : Number((BigInt(used) * WHOLE) / BigInt(limit))

export const counterShown =
  (session: PublicSession, names: PolicyNames) =>
  (counter: SessionCounter): CounterShown => {
    const { title, asset } = countsOf(session, counter.name)
    const text = amountIn(names, asset)
    return {
      name: counter.name,
      title,
      used: text(counter.used),
      limit: text(counter.limit),
      remaining: text(counter.remaining),
      share: shareOf(counter)
    }
  }
