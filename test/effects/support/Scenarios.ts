/** For each predicate what proves it. */
import { cashOut, cashOutSwap } from "./CashOutScenarios.ts"
import { borrow, repayLoan, repayPart } from "./LoanScenarios.ts"
import { addToBalance, payForTiers, payNative, payToken, prepaid } from "./PaymentScenarios.ts"
import { payoutFees, sendPayouts, useAllowance } from "./PayoutScenarios.ts"
import { approve, setPermissions } from "./PermissionScenarios.ts"
import { autoIssue, deployRevnet, deployRevnetWithShop } from "./RevnetScenarios.ts"
import {
  payRoutedForTiers,
  payRoutedNative,
  payRoutedToken,
  setBuybackHook,
  setPool,
  setPoolByKey,
  setRouterTerminal,
  setTwapWindow
} from "./RoutingScenarios.ts"
import { launchProject, queueRulesets } from "./RulesetScenarios.ts"
import type { Scenario } from "./Scenario.ts"
import { enableSession, installGuard, revokeSession } from "./SessionScenarios.ts"
import { adjustTiers, launchShop, launchShopWithoutTiers, removeTiers } from "./ShopScenarios.ts"
import { claimEach, claimOne, syncAccounting } from "./SuckerScenarios.ts"

export const scenarios: ReadonlyArray<Scenario> = [
  payNative,
  payToken,
  payForTiers,
  addToBalance,
  cashOut,
  cashOutSwap,
  sendPayouts,
  payoutFees,
  useAllowance,
  queueRulesets,
  launchProject,
  setPermissions,
  approve,
  borrow,
  repayLoan,
  repayPart,
  payRoutedForTiers,
  payRoutedNative,
  payRoutedToken,
  setPool,
  setPoolByKey,
  setTwapWindow,
  setBuybackHook,
  setRouterTerminal,
  deployRevnet,
  deployRevnetWithShop,
  autoIssue,
  adjustTiers,
  removeTiers,
  launchShop,
  launchShopWithoutTiers,
  claimOne,
  claimEach,
  syncAccounting,
  prepaid,
  enableSession,
  revokeSession,
  installGuard
]
