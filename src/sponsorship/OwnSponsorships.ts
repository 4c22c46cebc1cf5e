/** What callers publish of. */
import { Effect, Option } from "effect"
import type { KeyOutcome, RequestKey } from "../auth/Idempotency.ts"
import { ownRecords } from "../plans/OwnRecords.ts"
import { SponsorshipNotFound } from "./refusals.ts"
import { PLANNED_SPONSORSHIPS } from "./SponsorshipRecords.ts"
import { type PlannedSponsorship, withPlanFromRow } from "./SponsorshipRow.ts"

const OWN = `SELECT ${PLANNED_SPONSORSHIPS}
WHERE s.id = q.record AND s.principal = q.principal AND p.account_id = q.account`

export interface OwnSponsorship {
  readonly planned: PlannedSponsorship
  readonly outcome: Option.Option<KeyOutcome>
}

export const ownSponsorships = Effect.map(ownRecords(OWN), find =>
  Effect.fnUntraced(function* (id: string, key: RequestKey) {
    const { row, outcome } = yield* find(id, key)
    if (Option.isNone(row)) return yield* new SponsorshipNotFound()
    const found: OwnSponsorship = { planned: yield* withPlanFromRow(row.value), outcome }
    return found
  })
)
