/** The same calls in a plan of one's own, if the service prepares exactly these. */
import { unsentOperations } from "../client/UnsentOperations.ts"
import type { Call, Plan } from "../plans/Plan.ts"
import { pagePath } from "../review/PagePath.ts"
import { exact, row, words } from "../review/Words.ts"
import type { PlanDesk } from "./PlanDesk.ts"
import { sentNamesOf } from "./SentRecord.ts"
import { CHANGED, WALLET_ASKED } from "./SentStep.ts"

const isSame = (own: Call | undefined, before: Call): boolean =>
  own?.chainId === before.chainId &&
  own.to.toLowerCase() === before.to.toLowerCase() &&
  own.data.toLowerCase() === before.data.toLowerCase() &&
  own.value === before.value

/** Undefined, and said, where the service would not prepare exactly these calls. */
const preparedAnew = async (
  { desk, stage }: PlanDesk,
  { id, account, smartAccount }: Plan,
  calls: ReadonlyArray<Call>
): Promise<string | undefined> => {
  const asked = calls.map(({ chainId, value, dependsOn, decoded: { contractId, function: name, args } }) => ({
    chainId,
    contractId,
    function: name,
    args,
    value,
    ...(calls.length > 1 && { dependsOn })
  }))
  const input = { account, calls: asked }
  const { plan } = await desk.about([row("the same calls as", exact(id))], ({ client }) =>
    smartAccount === undefined
      ? client.plans.create(input)
      : client.smartAccounts.createPlan(smartAccount.bindingId, { operation: "contract_calls", input })
  )
  if (calls.every((call, index) => isSame(plan.calls[index], call))) return plan.id
  stage.warn({
    title: "The service prepares these calls in another way now",
    advice: "Nothing of the new plan was signed or sent.",
    rows: [row("new plan", exact(plan.id))]
  })
  return undefined
}

const open = ({ go, desk: { client } }: PlanDesk, planId: string): void =>
  go(pagePath(planId, client.account, client.principalId))

const WHY_ITS_OPERATIONS = words("whether an operation of this plan was executed, though not sent from here")

/** Said, where another plan might do a second time what an operation of this one does. */
const mayBeDone = async ({ desk, stage, silentReader }: PlanDesk, plan: Plan): Promise<boolean> => {
  if (plan.smartAccount === undefined) return false
  const { doubtful, open } = await desk.about([row("why", WHY_ITS_OPERATIONS)], ({ owner }) =>
    unsentOperations(silentReader ?? owner, plan)
  )
  const found = doubtful ?? open[0]
  if (found === undefined) return false
  stage.warn({
    title: "An operation of this plan may do these calls",
    advice: `No plan was prepared. Of the operation its record says: ${found.nextAction.reason ?? "it is to be signed"}.`,
    rows: [row("operation", exact(found.id))]
  })
  return true
}

/** Said, where the wallet was asked to send a step of it since the page was drawn, in another tab too. */
const wasAsked = ({ stage }: PlanDesk, { id }: Plan): boolean => {
  if (sentNamesOf(id).length === 0) return false
  stage.warn(WALLET_ASKED)
  return true
}

/** Said and shown, where a step left from elsewhere since. */
const hasChanged = async (desk: PlanDesk, plan: Plan): Promise<boolean> => {
  const indexes = plan.steps.map(({ index }) => index)
  if (await desk.isAsShown(plan, indexes)) return false
  desk.stage.warn(CHANGED)
  return true
}

export const prepareAnew = async (desk: PlanDesk, plan: Plan): Promise<void> => {
  if (wasAsked(desk, plan) || (await mayBeDone(desk, plan)) || (await hasChanged(desk, plan))) return
  if (wasAsked(desk, plan)) return
  const id = await preparedAnew(desk, plan, plan.calls)
  if (id !== undefined) open(desk, id)
}
