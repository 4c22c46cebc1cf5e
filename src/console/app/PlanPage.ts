/** The page of one plan, which is not made of components. */
import { placeOf } from "../../review/PagePath.ts"
import { button } from "../Elements.ts"
import { PlanDesk } from "../PlanDesk.ts"
import type { Stage } from "../Stage.ts"
import type { Seat } from "./Seat.ts"

const READING = "Reading the plan…"

/** What it gives is to be done when the page is left. */
export const showPlanPage = (stage: Stage, seat: Seat): (() => void) => {
  const place = placeOf(location)
  const { planId } = place
  if (planId === undefined) return () => {}
  const plan = new PlanDesk(stage, seat, planId, place)
  const read = () => stage.run(READING, () => plan.load(false))
  stage.show(button("Read the plan", read, "primary"))
  read()
  return () => plan.leave()
}
