import { MAXIMUM_CALLS } from "../../plans/Plan.ts"
import type { Family } from "../framework/OperationFamily.ts"

export const plansFamily: Family = {
  title: "Plans and the relay",
  references: ["/docs#Transactions"],
  limits: [
    `A plan has 1 to ${MAXIMUM_CALLS} calls.`,
    "A plan's steps are relayed exactly as the wallet signed them."
  ]
}
