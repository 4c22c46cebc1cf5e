/** The same calls in a plan of one's own: where a plan has expired, or is not this tab's to hand in. */
import type { Call, Plan } from "../plans/Plan.ts"
import { pagePath } from "../review/PagePath.ts"
import { exact, row } from "../review/Words.ts"
import { button, type Child } from "./Elements.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"

const isSame = (own: Call | undefined, before: Call): boolean =>
  own?.chainId === before.chainId &&
  own.to.toLowerCase() === before.to.toLowerCase() &&
  own.data.toLowerCase() === before.data.toLowerCase() &&
  own.value === before.value

/** Undefined, and said, where the service would not prepare exactly these calls. */
const preparedAnew = async (
  { desk, stage }: PlanDesk,
  { id, account }: Plan,
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
  const { plan } = await desk.about([row("the same calls as", exact(id))], () =>
    desk.client.plans.create({ account, calls: asked })
  )
  if (calls.every((call, index) => isSame(plan.calls[index], call))) return plan.id
  stage.warn({
    title: "The service prepares these calls in another way now",
    advice: "Nothing of the new plan was signed or sent.",
    rows: [row("new plan", exact(plan.id))]
  })
  return undefined
}

const PREPARING = "Preparing a plan…"

const open = ({ go, desk: { client } }: PlanDesk, planId: string): void =>
  go(pagePath(planId, client.account, client.principalId))

const isUntouched = ({ plan }: Reviewed): boolean =>
  plan.steps.every(({ transaction }) => transaction === undefined)

/** Where nothing of the plan was sent, and it has expired or the tab could do with less questions. */
export const anewButton = (desk: PlanDesk, reviewed: Reviewed): Child => {
  const { plan, review } = reviewed
  const isLate = plan.expiresAt <= desk.nowMillis()
  const isForTab = desk.desk.grant !== undefined && desk.silentReader === undefined
  if (review.dangers.length > 0 || !isUntouched(reviewed) || !(isLate || isForTab)) return undefined
  return button("Prepare the same calls anew", () =>
    desk.stage.run(PREPARING, async () => {
      const id = await preparedAnew(desk, plan, plan.calls)
      if (id !== undefined) open(desk, id)
    })
  )
}
