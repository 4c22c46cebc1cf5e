/** What each plan operation is asked on the sandbox, by whom, and what it refuses with where the sandbox has nothing for it. */
import { ROUTED_PROJECT_ID, sandboxUsdOf } from "../../../sandbox/families/routing.ts"
import type { PrepareId } from "../../../src/operations/generated/OperationIds.ts"
import { BRIDGED, RECEIVER, SENDER, seededClaim } from "../../sandbox/support/suckers.ts"
import { at, deployingMore, type Placed, REVNET, seededStageOf } from "./RevnetPlans.ts"
import {
  BESIDE_SHOP_PAYMENT,
  CASH_OUT_UNNEEDED,
  NUMBER_OF_PROJECTS,
  PAY_UNNEEDED,
  PAYOUT_RUN_BEFORE,
  rulesetConfiguration,
  shopPayment
} from "./SandboxInputs.ts"
import { shopLaunch, shopProject, tier } from "./ShopPlans.ts"

export interface Planned {
  /** The sandbox's account that asks: 0 owns every project, 1 holds the demo project's tokens. */
  readonly account: 0 | 1
  readonly input: object | ((placed: Placed) => Promise<object>)
  readonly refusal?: string
  /** Functions that are asked along with others and whose answers change nothing for this input. */
  readonly unneeded?: ReadonlyArray<string>
  /** Functions that are run beforehand, so that a revert of theirs is an answer. */
  readonly runBefore?: ReadonlyArray<string>
}

export const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"
const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const HOLDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const ETHER = "1000000000000000000"
const project = { chainId: 31337, projectId: "2" }
const revnet = { chainId: 31337, projectId: "4" }
const bridged = { chainId: 31337, projectId: String(BRIDGED) }

const routed = { chainId: 31337, projectId: String(ROUTED_PROJECT_ID) }
const NOT_OF_A_REVNET = ["BUYBACK_HOOK()", "tiered721HookOf(uint256)"]

export const PLAN_INPUTS: { readonly [Id in PrepareId]?: Planned } = {
  prepare_pay: {
    account: 1,
    input: {
      project,
      account: HOLDER,
      beneficiary: HOLDER,
      token: NATIVE_TOKEN,
      amount: ETHER,
      memo: "thanks"
    },
    unneeded: PAY_UNNEEDED
  },
  prepare_cash_out: {
    account: 1,
    input: {
      project,
      account: HOLDER,
      holder: HOLDER,
      beneficiary: HOLDER,
      tokenToReclaim: NATIVE_TOKEN,
      cashOutCount: ETHER
    },
    unneeded: CASH_OUT_UNNEEDED
  },
  prepare_payout: {
    account: 0,
    input: { project, account: OWNER, token: NATIVE_TOKEN, amount: "1000000000", currency: 61_166 },
    runBefore: PAYOUT_RUN_BEFORE
  },
  prepare_ruleset_change: {
    account: 0,
    input: { project, account: OWNER, rulesetConfigurations: [rulesetConfiguration] },
    unneeded: ["OMNICHAIN_RULESET_OPERATOR()", NUMBER_OF_PROJECTS]
  },
  prepare_721_pay: { account: 1, input: shopPayment, unneeded: BESIDE_SHOP_PAYMENT },
  prepare_revnet_deploy: {
    account: 0,
    input: async bench => deployingMore(bench),
    unneeded: [NUMBER_OF_PROJECTS]
  },
  prepare_auto_issue: {
    account: 0,
    input: async bench => ({
      project: REVNET,
      account: OWNER,
      stageId: String(await seededStageOf(bench)),
      beneficiary: HOLDER
    })
  },
  prepare_launch: {
    account: 0,
    input: {
      chainId: 31337,
      account: OWNER,
      owner: HOLDER,
      composition: "core",
      projectUri: "",
      rulesetConfigurations: [rulesetConfiguration],
      terminalConfigurations: []
    },
    unneeded: [NUMBER_OF_PROJECTS]
  },
  prepare_borrow: {
    account: 0,
    input: {
      project: revnet,
      account: OWNER,
      holder: OWNER,
      beneficiary: OWNER,
      token: NATIVE_TOKEN,
      collateralCount: "100000000000000000000",
      prepaidFeePercent: 25
    },
    unneeded: ["permissionsOf(address,address,uint256)"]
  },
  prepare_repay: {
    account: 0,
    input: {
      chainId: 31337,
      loanId: "4000000000000000001",
      account: OWNER,
      beneficiary: OWNER,
      maxRepayBorrowAmount: ETHER,
      collateralCountToReturn: "250000000000000000000"
    }
  },
  prepare_bridge_claim: {
    account: 1,
    input: { project: bridged, account: HOLDER, sucker: RECEIVER, claim: seededClaim }
  },
  prepare_accounting_sync: {
    account: 1,
    input: { project: bridged, account: HOLDER, sucker: SENDER, maxTransportValue: "1000000000000000" },
    unneeded: ["CCIP_ROUTER()", "ARBINBOX()", "GATEWAYROUTER()", "syncAccountingData()"]
  },
  prepare_buyback_pool: {
    account: 0,
    input: {
      project: routed,
      account: OWNER,
      terminalToken: NATIVE_TOKEN,
      fee: 10_000,
      tickSpacing: 200,
      twapWindowSeconds: 1_800
    },
    unneeded: NOT_OF_A_REVNET
  },
  prepare_buyback_twap: {
    account: 0,
    input: {
      project: routed,
      account: OWNER,
      terminalToken: sandboxUsdOf({ holder: HOLDER }),
      twapWindowSeconds: 900
    },
    unneeded: NOT_OF_A_REVNET
  },
  prepare_buyback_hook: {
    account: 0,
    input: async bench => ({ project: routed, account: OWNER, hook: at(bench, "JBBuybackHook") }),
    unneeded: [...NOT_OF_A_REVNET, "defaultHookHistoryLength()"]
  },
  prepare_router_terminal: {
    account: 0,
    input: async bench => ({ project: routed, account: OWNER, terminal: at(bench, "JBRouterTerminal") })
  },
  prepare_adjust_tiers: {
    account: 0,
    input: { project: shopProject, account: OWNER, tiersToAdd: [tier()], tierIdsToRemove: [1] },
    unneeded: ["ownerOf(uint256)", "tiered721HookOf(uint256)", NUMBER_OF_PROJECTS]
  },
  prepare_721_launch: {
    account: 0,
    input: shopLaunch({ owner: OWNER, beneficiary: HOLDER }),
    unneeded: [NUMBER_OF_PROJECTS]
  }
}
