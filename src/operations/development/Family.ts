import type { Family } from "../framework/OperationFamily.ts"
import { LONGEST_BYTES } from "../shared/inputs/Parts.ts"
import { LONGEST_PAGE } from "./Inputs.ts"

export const developmentFamily: Family = {
  title: "Contracts and references",
  references: ["/docs", "/api/v1/openapi.json", "/api/v1/catalog/contracts"],
  limits: [
    `A page of a reference holds at most ${LONGEST_PAGE} UTF-16 code units.`,
    `Calldata has at most ${LONGEST_BYTES / 1024} KiB.`
  ]
}
