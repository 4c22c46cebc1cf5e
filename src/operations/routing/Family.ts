import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const routingFamily: Family = {
  title: "Buyback pools and router terminals",
  references: [DESCRIPTIONS],
  limits: ["Up to 8 tokens, 4 pairs and 8 pending calls are read at once."]
}
