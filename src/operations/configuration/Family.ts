import { DESCRIPTIONS, type Family } from "../framework/OperationFamily.ts"
import { MOST_QUEUED, MOST_SPLIT_GROUPS, MOST_SPLITS } from "../shared/inputs/Configuration.ts"

export const configurationFamily: Family = {
  title: "Rulesets and launches",
  references: [DESCRIPTIONS],
  limits: [
    `At most ${MOST_QUEUED} rulesets are queued at once.`,
    `At most ${MOST_SPLIT_GROUPS} split groups and ${MOST_SPLITS} splits in each.`
  ]
}
