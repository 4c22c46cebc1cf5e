/** Counts the accounts that a client address enrols on a day; called within the transaction that enrols, one at a time. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Settings } from "../settings/Settings.ts"
import { addressHash } from "../values/AddressHash.ts"
import { RateLimited } from "./refusals.ts"

/** The database's own day. */
const DAY = "unix_seconds() / 86400"
const LEFT = "86400 - unix_seconds() % 86400"

/** Of earlier days: whoever enrols first on a day does not wait for the whole of the day before. */
const FORGOTTEN_AT_ONCE = 1_000

/** A refusal takes the count back with all else. */
export const makeEnrolmentCount = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { enrolmentsPerAddress } = yield* Settings

  const count = Effect.fn("EnrolmentsOfDay.count")(function* (address: string) {
    yield* sql`DELETE FROM address_enrolments WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM address_enrolments WHERE day < (SELECT ${sql.literal(DAY)})
      ORDER BY day LIMIT ${FORGOTTEN_AT_ONCE} FOR UPDATE SKIP LOCKED))`
    const [row] = yield* sql<{ count: number; left: number }>`
      INSERT INTO address_enrolments AS e (day, address_hash, count)
      VALUES (${sql.literal(DAY)}, ${addressHash(address)}, 1)
      ON CONFLICT (day, address_hash) DO UPDATE SET count = e.count + 1
      RETURNING count, ${sql.literal(LEFT)} AS left`
    if (row !== undefined && row.count > enrolmentsPerAddress)
      return yield* new RateLimited({
        detail: "This client address has enrolled as many accounts as it may on one day (UTC).",
        retryAfterSeconds: row.left,
        context: { limit: enrolmentsPerAddress, per: "client address and day" }
      })
  })

  return enrolmentsPerAddress === 0 ? () => Effect.void : count
})
