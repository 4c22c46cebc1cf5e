import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"
import { LEAST_PREPAID, MOST_PREPAID, MOST_STAGES } from "./Inputs.ts"

export const revnetsFamily: Family = {
  title: "Revnets and their loans",
  references: [DESCRIPTIONS],
  limits: [
    `A revnet has 1 to ${MOST_STAGES} stages.`,
    `A loan's prepaid fee is ${LEAST_PREPAID} to ${MOST_PREPAID} thousandths.`
  ]
}
