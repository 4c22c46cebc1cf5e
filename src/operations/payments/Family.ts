import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"
import { MOST_SLIPPAGE, USUAL_SLIPPAGE } from "../shared/inputs/Parts.ts"
import { LONGEST_MEMO, MOST_SCENARIOS } from "./Inputs.ts"

export const paymentsFamily: Family = {
  title: "Payments, cash outs and payouts",
  references: [DESCRIPTIONS],
  limits: [
    `Slippage is 0 to ${MOST_SLIPPAGE} basis points, ${USUAL_SLIPPAGE} unless asked otherwise.`,
    `A memo has at most ${LONGEST_MEMO} bytes.`,
    `A model has at most ${MOST_SCENARIOS} scenarios.`
  ]
}
