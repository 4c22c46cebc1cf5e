/** What people call the members of inputs, and how their values are typed. */
import { zeroAddress } from "viem"
import type { FieldUnit, InputField } from "../fields/InputField.ts"

/** `start` may name the wallet or the chain's own token. */
export interface MemberWords {
  readonly label?: string
  readonly hint?: string
  readonly unit?: FieldUnit
  readonly empty?: InputField["empty"]
  readonly start?: string
  readonly aside?: true
  /** One of a list. */
  readonly item?: string
  /** How many a list starts with. */
  readonly rows?: number
}

export const WALLET = "wallet"
export const NATIVE = "native"

const BILLION = 1_000_000_000
const share = (whole: number): { readonly unit: FieldUnit } => ({ unit: { kind: "share", whole } })
const project: { readonly unit: FieldUnit } = { unit: { kind: "project" } }
const party: { readonly unit: FieldUnit } = { unit: { kind: "party" } }
const terminal: { readonly unit: FieldUnit } = { unit: { kind: "terminal" } }
const none = (words: string) => ({ empty: { value: zeroAddress, words } })
const zero = (words: string) => ({ empty: { value: "0", words } })

const PARTIES: Readonly<Record<string, MemberWords>> = {
  project: { label: "Project" },
  chainId: { label: "Chain", unit: { kind: "chain" } },
  projectId: { label: "Project number" },
  account: { label: "Your wallet", hint: "It signs and sends what is planned.", start: WALLET, ...party },
  holder: { hint: "Whose tokens they are.", start: WALLET, ...party },
  beneficiary: { hint: "Who gets what comes of it.", start: WALLET, ...party },
  owner: { hint: "Who will own the project.", start: WALLET, ...party },
  operator: { hint: "Who may change what the revnet leaves open.", start: WALLET, ...party },
  terminal: { hint: "The terminal that holds the funds." },
  sucker: { label: "Bridge", hint: "The project's bridge contract on this chain." }
}

const AMOUNTS: Readonly<Record<string, MemberWords>> = {
  token: { start: NATIVE },
  tokenToReclaim: { label: "Token to get back", start: NATIVE },
  terminalToken: { label: "Token it is traded for", start: NATIVE },
  amount: { unit: { kind: "token", member: "token" } },
  cashOutCount: { label: "How many to cash out", ...project },
  collateralCount: {
    label: "Collateral",
    hint: "Tokens that are burned until the loan is repaid.",
    ...project
  },
  collateralCountToReturn: { label: "Collateral to get back", ...project },
  maxRepayBorrowAmount: {
    label: "Paid at most",
    hint: "In the loan's token, fees included.",
    unit: { kind: "loan" }
  },
  maxTransportValue: { label: "Transport costs at most", unit: { kind: "native" } },
  count: project,
  projectTokenCount: { label: "Project tokens", ...project },
  terminalTokenAmount: { label: "Amount of the token", unit: { kind: "token", member: "token" } },
  slippageBps: {
    label: "Slippage",
    hint: "How much less than the quote is taken, of 10000 parts.",
    ...share(10_000)
  },
  currency: { unit: { kind: "currency" }, start: "61166" },
  "prepare_payout.currency": { hint: "What the payout limit is counted in." },
  "payoutLimits.currency": { hint: "What the limit is counted in." },
  "surplusAllowances.currency": { hint: "What the allowance is counted in." },
  baseCurrency: { hint: "What issuance is counted in.", unit: { kind: "currency" }, start: "1" },
  decimals: { start: "18" },
  memo: { hint: "Said in the event, for everybody to read." },
  "prepare_pay.metadata": { label: "Data for hooks", hint: "Hexadecimal bytes with 0x." },
  "prepare_721_pay.metadata": { label: "Data for hooks" }
}

