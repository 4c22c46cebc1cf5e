import type { Family } from "../framework/OperationFamily.ts"

export const developmentFamily: Family = {
  title: "Contracts and references",
  references: ["/docs", "/api/v1/openapi.json", "/api/v1/catalog/contracts"],
  limits: ["A page of a reference holds at most 24000 UTF-16 code units.", "Calldata has at most 128 KiB."]
}
