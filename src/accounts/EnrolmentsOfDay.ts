/** Counts the accounts that a client address enrols on a day; called within the transaction that enrols, one at a time. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { Settings } from "../settings/Settings.ts"
import { addressHash } from "../values/AddressHash.ts"
import { RateLimited } from "./refusals.ts"

/** The database's own day. */
const DAY = "unix_seconds() / 86400"
const LEFT = "86400 - unix_seconds() % 86400"

const spent = (times: number, limit: number, left: number) =>
  new RateLimited({
    detail: `${times === 1 ? "This client address has" : "The network of this client address has"} enrolled as many accounts as it may on one day (UTC).`,
    retryAfterSeconds: left,
    context: { limit, per: `client ${times === 1 ? "address" : "network"} and day` }
  })

interface Counted {
  readonly network: string
  /** How many times as many as an address enrols. */
  readonly times: number
}

const WIDER = [
  { bits: 56, times: 4 },
  { bits: 48, times: 16 }
] as const

/** Who has many networks of IPv6 has them side by side, within one that is wider. */
const networksOf = (address: string): ReadonlyArray<Counted> => {
  const own = { network: address, times: 1 }
  if (!address.endsWith("::/64")) return [own]
  const groups = address.slice(0, -"::/64".length).split(":")
  const last = Number.parseInt(groups.at(-1) ?? "", 16)
  const wider = WIDER.map(({ bits, times }) => {
    const kept = (last >> (64 - bits)) << (64 - bits)
    return { network: `${[...groups.slice(0, -1), kept.toString(16)].join(":")}::/${bits}`, times }
  })
  return [own, ...wider]
}

/** A refusal takes the count back with all else. */
export const makeEnrolmentCount = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { enrolmentsPerAddress } = yield* Settings

  const count = Effect.fn("EnrolmentsOfDay.count")(function* (address: string) {
    const networks = networksOf(address)
    const hashes = networks.map(({ network }) => addressHash(network))
    const rows = yield* sql<{ address_hash: string; count: number; left: number }>`
      INSERT INTO address_enrolments AS e (day, address_hash, count)
      SELECT ${sql.literal(DAY)}, address_hash, 1 FROM unnest(${hashes}::text[]) AS s (address_hash)
      ON CONFLICT (day, address_hash) DO UPDATE SET count = e.count + 1
      RETURNING address_hash, count, ${sql.literal(LEFT)} AS left`
    for (const [index, { times }] of networks.entries()) {
      const row = rows.find(({ address_hash }) => address_hash === hashes[index])
      const limit = times * enrolmentsPerAddress
      if (row !== undefined && row.count > limit) return yield* spent(times, limit, row.left)
    }
  })

  return enrolmentsPerAddress === 0 ? () => Effect.void : count
})
