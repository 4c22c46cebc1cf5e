import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"
import { MOST_PAIRS, MOST_PENDING, MOST_TOKENS } from "./get_routing/Declaration.ts"

export const routingFamily: Family = {
  title: "Buyback pools and router terminals",
  references: [DESCRIPTIONS],
  limits: [
    `Up to ${MOST_TOKENS} tokens, ${MOST_PAIRS} pairs and ${MOST_PENDING} pending calls are read at once.`
  ]
}
