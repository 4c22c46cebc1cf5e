/** What people call the operations, in which groups, and in which order a form asks. */
import { labelFor } from "./MemberWords.ts"

export interface OperationWords {
  readonly id: string
  readonly title: string
  readonly group: string
  /** Words by which it is searched for besides its own. */
  readonly also: string
  /** In the order in which people are shown them. */
  readonly rank: number
}

const FUNDS = "Pay and be paid"
const PROJECTS = "Projects and their rules"
const SHOPS = "Shops"
const LOANS = "Loans and revnets"
const ROUTES = "Buybacks and routes"
const BRIDGES = "Bridges"
const ADDED = "Added to this service"

const WORDS: ReadonlyArray<readonly [id: string, title: string, group: string, also: string]> = [
  ["prepare_pay", "Pay a project", FUNDS, "contribute fund donate send buy tokens"],
  ["prepare_cash_out", "Cash out tokens", FUNDS, "redeem burn reclaim withdraw"],
  ["prepare_payout", "Send payouts", FUNDS, "distribute splits withdraw"],
  ["prepare_launch", "Launch a project", PROJECTS, "create new start"],
  ["prepare_ruleset_change", "Queue rulesets", PROJECTS, "change edit cycle issuance splits reserved tax"],
  ["prepare_721_pay", "Buy from a shop", SHOPS, "nft tier item mint purchase"],
  ["prepare_adjust_tiers", "Change a shop's tiers", SHOPS, "nft add remove item"],
  ["prepare_721_launch", "Launch a project with a shop", SHOPS, "nft create new start"],
  ["prepare_borrow", "Borrow against tokens", LOANS, "loan collateral credit"],
  ["prepare_repay", "Repay a loan", LOANS, "collateral debt"],
  ["prepare_revnet_deploy", "Deploy a revnet", LOANS, "create new launch start stages"],
  ["prepare_auto_issue", "Issue what a stage promised", LOANS, "revnet auto issuance mint"],
  ["prepare_buyback_pool", "Choose a buyback pool", ROUTES, "swap market uniswap"],
  ["prepare_buyback_twap", "Set a buyback's time window", ROUTES, "swap price average"],
  ["prepare_buyback_hook", "Choose a buyback hook", ROUTES, "swap registry"],
  ["prepare_router_terminal", "Choose a router terminal", ROUTES, "swap registry payments"],
  ["prepare_bridge_claim", "Claim bridged tokens", BRIDGES, "sucker chain proof"],
  ["prepare_accounting_sync", "Send accounts to the peer chain", BRIDGES, "sucker balance omnichain"]
]

export const OPERATION_GROUPS: ReadonlyArray<string> = [FUNDS, PROJECTS, SHOPS, LOANS, ROUTES, BRIDGES, ADDED]

export const operationWords = (id: string): OperationWords => {
  const found = WORDS.find(([each]) => each === id)
  const [, title, group, also] = found ?? [id, labelFor(id.replace(/^prepare_/, "")), ADDED, ""]
  return { id, title, group, also, rank: found === undefined ? WORDS.length : WORDS.indexOf(found) }
}

/** Every word that is searched for is somewhere in what is known of the operation. */
export const isFound = (
  searched: string,
  { id, title, group, also }: OperationWords,
  description: string
): boolean => {
  const text = `${id} ${title} ${group} ${also} ${description}`.toLowerCase()
  return searched
    .toLowerCase()
    .split(/\s+/)
    .every(word => text.includes(word))
}

/** By group; what is not named follows as the schema has it. */
const ORDER: Readonly<Record<string, ReadonlyArray<string>>> = {
  prepare_pay: ["project", "token", "amount", "beneficiary", "account"],
  prepare_cash_out: ["project", "cashOutCount", "tokenToReclaim", "beneficiary", "holder", "account"],
  prepare_payout: ["project", "token", "amount", "currency", "account"],
  prepare_launch: [
    "chainId",
    "owner",
    "projectUri",
    "rulesetConfigurations",
    "terminalConfigurations",
    "account"
  ],
  prepare_ruleset_change: ["project", "rulesetConfigurations", "account"],
  prepare_721_launch: ["chainId", "owner", "projectUri", "deployTiersHookConfig"],
  prepare_borrow: [
    "project",
    "collateralCount",
    "token",
    "prepaidFeePercent",
    "beneficiary",
    "holder",
    "account"
  ],
  prepare_721_pay: ["project", "tierIds", "token", "amount", "beneficiary", "account"],
  RulesetConfiguration: ["duration", "mustStartAtOrAfter", "weight", "weightCutPercent", "metadata"],
  ShopRulesetConfiguration: ["duration", "mustStartAtOrAfter", "weight", "weightCutPercent", "metadata"],
  SplitConfiguration: ["percent", "beneficiary", "projectId"],
  TierConfiguration: ["price", "initialSupply", "category", "discountPercent", "encodedIpfsUri"]
}

/** The members of a group in the order in which they are asked. */
export const ordered = <Member extends { readonly name: string }>(
  group: string,
  members: ReadonlyArray<Member>
): ReadonlyArray<Member> => {
  const order = Object.hasOwn(ORDER, group) ? (ORDER[group] ?? []) : []
  const place = ({ name }: Member): number => (order.includes(name) ? order.indexOf(name) : order.length)
  return [...members].sort((one, other) => place(one) - place(other))
}
