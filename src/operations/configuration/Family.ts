import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"

export const configurationFamily: Family = {
  title: "Rulesets and launches",
  references: [DESCRIPTIONS],
  limits: ["At most 16 rulesets are queued at once.", "At most 32 split groups and 32 splits in each."]
}
