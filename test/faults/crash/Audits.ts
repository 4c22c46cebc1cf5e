/** What a run's sponsorships and operations are held to, beside what all steps are. */
import { auditOperations, storedOperations } from "../operating/Audit.ts"
import { carriedOutOn } from "../operating/Events.ts"
import { auditSponsored, storedSponsorships } from "../sponsored/Audit.ts"
import { executionsOn } from "../sponsored/Executions.ts"
import type { Verdict } from "./Audit.ts"
import type { OperationEnds } from "./OperationEnd.ts"
import type { SponsoredEnds } from "./SponsoredEnd.ts"
import type { Notebook } from "./Told.ts"
import type { World } from "./World.ts"

interface Observed {
  readonly world: World
  readonly notebook: Notebook
}

/** Of what a provider was published. */
export const auditSponsorships = async (
  { world, notebook }: Observed,
  { wrong }: SponsoredEnds
): Promise<ReadonlyArray<Verdict>> => {
  const told = notebook.told.flatMap(({ sponsorship, at }) =>
    sponsorship === undefined ? [] : [{ sponsorship, at }]
  )
  const found = auditSponsored({
    rows: await storedSponsorships(world.sql),
    publications: world.provider.publications(),
    executions: await executionsOn(world.chainUrl, world.forwarder),
    told
  })
  return Object.entries({ ...found, "each sponsorship ends as its chain has it": wrong }).map(
    ([invariant, violations]) => ({ invariant, violations })
  )
}

/** Of what a bundler was asked to carry. */
export const auditOperated = async (
  { world, notebook }: Observed,
  { wrong }: OperationEnds
): Promise<ReadonlyArray<Verdict>> => {
  const told = notebook.told.flatMap(({ operation, at }) =>
    operation === undefined ? [] : [{ operation, at }]
  )
  const found = auditOperations({
    rows: await storedOperations(world.sql),
    sent: world.operating?.sent() ?? [],
    carriedOut: await carriedOutOn(world.chainUrl),
    told
  })
  return Object.entries({ ...found, "each operation ends as its chain has it": wrong }).map(
    ([invariant, violations]) => ({ invariant, violations })
  )
}
