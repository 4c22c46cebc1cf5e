/** What a session may do, in sentences, read from the bytes that its wallet's owners enable and from nothing else. */
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { visible } from "../values/UntrustedText.ts"
import { type KnownRight, knownRight, NATIVE_ASSET } from "./KnownRights.ts"
import { decodePolicy } from "./Policy.ts"
import type { SessionAction, SessionPolicy } from "./PolicyShape.ts"

export interface NamedAsset {
  readonly address: Address
  /** Absent where the decimals are the token's own word. */
  readonly symbol?: string
  readonly decimals: number
}

/** By which amounts and allocations read as people name them; nothing of it changes what is allowed. */
export interface PolicyNames {
  /** An asset that is not among them is counted in its smallest unit. */
  readonly assets?: ReadonlyArray<NamedAsset>
  /** Which terminals and controllers there are on the chain, where that is known: what has their functions elsewhere may be anything. */
  readonly published?: ReadonlyArray<Address>
  /** The texts by which a request named its allocations: of one that is another's, the hash is shown. */
  readonly allocationIds?: ReadonlyArray<string>
}

export interface PolicySentence {
  readonly about: "key" | "right" | "allocation" | "gas" | "payer" | "end"
  readonly text: string
  /** Nothing known here explains it: whoever enables the policy must know by themselves. */
  readonly isDoubtful: boolean
}

const NATIVE = { address: NATIVE_ASSET, symbol: "ETH", decimals: 18 }
const GWEI_DECIMALS = 9
const PROJECT_TOKEN_DECIMALS = 18
const NO_ALLOCATION = 255
const LONGEST_SYMBOL = 16
const LONGEST_ID = 64
const DAY = 86_400
/** The last that a date can be. */
const LAST_SECOND = 8.64e12

const inUnits = (amount: string, decimals: number): string => {
  const digits = amount.padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "")
  return fraction === "" ? whole : `${whole}.${fraction}`
}

const grouped = (integer: string | number): string => String(integer).replace(/\B(?=(?:\d{3})+$)/g, ",")

const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? "" : "s"}`

const instant = (seconds: number): string =>
  seconds <= LAST_SECOND
    ? new Date(seconds * 1000).toISOString().replace(".000Z", "Z")
    : `second ${seconds} after 1970`

const lasting = (seconds: number): string =>
  seconds % DAY === 0 ? counted(seconds / DAY, "day") : counted(seconds, "second")

const assetOf = ({ assets = [] }: PolicyNames, address: Address): NamedAsset | undefined =>
  [NATIVE, ...assets].find(asset => asset.address.toLowerCase() === address.toLowerCase())

/** Of one asset, as often as a sentence tells of it. */
const moneyIn = (names: PolicyNames, address: Address) => {
  const asset = assetOf(names, address)
  return (amount: string): string => {
    if (asset === undefined) return `${amount} of the smallest unit of ${address}`
    const { decimals, symbol } = asset
    return `${inUnits(amount, decimals)} ${symbol === undefined ? "tokens" : visible(symbol, LONGEST_SYMBOL).text}`
  }
}

const tokenNote = (names: PolicyNames, address: Address): string => {
  const asset = assetOf(names, address)
  if (address === NATIVE_ASSET || asset === undefined) return ""
  return asset.symbol === undefined
    ? ` (the token ${address}; that it has ${asset.decimals} decimals is its own word)`
    : ` (the token ${address})`
}

const allocationName = ({ allocationIds = [] }: PolicyNames, id: Bytes32): string => {
  const text = allocationIds.find(each => keccak256Utf8(each) === id)
  return text === undefined ? `the allocation ${id}` : `the allocation "${visible(text, LONGEST_ID).text}"`
}

interface Reading {
  readonly policy: SessionPolicy
  readonly names: PolicyNames
}

const allocationIn = ({ policy }: Reading, { allocation }: SessionAction) =>
  allocation === NO_ALLOCATION ? undefined : policy.allocations[allocation]

const countedIn = (reading: Reading, action: SessionAction): string => {
  const allocation = allocationIn(reading, action)
  return allocation === undefined ? "" : `, counted in ${allocationName(reading.names, allocation.id)}`
}

type Moving = Exclude<KnownRight, { readonly kind: "v6-project-uri" }>

const limits = (reading: Reading, action: SessionAction, { asset }: Moving): string => {
  const money = moneyIn(reading.names, asset)
  const all = `at most ${money(action.perCall)} a call and ${money(action.total)} in all`
  return `${all}${tokenNote(reading.names, asset)}${countedIn(reading, action)}`
}

const rightText = (reading: Reading, action: SessionAction, right: KnownRight): string => {
  const { target } = action
  switch (right.kind) {
    case "v6-project-uri":
      return `It may set the metadata URI of project ${right.projectId} by the controller ${target}, to any text of up to ${counted(right.longestText, "byte")}.`
    case "erc20-transfer":
      return `It may send to ${right.beneficiary}, and to nobody else, ${limits(reading, action, right)}.`
    case "v6-pay": {
      const least = inUnits(right.minReturnedTokens, PROJECT_TOKEN_DECIMALS)
      return `It may pay project ${right.projectId} through the terminal ${target}, ${limits(reading, action, right)}; each payment returns at least ${least} of the project's tokens or fails, and they go to ${right.beneficiary}.`
    }
  }
}

