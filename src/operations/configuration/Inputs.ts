import { MOST_QUEUED, RulesetConfiguration } from "../shared/inputs/Configuration.ts"
import { list, Project, SomeAddress } from "../shared/inputs/Parts.ts"

export const rulesetChange = {
  project: Project,
  account: SomeAddress,
  rulesetConfigurations: list(RulesetConfiguration, MOST_QUEUED, 1)
}
