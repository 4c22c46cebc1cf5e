/** What each onchain operation is asked on the sandbox, and what it refuses with where the sandbox lacks its contracts. */
import { ROUTED_PROJECT_ID, routedTokenOf } from "../../../sandbox/families/routing.ts"
import { NO_RULESET_FLAGS } from "../../support/RulesetFlags.ts"

interface Asked {
  readonly input: unknown
  readonly source?: string
  readonly refusal?: string
  /** Functions that are asked along with others and whose answers change nothing for this input. */
  readonly unneeded?: ReadonlyArray<string>
  /** Functions that are run beforehand, so that a revert of theirs is an answer. */
  readonly runBefore?: ReadonlyArray<string>
}

export const PAYOUT_RUN_BEFORE = [
  "executePayout((uint32,uint64,address,bool,uint48,address),uint256,address,uint256,address)",
  "executeTransferTo(address,address,uint256)"
]

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const HOLDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const project = { chainId: 31337, projectId: "2" }
const shop = { chainId: 31337, projectId: "3" }
const revnet = { chainId: 31337, projectId: "4" }
const routed = { chainId: 31337, projectId: String(ROUTED_PROJECT_ID) }
/** The routed project's token, which the sandbox's pool pairs with ether. */
const ROUTED_TOKEN = routedTokenOf({ owner: OWNER })
/** Asked for splits to projects, of which these inputs have none. */
export const NUMBER_OF_PROJECTS = "count()"
const NOT_OF_A_REVNET = ["BUYBACK_HOOK()", "tiered721HookOf(uint256)"]

export const rulesetConfiguration = {
  mustStartAtOrAfter: "0",
  duration: 604_800,
  weight: "1000000000000000000000",
  weightCutPercent: 0,
  approvalHook: "0x0000000000000000000000000000000000000000",
  metadata: {
    reservedPercent: 1000,
    cashOutTaxRate: 0,
    baseCurrency: 1,
    ...NO_RULESET_FLAGS,
    dataHook: "0x0000000000000000000000000000000000000000",
    metadata: 0
  },
  splitGroups: [],
  fundAccessLimitGroups: []
} as const

const amount = "1000000000000000000"

/** The demo project's rulesets have no data hook. */
const HOOK_READS = ["hookOf(uint256)", ...NOT_OF_A_REVNET]

/** It is paid without a router. */
export const PAY_UNNEEDED = [
  ...HOOK_READS,
  "terminalOf(uint256)",
  "previewPayFor(uint256,address,uint256,address,bytes)"
]

/** It taxes its cash outs. */
export const CASH_OUT_UNNEEDED = [...HOOK_READS, "feeFreeSurplusOf(uint256,address)"]

/** The shop's tiers are priced in ether, which the terminal accounts for in the native token's own currency. */
export const shopPayment = {
  project: shop,
  account: HOLDER,
  beneficiary: HOLDER,
  token: NATIVE_TOKEN,
  amount: "1100000000000000000",
  tierIds: [1, 2, 1]
}

/** Asked ahead of what the shop's own data hook and terminal turn out to be. */
export const BESIDE_SHOP_PAYMENT = [
  "ownerOf(uint256)",
  "tiered721HookOf(uint256)",
  "BUYBACK_HOOK()",
  "hookOf(uint256)",
  "terminalOf(uint256)",
  "previewPayFor(uint256,address,uint256,address,bytes)"
]

export const SANDBOX_INPUTS: Readonly<Record<string, Asked>> = {
  get_project: { input: { project }, source: "onchain" },
  get_rulesets: { input: { project } },
  get_position: { input: { project, account: HOLDER } },
  get_permissions: { input: { project, operator: HOLDER, account: OWNER, permissionIds: [1, 2] } },
  get_bridges: {
    input: {
      project: { chainId: 31337, projectId: "5" },
      holder: HOLDER,
      fromBlock: "0",
      toBlock: "50"
    },
    unneeded: ["CCIP_ROUTER()", "GATEWAYROUTER()", "ownerOf(uint256)"]
  },
  quote_pay: {
    input: { project, account: HOLDER, beneficiary: HOLDER, token: NATIVE_TOKEN, amount },
    unneeded: PAY_UNNEEDED
  },
  quote_cash_out: {
    input: {
      project,
      holder: HOLDER,
      beneficiary: HOLDER,
      tokenToReclaim: NATIVE_TOKEN,
      cashOutCount: amount
    },
    unneeded: CASH_OUT_UNNEEDED
  },
  quote_payout: {
    input: { project, account: OWNER, token: NATIVE_TOKEN, amount: "1000000000", currency: 61_166 },
    runBefore: PAYOUT_RUN_BEFORE
  },
  preview_ruleset_change: {
    input: { project, account: HOLDER, rulesetConfigurations: [rulesetConfiguration] },
    unneeded: [NUMBER_OF_PROJECTS]
  },
  quote_loan: {
    input: {
      project: revnet,
      holder: HOLDER,
      beneficiary: HOLDER,
      token: NATIVE_TOKEN,
      collateralCount: amount,
      prepaidFeePercent: 25
    }
  },
  get_loan: { input: { chainId: 31337, loanId: "4000000000000000001" } },
  get_routing: {
    input: { project: routed, pairs: [{ tokenIn: NATIVE_TOKEN, tokenOut: ROUTED_TOKEN }] },
    unneeded: [...NOT_OF_A_REVNET, "deployerOf(address)"]
  },
  get_721_shop: {
    input: { project: shop },
    unneeded: ["ownerOf(uint256)", "tiered721HookOf(uint256)"]
  },
  quote_721_pay: { input: shopPayment, unneeded: BESIDE_SHOP_PAYMENT },
  get_revnet: { input: { project: { chainId: 31337, projectId: "4" }, operator: OWNER } }
}
