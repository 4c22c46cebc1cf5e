import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const revnetsFamily: Family = {
  title: "Revnets and their loans",
  references: [DESCRIPTIONS],
  limits: ["A revnet has 1 to 16 stages.", "A loan's prepaid fee is 25 to 500 thousandths."]
}
