/** Starts the files that take longest before all others, so that none of them is left running alone at the end. */
import { statSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const LONGEST = [
  "test/faults/deploys.test.ts",
  "test/faults/crash.test.ts",
  "test/http/HeldConnections.test.ts",
  "test/docs/Journeys.test.ts",
  "test/indexer/ChangingWalks.test.ts",
  "test/faults/matrix.test.ts",
  "test/console/Plan.test.ts",
  "test/console/Sending.test.ts",
  "test/console/SignedIn.test.ts",
  "test/console/doing/Doing.test.ts",
  "test/compile/Snippets.test.ts",
  "test/docs/Programs.test.ts",
  "test/client/CarryOut.test.ts",
  "test/faults/node.test.ts",
  "test/observed/Doubts.test.ts",
  "test/embedded/Postgres.test.ts",
  "test/operations/PlanCuts.test.ts",
  "test/faults/postgres.test.ts",
  "test/operations/Cuts.test.ts",
  "test/explorer/Reference.test.ts",
  "test/console/Axe.test.ts",
  "test/console/Pages.test.ts",
  "test/client/Package.test.ts",
  "test/faults/raceCampaign.test.ts",
  "test/cli/Accounts.test.ts",
  "test/cli/Plans.test.ts",
  "test/http/EarlyRefusals.test.ts",
  "test/faults/clock.test.ts",
  "test/faults/reorgs.test.ts",
  "test/faults/sponsoredReorgs.test.ts",
  "test/faults/sponsoredDatabase.test.ts",
  "test/effects/Properties.test.ts",
  "test/cli/PlanShow.test.ts",
  "test/openapi-clients/Clients.test.ts",
  "test/dispatch/Outcomes.test.ts",
  "test/http/Bodies.test.ts",
  "test/races/Failover.test.ts",
  "test/database/Upgrades.test.ts",
  "test/dispatch/ApprovalMutations.test.ts",
  "test/faults/sequences.test.ts",
  "test/faults/bombs.test.ts",
  "test/hostile/Described.test.ts",
  "test/cli/Outcomes.test.ts",
  "test/cli/Index.test.ts",
  "test/indexer/Walks.test.ts",
  "test/hostile/Limits.test.ts",
  "test/embedded/Chain.test.ts",
  "test/faults/database.test.ts",
  "test/cli/Verbs.test.ts"
]

for (const file of LONGEST) statSync(file)

const rank = ({ moduleId }: TestSpecification): number => {
  const found = LONGEST.findIndex(file => moduleId.endsWith(`/${file}`))
  return found < 0 ? LONGEST.length : found
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other))
  }
}
