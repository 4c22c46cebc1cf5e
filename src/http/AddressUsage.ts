/** The SQL of what client addresses have spent; addresses are stored as hashes and only for minutes. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { addressHash } from "../values/AddressHash.ts"

/** The database's own, so that replicas whose clocks differ count in the same one. */
const MINUTE = "unix_millis() / 60000"

export type BudgetKind = "unauthenticated" | "overspent" | "discovery" | "kept" | "wallet"

export interface Spent {
  readonly kind: BudgetKind
  readonly address: string
  readonly count: number
}

export interface Total {
  readonly count: number
  /** Until the minute ends that it was counted in; below zero where it has. */
  readonly leftMillis: number
}

export class AddressUsage extends Context.Tag("http/AddressUsage")<
  AddressUsage,
  {
    /** Adds what this process counted and answers with the totals of the minute over all replicas, in the same order. */
    readonly add: (spent: ReadonlyArray<Spent>) => Effect.Effect<ReadonlyArray<Total>, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    AddressUsage,
    Effect.map(SqlClient.SqlClient, sql => ({
      add: Effect.fn("AddressUsage.add")(function* (spent: ReadonlyArray<Spent>) {
        const hashes = spent.map(({ address }) => addressHash(address))
        const rows = yield* sql<{ kind: string; address_hash: string; count: number; left: number }>`
          INSERT INTO address_usage AS u (kind, address_hash, minute, count)
          SELECT kind, address_hash, ${sql.literal(MINUTE)}, count
          FROM unnest(${spent.map(({ kind }) => kind)}::text[], ${hashes}::text[], ${spent.map(({ count }) => count)}::int[])
            AS s (kind, address_hash, count)
          ORDER BY kind, address_hash
          ON CONFLICT (kind, address_hash, minute) DO UPDATE SET count = u.count + excluded.count
          RETURNING kind, address_hash, count, (minute + 1) * 60000 - unix_millis() AS left`
        const totals = new Map(
          rows.map(({ kind, address_hash, count, left }) => [
            `${kind} ${address_hash}`,
            { count, leftMillis: left }
          ])
        )
        return spent.map(
          ({ kind, count }, index) => totals.get(`${kind} ${hashes[index]}`) ?? { count, leftMillis: 0 }
        )
      }, refusingSql)
    }))
  )
}