/** An allocation counts units of what it names, whatever the call moves. */
const isCountedElsewhere = (reading: Reading, action: SessionAction, right: KnownRight): boolean => {
  const allocation = allocationIn(reading, action)
  return right.kind !== "v6-project-uri" && allocation !== undefined && allocation.asset !== right.asset
}

const ruleText = ({ condition, offset, word }: SessionAction["rules"][number]): string =>
  condition === 0
    ? `the word at byte ${offset} of its arguments is ${word}`
    : `the word at byte ${offset} is counted`

const carriedText = ({ valueMode }: SessionAction): string =>
  valueMode === 0
    ? "it carries no native currency"
    : "it carries as much of the native currency as is counted"

const unknownText = (reading: Reading, action: SessionAction): string => {
  const { target, selector, rules, minimumLength, maximumLength, perCall, total } = action
  const fixed = rules.length === 0 ? "no word of its arguments is fixed" : rules.map(ruleText).join(", ")
  const bounds = rules.some(({ condition }) => condition !== 0)
    ? `, at most ${perCall} a call and ${total} in all${countedIn(reading, action)}`
    : ""
  return `It may call the function ${selector} of ${target}, and no right that is known here says what that does: ${fixed}${bounds}; all else of its ${minimumLength} to ${maximumLength} bytes is the key's to choose, and ${carriedText(action)}.`
}

const OTHER_ASSET = "That allocation is of another asset, so its limit says nothing of this one."

const STRANGE =
  "No terminal or controller that is published here is at that address: what it does is not known."

const isStrange = ({ names: { published } }: Reading, { target }: SessionAction, { kind }: KnownRight) =>
  kind !== "erc20-transfer" &&
  published?.every(address => address.toLowerCase() !== target.toLowerCase()) === true

const rightSentence =
  (reading: Reading) =>
  (action: SessionAction): PolicySentence => {
    const right = knownRight(action)
    if (right === undefined) return { about: "right", text: unknownText(reading, action), isDoubtful: true }
    const doubts = [
      ...(isCountedElsewhere(reading, action, right) ? [OTHER_ASSET] : []),
      ...(isStrange(reading, action, right) ? [STRANGE] : [])
    ]
    const text = [rightText(reading, action, right), ...doubts].join(" ")
    return { about: "right", text, isDoubtful: doubts.length > 0 }
  }

const sure = (about: PolicySentence["about"], text: string): PolicySentence => ({
  about,
  text,
  isDoubtful: false
})

const keyText = ({ sessionKey, validAfter, validUntil, maximumCalls }: SessionPolicy): string =>
  `The key ${sessionKey} may act for the wallet, from ${instant(validAfter)} until ${instant(validUntil)} (${lasting(validUntil - validAfter)}), by at most ${counted(maximumCalls, "call")}, one at a time.`

const allocationText =
  ({ policy, names }: Reading) =>
  ({ id, asset, limit }: SessionPolicy["allocations"][number], index: number): string => {
    const shared = policy.actions.filter(({ allocation }) => allocation === index).length
    const name = allocationName(names, id)
    const whole = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
    return shared === 0
      ? `${whole} is counted by none of these rights.`
      : `${whole} is ${moneyIn(names, asset)(limit)} in all${tokenNote(names, asset)}, for ${counted(shared, "right")} together.`
  }

const gasText = ({ gas }: SessionPolicy): string => {
  const gwei = (price: string) => `${inUnits(price, GWEI_DECIMALS)} gwei`
  return `One operation may use ${grouped(gas.maxGasPerOperation)} gas at most, at a price of ${gwei(gas.maxFeePerGas)} at most, ${gwei(gas.maxPriorityFeePerGas)} of it as a tip; all together ${grouped(gas.totalGas)} gas and ${inUnits(gas.totalCost, NATIVE.decimals)} ${NATIVE.symbol}, counted by what operations ask for and also where their call fails.`
}

const payerText = ({ gas }: SessionPolicy): string =>
  BigInt(gas.paymaster) === 0n
    ? "The wallet itself pays for gas."
    : `The paymaster ${gas.paymaster} pays for gas and nobody else does: its code has the hash ${gas.paymasterCodeHash}, and it is told ${counted(gas.paymasterDataLength, "byte")}.`

const END =
  "Every other call is refused, and each of these once the code of what it calls changes. The wallet's owners can end it at any time; what was used up never comes back."

/** Those that its rights move and its allocations count, each once; undefined: the bytes are of no policy. */
export const policyAssets = (encoded: Hex): ReadonlyArray<Address> | undefined => {
  const policy = decodePolicy(encoded)
  const moved = policy?.actions.flatMap(action => {
    const right = knownRight(action)
    return right === undefined || right.kind === "v6-project-uri" ? [] : [right.asset]
  })
  return policy && [...new Set([...(moved ?? []), ...policy.allocations.map(({ asset }) => asset)])]
}

/** Undefined: the bytes are of no policy. */
export const policySentences = (
  encoded: Hex,
  names: PolicyNames = {}
): ReadonlyArray<PolicySentence> | undefined => {
  const policy = decodePolicy(encoded)
  if (policy === undefined) return undefined
  const reading = { policy, names }
  return [
    sure("key", keyText(policy)),
    ...policy.actions.map(rightSentence(reading)),
    ...policy.allocations.map((each, index) => sure("allocation", allocationText(reading)(each, index))),
    sure("gas", gasText(policy)),
    sure("payer", payerText(policy)),
    sure("end", END)
  ]
}
