/** Starts the files that take longest before all others, so that none of them is left running alone at the end. */
import { statSync } from "node:fs"
import { BaseSequencer, type TestSpecification } from "vitest/node"

const LONGEST = [
  "test/faults/deploys.test.ts",
  "test/faults/crash.test.ts",
  "test/http/HeldConnections.test.ts",
  "test/docs/Journeys.test.ts",
  "test/cli/WalletKilled.test.ts",
  "test/faults/matrix.test.ts",
  "test/console/Continued.test.ts",
  "test/faults/operatedCrash.test.ts",
  "test/console/Operations.test.ts",
  "test/client/SponsoredPayment.test.ts",
  "test/main/Sponsored.test.ts",
  "test/sponsorship/Quote.test.ts",
  "test/client/Package.test.ts",
  "test/cli/Accounts.test.ts",
  "test/useroperations/ChangedBetween.test.ts",
  "test/database/Upgrades.test.ts",
  "test/console/SignedIn.test.ts",
  "test/console/Sending.test.ts",
  "test/explorer/Reference.test.ts",
  "test/console/Plan.test.ts",
  "test/client/CarryOut.test.ts",
  "test/console/projects/Project.test.ts",
  "test/faults/raceCampaign.test.ts",
  "test/embedded/Postgres.test.ts",
  "test/docs/Programs.test.ts",
  "test/faults/postgres.test.ts",
  "test/indexer/ChangingWalks.test.ts",
  "test/faults/database.test.ts",
  "test/hostile/Described.test.ts",
  "test/openapi-clients/Clients.test.ts",
  "test/http/Bodies.test.ts",
  "test/operations/PlanCuts.test.ts",
  "test/faults/operatedRaces.test.ts",
  "test/cli/Plans.test.ts",
  "test/dispatch/Outcomes.test.ts",
  "test/compile/Snippets.test.ts",
  "test/console/doing/Planning.test.ts",
  "test/sponsorship/Funding.test.ts",
  "test/cli/Outcomes.test.ts",
  "test/faults/node.test.ts",
  "test/useroperations/Send.test.ts",
  "test/http/EarlyRefusals.test.ts",
  "test/cli/WalletPays.test.ts",
  "test/http/Readiness.test.ts",
  "test/useroperations/LongPoll.test.ts",
  "test/races/Failover.test.ts",
  "test/console/Axe.test.ts",
  "test/observed/Doubts.test.ts",
  "test/faults/reorgs.test.ts",
  "test/sponsorship/Located.test.ts",
  "test/console/doing/Doing.test.ts",
  "test/faults/bombs.test.ts",
  "test/faults/bundlerLies.test.ts",
  "test/faults/clock.test.ts",
  "test/useroperations/Located.test.ts",
  "test/dispatch/ApprovalMutations.test.ts",
  "test/faults/sponsoredDatabase.test.ts",
  "test/indexer/Walks.test.ts",
  "test/console/Sponsored.test.ts",
  "test/http/Hostile.test.ts",
  "test/console/Pages.test.ts",
  "test/faults/sequences.test.ts",
  "test/embedded/Chain.test.ts",
  "test/http/Ops.test.ts",
  "test/cli/Verbs.test.ts",
  "test/effects/Properties.test.ts",
  "test/useroperations/Hints.test.ts",
  "test/smartaccounts/Hostile.test.ts",
  "test/operations/Cuts.test.ts"
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