const RULESETS: Readonly<Record<string, MemberWords>> = {
  composition: { hint: "Which contracts make the project." },
  projectUri: {
    label: "Project URI",
    hint: "Where the project's name and picture are told; it may be empty."
  },
  rulesetConfigurations: { label: "Rulesets", item: "Ruleset" },
  mustStartAtOrAfter: { label: "Starts not before", unit: { kind: "time" }, ...zero("as soon as it may") },
  duration: {
    hint: "How long a cycle lasts: seconds, or as in 7 days.",
    unit: { kind: "duration" },
    empty: { value: 0, words: "until another ruleset is queued" }
  },
  weight: { label: "Issuance", hint: "Tokens for each unit of the base currency.", ...project },
  weightCutPercent: {
    label: "Issuance cut",
    hint: "How much less is issued in each cycle, of 1000000000 parts.",
    ...share(BILLION),
    start: "0"
  },
  approvalHook: { hint: "Judges what is queued later.", ...none("no hook"), aside: true },
  reservedPercent: {
    label: "Reserved",
    hint: "Of what is issued, for the reserved splits, of 10000 parts.",
    ...share(10_000),
    start: "0"
  },
  cashOutTaxRate: {
    label: "Cash-out tax",
    hint: "What those who cash out leave to the others, of 10000 parts.",
    ...share(10_000),
    start: "0"
  },
  dataHook: { ...none("no hook"), aside: true },
  useDataHookForPay: { label: "Data hook acts on payments", aside: true },
  useDataHookForCashOut: { label: "Data hook acts on cash outs", aside: true },
  scopeCashOutsToLocalBalances: { label: "Cash outs count this chain's balance alone" },
  "RulesetMetadataConfiguration.metadata": { label: "Further bits", start: "0", aside: true },
  "ShopRulesetMetadataConfiguration.metadata": { label: "Further bits", start: "0", aside: true },
  "RulesetConfiguration.metadata": { label: "Rules" },
  "ShopRulesetConfiguration.metadata": { label: "Rules" },
  splitGroups: { label: "Splits", item: "Group of splits" },
  groupId: { label: "What is split", unit: { kind: "splitGroup" }, start: "1" },
  splits: { label: "Shares", item: "Share" },
  fundAccessLimitGroups: { label: "Payout limits and allowances", item: "Limits of a token" },
  payoutLimits: { item: "Payout limit" },
  surplusAllowances: { item: "Allowance" },
  terminalConfigurations: {
    label: "Terminals",
    hint: "Where the project is paid.",
    item: "Terminal",
    rows: 1
  },
  accountingContextsToAccept: { label: "Accepted tokens", item: "Accepted token", rows: 1 },
  "TerminalConfiguration.terminal": terminal,
  "FundAccessLimitGroupConfiguration.terminal": terminal,
  accountingContexts: { label: "Accepted tokens", item: "Accepted token" },
  "SplitConfiguration.percent": { label: "Share", hint: "Of 1000000000 parts.", ...share(BILLION) },
  "SplitConfiguration.projectId": { label: "To project number", ...zero("no project") },
  "SplitConfiguration.beneficiary": {
    label: "To address",
    hint: "Of a share for a project: who gets its tokens.",
    ...none("no address"),
    start: ""
  },
  "SplitConfiguration.preferAddToBalance": { label: "Adds to the project's balance", aside: true },
  "SplitConfiguration.lockedUntil": {
    label: "Locked until",
    unit: { kind: "time" },
    ...zero("not locked"),
    aside: true
  },
  "SplitConfiguration.hook": { label: "Split hook", ...none("no hook"), aside: true }
}

