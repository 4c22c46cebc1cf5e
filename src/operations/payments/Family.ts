import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const paymentsFamily: Family = {
  title: "Payments, cash outs and payouts",
  references: [DESCRIPTIONS],
  limits: [
    "Slippage is 0 to 1000 basis points, 100 unless asked otherwise.",
    "A memo has at most 256 bytes.",
    "A model has at most 50 scenarios."
  ]
}
