/** Where the same calls are offered in a plan of one's own: it has expired, or is not this tab's to hand in. */
import { button, type Child } from "./Elements.ts"
import type { PlanDesk, Reviewed } from "./PlanDesk.ts"
import { sentNamesOf } from "./SentRecord.ts"

const isUntouched = ({ plan }: Reviewed): boolean =>
  plan.restoredAt === undefined &&
  plan.steps.every(({ execution }) => execution === undefined) &&
  sentNamesOf(plan.id).length === 0

/** Where nothing of the plan was sent for all that is known, and it has expired or the tab could do with less questions. */
export const anewButton = (desk: PlanDesk, reviewed: Reviewed): Child => {
  const { plan, review } = reviewed
  const isLate = plan.expiresAt <= desk.nowMillis()
  const isForTab = desk.desk.grant !== undefined && desk.silentReader === undefined
  if (review.dangers.length > 0 || !isUntouched(reviewed) || !(isLate || isForTab)) return undefined
  return button("Prepare the same calls anew", () =>
    desk.stage.run("Preparing a plan…", async () => {
      const { prepareAnew } = await import("./SameCalls.ts")
      await prepareAnew(desk, plan)
    })
  )
}
