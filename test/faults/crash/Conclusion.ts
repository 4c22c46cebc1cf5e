/** How a run ends: what becomes of all that it brought about, and the comparison of the four truths. */
import type { Failpoint } from "../../../src/values/Failpoint.ts"
import { audit, type Verdict } from "./Audit.ts"
import { auditOperated, auditSponsorships } from "./Audits.ts"
import type { Fleet } from "./Fleet.ts"
import { operationEnds } from "./OperationEnd.ts"
import type { BroughtOperation } from "./OperationLane.ts"
import { auditHeld, sessionEnds } from "./SessionEnd.ts"
import type { BroughtSession } from "./SessionLane.ts"
import { sponsoredEnds } from "./SponsoredEnd.ts"
import type { Brought as BroughtSponsorship } from "./SponsoredLane.ts"
import type { Notebook } from "./Told.ts"
import type { World } from "./World.ts"

/** By a run, so far. */
export interface Brought {
  readonly world: World
  readonly fleet: Fleet
  readonly notebook: Notebook
  readonly brought: Array<BroughtSponsorship>
  readonly operated: Array<BroughtOperation>
  readonly held: Array<BroughtSession>
  readonly broken: Array<string>
}

const COUNTS = `SELECT (SELECT count(*) FROM plans) AS plans, (SELECT count(*) FROM transport_bindings) AS admitted,
  (SELECT count(*) FROM dispatch_leases WHERE count > 1) AS reclaimed,
  (SELECT count(*) FROM bot_grants WHERE revoked_at IS NOT NULL) AS revoked`

const isDefect = (line: string) => !line.includes('"http_request"')

interface LastDeaths {
  readonly failpoints: ReadonlyArray<Failpoint>
  readonly died: (at: Failpoint) => void
}

interface Watched {
  readonly sentByRecovery: number
  readonly heldLocks: ReadonlyArray<string>
}

export interface Conclusion {
  readonly verdicts: ReadonlyArray<Verdict>
  readonly violations: number
  readonly figures: Readonly<Record<string, unknown>>
}

export const conclude = async (
  run: Brought,
  deaths: LastDeaths,
  { sentByRecovery, heldLocks }: Watched
): Promise<Conclusion> => {
  const { world, fleet, notebook } = run
  const ends = await sponsoredEnds(world, { fleet, ...deaths }, run.brought)
  const sessions = await sessionEnds(world, run.held)
  const operations = await operationEnds(world, run.operated)
  const witnessed = { heldLocks, defects: fleet.errors.filter(isDefect) }
  const verdicts = [
    ...(await audit(world, notebook, sentByRecovery, witnessed)),
    ...(await auditSponsorships(run, ends)),
    ...(await auditOperated(run, operations)),
    ...(await auditHeld(run, sessions))
  ]
  const [counts] = await world.sql<Record<string, number>>(COUNTS)
  const figures = {
    ...counts,
    sends: world.sent().length,
    answers: notebook.told.length,
    unanswered: notebook.lost.count,
    directly: notebook.direct.size,
    sponsored: ends.states,
    published: world.provider.publications().length,
    operations: operations.states,
    sessions: sessions.states,
    carried: world.operating?.sent().length ?? 0
  }
  const violations = verdicts.reduce((sum, verdict) => sum + verdict.violations.length, 0)
  return { verdicts, violations, figures }
}
