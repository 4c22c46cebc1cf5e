import type { Family } from "../framework/OperationFamily.ts"

export const plansFamily: Family = {
  title: "Plans and the relay",
  references: ["/docs#Transactions"],
  limits: ["A plan has 1 to 32 calls.", "A plan's steps are relayed exactly as the wallet signed them."]
}
