/** Stores plans under their idempotency keys, in one round trip for all that wait together. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Metric, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import type { Actor } from "../accounts/Principal.ts"
import { AccountNotFound, Forbidden, type ServiceBusy, StorageLimit } from "../accounts/refusals.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { IdempotencyConflict } from "../auth/refusals.ts"
import { batching } from "../database/Gathering.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { beginPlanTrace } from "../telemetry/PlanTrace.ts"
import { decoder } from "../values/Conforms.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { Terms } from "./PlanRow.ts"
import { PlanStorageLimit } from "./refusals.ts"
import { keysFor, plansFor } from "./Storage.ts"

/** Bounds how long one statement holds the rows of its accounts. */
const BATCH_BOUND = 32

const STORE = `SELECT verdict, plan FROM store_plans($1, $2, $3::uuid[], $4, $5, $6::uuid[], $7, $8, $9::json[], $10, $11, $12,
  $13, $14, $15, $16) ORDER BY position`

export interface NewPlan {
  readonly id: string
  readonly terms: Terms
  readonly commitment: Bytes32
  readonly createdAt: number
  readonly expiresAt: number
}

interface Item {
  readonly actor: Actor
  readonly key: RequestKey
  readonly plan: NewPlan
}

const Verdicts = Schema.Array(
  Schema.Struct({
    verdict: Schema.Literal(
      "STORED",
      "TWIN",
      "HELD",
      "ACCOUNT_NOT_FOUND",
      "FORBIDDEN",
      "IDEMPOTENCY_CONFLICT",
      "PLANS_LIMIT",
      "KEYS_LIMIT"
    ),
    plan: Schema.NullOr(Schema.String)
  })
)
type Verdict = (typeof Verdicts.Type)[number]

const decodeVerdicts = decoder(Verdicts)

const parameters = (items: ReadonlyArray<Item>): ReadonlyArray<unknown> => [
  items.map(({ key }) => key.accountId),
  items.map(({ key }) => key.principalId),
  items.map(({ actor }) => (actor.kind === "bot" ? actor.grantId : null)),
  items.map(({ key }) => key.key),
  items.map(({ key }) => key.identity),
  items.map(({ plan }) => plan.id),
  items.map(({ plan }) => plan.terms.operation),
  items.map(({ plan }) => plan.terms.account.toLowerCase()),
  items.map(({ plan }) => JSON.stringify(plan.terms)),
  items.map(({ plan }) => plan.terms.calls.length),
  items.map(({ plan }) => plan.commitment),
  items.map(({ plan }) => plan.createdAt),
  items.map(({ plan }) => plan.expiresAt),
  items.map(({ actor }) => plansFor(actor)),
  items.map(({ actor }) => keysFor(actor))
]

const created = Metric.counter("service_plans_created_total", {
  description: "Plans that this process stored, by operation.",
  incremental: true
})

/** A twin was stored before. */
const counting = (items: ReadonlyArray<Item>) => (verdicts: ReadonlyArray<Verdict>) =>
  Effect.sync(() => {
    for (const [position, { verdict }] of verdicts.entries()) {
      const operation = items[position]?.plan.terms.operation
      if (verdict === "STORED" && operation !== undefined)
        Metric.tagged(created, "operation", operation).unsafeUpdate(1, [])
    }
  })

const begun = ({ id, terms }: NewPlan) => beginPlanTrace(id, { planOperation: terms.operation })

const full = (limit: string) => ({ context: { limit }, retryable: false, retryAfterSeconds: 3600 })

const storedUnder = ({ verdict, plan }: Verdict): Effect.Effect<string, StoreRefusal> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return plan === null ? Effect.dieMessage("a stored plan has no id") : Effect.succeed(plan)
    case "ACCOUNT_NOT_FOUND":
      return Effect.fail(new AccountNotFound())
    case "FORBIDDEN":
      return Effect.fail(new Forbidden())
    case "IDEMPOTENCY_CONFLICT":
      return Effect.fail(new IdempotencyConflict())
    case "PLANS_LIMIT":
      return Effect.fail(new PlanStorageLimit(full("plans")))
    case "KEYS_LIMIT":
      return Effect.fail(new StorageLimit(full("idempotency keys")))
    case "HELD":
      return Effect.dieMessage("a plan was left unstored")
  }
}

type StoreRefusal = AccountNotFound | Forbidden | IdempotencyConflict | PlanStorageLimit | StorageLimit

export type StoreFailure = StoreRefusal | ServiceBusy | DatabaseUnavailable

export class StorePlan extends Context.Tag("plans/StorePlan")<
  StorePlan,
  {
    /** The id of the plan that the key leads to: the given one, or its faster twin. */
    readonly store: (actor: Actor, key: RequestKey, plan: NewPlan) => Effect.Effect<string, StoreFailure>
  }
>() {
  static readonly layer = Layer.scoped(
    StorePlan,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors

      const ask = (items: ReadonlyArray<Item>, wait: boolean) =>
        sql.unsafe(STORE, [...parameters(items), wait]).pipe(
          refusingSql,
          Effect.flatMap(rows => Effect.orDie(decodeVerdicts(rows))),
          Effect.tap(counting(items))
        )

      const gather = yield* batching((items: ReadonlyArray<Item>) => ask(items, false), BATCH_BOUND)

      /** Waits in the account's queue, so that a held account keeps one connection from the others and no more. */
      const askAgain = (item: Item) =>
        Effect.flatMap(actors.run(item.key.accountId, ask([item], true)), ([verdict]) =>
          verdict === undefined ? Effect.dieMessage("a plan got no verdict") : storedUnder(verdict)
        )

      return {
        store: (actor, key, plan) => {
          const item = { actor, key, plan }
          return Effect.flatMap(
            gather(item),
            (verdict): Effect.Effect<string, StoreFailure> =>
              verdict.verdict === "HELD" ? askAgain(item) : storedUnder(verdict)
          ).pipe(Effect.tap(id => (id === plan.id ? begun(plan) : Effect.void)))
        }
      }
    })
  )
}
