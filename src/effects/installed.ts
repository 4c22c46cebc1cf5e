import { addToBalance } from "./AddToBalance.ts"
import { adjustTiers } from "./AdjustTiers.ts"
import { approve } from "./Approve.ts"
import { autoIssue } from "./AutoIssue.ts"
import { borrow } from "./Borrow.ts"
import { cashOut } from "./CashOut.ts"
import { deployRevnet, deployRevnetWithShop } from "./DeployRevnet.ts"
import { launchProject } from "./LaunchProject.ts"
import { launchShop } from "./LaunchShop.ts"
import { pay } from "./Pay.ts"
import { payRouted } from "./PayRouted.ts"
import type { Predicate } from "./Predicate.ts"
import { queueRulesets } from "./QueueRulesets.ts"
import { repayLoan } from "./RepayLoan.ts"
import { sendPayouts } from "./SendPayouts.ts"
import { setPermissions } from "./SetPermissions.ts"
import { setPool, setPoolByKey } from "./SetPool.ts"
import { setBuybackHook, setRouterTerminal } from "./SetRouting.ts"
import { setTwapWindow } from "./SetTwapWindow.ts"
import { claim, claimEach, syncAccounting } from "./Suckers.ts"
import { useAllowance } from "./UseAllowance.ts"

export const predicates: ReadonlyArray<Predicate> = [
  pay,
  addToBalance,
  cashOut,
  sendPayouts,
  useAllowance,
  queueRulesets,
  launchProject,
  setPermissions,
  approve,
  borrow,
  repayLoan,
  payRouted,
  setPool,
  setPoolByKey,
  setTwapWindow,
  setBuybackHook,
  setRouterTerminal,
  deployRevnet,
  deployRevnetWithShop,
  autoIssue,
  adjustTiers,
  launchShop,
  claim,
  claimEach,
  syncAccounting
]