const OTHERS: Readonly<Record<string, MemberWords>> = {
  prepaidFeePercent: {
    label: "Prepaid fee",
    hint: "Paid from the loan at once, of 1000 parts; it buys time without further fees.",
    ...share(1000),
    start: "25"
  },
  fee: { label: "Pool's fee", hint: "Of 1000000 parts.", ...share(1_000_000) },
  twapWindowSeconds: {
    label: "Time window",
    hint: "How far back the average price looks: seconds, or as in 30 minutes.",
    unit: { kind: "duration" }
  },
  tierIds: { label: "Tiers", hint: "A tier as often as it is bought.", item: "Tier" },
  tierIdsToRemove: { label: "Tiers to remove", item: "Tier" },
  allowOverspending: { hint: "What is paid beyond the prices becomes credits." },
  tiersToAdd: { label: "Tiers to add", item: "Tier", hint: "In the order of their categories." },
  tiers: { item: "Tier", hint: "In the order of their categories." },
  price: { unit: { kind: "decimals", member: "decimals" } },
  votingUnits: { start: "0", aside: true },
  reserveFrequency: { hint: "One in so many is reserved; 0 for none.", start: "0", aside: true },
  reserveBeneficiary: { ...none("nobody"), ...party, aside: true },
  tokenUriResolver: { label: "Token URI resolver", ...none("no resolver"), aside: true },
  encodedIpfsUri: { label: "Encoded IPFS URI", empty: { value: `0x${"00".repeat(32)}`, words: "none" } },
  category: { start: "0" },
  discountPercent: { label: "Discount", hint: "Of 200 parts.", ...share(200), start: "0" },
  "TierConfiguration.splitPercent": {
    label: "Shared of the price",
    hint: "Of 1000000000 parts.",
    ...share(BILLION),
    start: "0"
  },
  "TierConfiguration.flags": { aside: true },
  "stageConfigurations.splitPercent": {
    label: "Shared of what is issued",
    hint: "Of 10000 parts.",
    ...share(10_000),
    start: "0"
  },
  baseUri: { label: "Base URI" },
  contractUri: { label: "Contract URI" },
  deployTiersHookConfig: { label: "Shop" },
  tiersConfig: { label: "Tiers and prices" },
  config: { label: "Revnet" },
  stageConfigurations: { label: "Stages", item: "Stage" },
  startsAtOrAfter: { label: "Starts not before", unit: { kind: "time" } },
  autoIssuances: { item: "Auto issuance" },
  "autoIssuances.beneficiary": { start: "" },
  initialIssuance: { hint: "Tokens for each unit of the base currency.", ...project },
  issuanceCutFrequency: {
    hint: "How often issuance is cut: seconds, or as in 7 days.",
    unit: { kind: "duration" },
    empty: { value: 0, words: "never" }
  },
  issuanceCutPercent: { label: "Issuance cut", hint: "Of 1000000000 parts.", ...share(BILLION), start: "0" },
  extraMetadata: { label: "Further bits", start: "0", aside: true },
  suckerConfig: { label: "Bridges" },
  deployerConfigurations: { label: "Bridges to other chains", item: "Bridge" },
  mappings: { label: "Bridged tokens", item: "Bridged token" },
  localToken: { label: "Token on this chain", start: NATIVE },
  remoteToken: { label: "Token on the other chain" },
  minGas: { label: "Least gas", start: "200000" },
  tiered721Config: { label: "Shop" },
  baseline: { label: "Shop" },
  allowedPosts: { label: "Categories that others may sell in", item: "Category" },
  minimumPrice: { unit: { kind: "decimals", member: "decimals" } },
  maximumSplitPercent: { label: "Shared at most", hint: "Of 1000000000 parts.", ...share(BILLION) },
  allowedAddresses: { label: "Who may post", item: "Address" },
  stageId: { label: "Stage", hint: "The id of the stage's ruleset." },
  loanId: { label: "Loan", hint: "The loan's id, which is its NFT's." },
  "leaf.beneficiary": { hint: "Whose claim it is, in 32 bytes.", start: "" },
  salt: { unit: { kind: "salt" } },
  leaf: { label: "Claimed leaf" },
  proof: { hint: "Paste all hashes into the first field.", item: "Hash" }
}

const MEMBERS: Readonly<Record<string, MemberWords>> = { ...PARTIES, ...AMOUNTS, ...RULESETS, ...OTHERS }

const wordsAt = (key: string): MemberWords => (Object.hasOwn(MEMBERS, key) ? MEMBERS[key] : undefined) ?? {}

/** What is said of the member within its own group goes before what is said of its name. */
export const memberWords = (group: string, name: string): MemberWords => ({
  ...wordsAt(name),
  ...wordsAt(`${group}.${name}`)
})

/** `cashOutTaxRate` as "Cash out tax rate". */
export const labelFor = (name: string): string => {
  const spaced = name
    .replace(/_+/g, " ")
    .replace(/([a-z0-9])([A-Z])/g, (_, before: string, next: string) => `${before} ${next.toLowerCase()}`)
    .trim()
  return spaced
    .replace(/\b(?:uri|nft|erc20|id)\b/g, word => word.toUpperCase())
    .replace(/^[a-z]/, first => first.toUpperCase())
}
