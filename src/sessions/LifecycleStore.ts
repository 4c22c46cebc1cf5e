/** The SQL of the plans by which wallets' owners enable and revoke sessions. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import type { Actor } from "../accounts/Principal.ts"
import { AccountNotFound, type ServiceBusy, StorageLimit } from "../accounts/refusals.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { IdempotencyConflict } from "../auth/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { PlanStorageLimit } from "../plans/refusals.ts"
import { keysFor, plansFor } from "../plans/Storage.ts"
import type { NewPlan } from "../plans/StorePlan.ts"
import { SessionNotActive, SessionNotFound } from "../useroperations/refusals.ts"
import { decoder } from "../values/Conforms.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { SessionChanged, SessionPlanNotReplaceable, SessionRetirementRequired } from "./refusals.ts"
import type { StoredSession } from "./SessionRow.ts"

const MAXIMUM_SUPERSEDED = 32

const ADMIT = `SELECT verdict, plan FROM admit_lifecycle_plan($1, $2, $3, json_populate_record(NULL::plans, $4::json),
  json_populate_record(NULL::session_plans, $5::json), $6, $7, $8, $9)`
const KEEP_REACHED = "SELECT verdict, plan FROM keep_reached($1, $2, $3, $4, $5::uuid, $6, $7)"

/** Whatever has the session's wallet is looked at next, which may be over already. */
const LOOK_AT_HOLDER = `UPDATE sessions held SET sweep_at = unix_millis()
  FROM sessions s JOIN wallet_generations g ON g.chain_id = s.chain_id AND g.wallet = s.wallet
  WHERE s.id = $1::uuid AND held.id = g.session AND held.sweep_at > unix_millis()`

/** What was sent, and of the account what may have been before a restore from a backup that does not know of it. */
const SENT_UNDER = `SELECT o.id FROM (
  SELECT o.id, o.nonce, o.terms FROM user_operations o
  WHERE o.chain_id = $1 AND o.sender = $2 AND o.claimed AND o.nonce BETWEEN $3 AND $4
  UNION ALL
  SELECT o.id, o.nonce, o.terms FROM user_operations o JOIN accounts a ON a.number = o.account
  WHERE a.id = $7 AND o.created_at <= (SELECT max(r.restored_at) FROM restorations r) AND NOT o.claimed
    AND o.chain_id = $1 AND o.sender = $2 AND o.nonce BETWEEN $3 AND $4
) o, LATERAL (SELECT o.terms -> 'signing' -> 'session' AS session) t
WHERE t.session ->> 'sessionKey' = $5 AND t.session ->> 'id' <> $6 ORDER BY o.nonce LIMIT 1`

export type LifecycleKind = "activation" | "revocation"

interface NamedLifecycle {
  readonly sessionId: string
  readonly kind: LifecycleKind
}

export interface ProposedLifecycle extends NamedLifecycle {
  /** As the owner acknowledged it. */
  readonly compiledHash: Bytes32
  readonly ownerRequestDigest: Bytes32
  readonly plan: NewPlan
}

/** What a key leads to. */
interface KeptLifecycle {
  /** Undefined where the guard had done what was asked, and not by a plan of this service's. */
  readonly planId: string | undefined
  readonly replayed: boolean
}

const Verdict = Schema.Struct({
  verdict: Schema.Literal(
    "STORED",
    "TWIN",
    "ACCOUNT_NOT_FOUND",
    "IDEMPOTENCY_CONFLICT",
    "SESSION_NOT_FOUND",
    "SESSION_CHANGED",
    "REVOKING",
    "SESSION_EXPIRED",
    "ENABLED_BEFORE",
    "SESSION_RETIREMENT_REQUIRED",
    "SESSION_PLAN_NOT_REPLACEABLE",
    "SUPERSEDED_LIMIT",
    "PLANS_LIMIT",
    "KEYS_LIMIT"
  ),
  plan: Schema.NullOr(Schema.String)
})

const decodeVerdict = decoder(Verdict)

type LifecycleRefusal =
  | AccountNotFound
  | IdempotencyConflict
  | SessionNotFound
  | SessionChanged
  | SessionNotActive
  | SessionRetirementRequired
  | SessionPlanNotReplaceable
  | StorageLimit
  | PlanStorageLimit
  | ServiceBusy
  | DatabaseUnavailable

const notReplaceable = (reason: string, planId?: string) =>
  new SessionPlanNotReplaceable({ context: { reason, ...(planId === undefined ? {} : { planId }) } })

const keptLifecycle = ({
  verdict,
  plan
}: typeof Verdict.Type): Effect.Effect<KeptLifecycle, LifecycleRefusal> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return Effect.succeed({ planId: plan ?? undefined, replayed: verdict === "TWIN" })
    case "ACCOUNT_NOT_FOUND":
      return Effect.fail(new AccountNotFound())
    case "IDEMPOTENCY_CONFLICT":
      return Effect.fail(new IdempotencyConflict())
    case "SESSION_NOT_FOUND":
      return Effect.fail(new SessionNotFound())
    case "SESSION_CHANGED":
      return Effect.fail(new SessionChanged())
    case "REVOKING":
      return Effect.fail(new SessionNotActive({ context: { state: "revoking" } }))
    case "SESSION_EXPIRED":
      return Effect.fail(new SessionNotActive({ context: { state: "expired" } }))
    case "ENABLED_BEFORE":
      return Effect.fail(notReplaceable("enabled-before"))
    case "SESSION_RETIREMENT_REQUIRED":
      return Effect.fail(new SessionRetirementRequired())
    case "SESSION_PLAN_NOT_REPLACEABLE":
      return Effect.fail(notReplaceable("current", plan ?? undefined))
    case "SUPERSEDED_LIMIT":
      return Effect.fail(notReplaceable("superseded-limit"))
    case "PLANS_LIMIT":
      return Effect.fail(
        new PlanStorageLimit({ context: { limit: "plans" }, retryable: false, retryAfterSeconds: 3600 })
      )
    case "KEYS_LIMIT":
      return Effect.fail(
        new StorageLimit({
          context: { limit: "idempotency keys" },
          retryable: false,
          retryAfterSeconds: 3600
        })
      )
  }
}

const planRow = (actor: Actor, { id, terms, commitment, createdAt, expiresAt }: NewPlan): string =>
  JSON.stringify({
    ...{ id, terms, commitment },
    principal: actor.id,
    operation: terms.operation,
    wallet: terms.account.toLowerCase(),
    created_at: createdAt,
    expires_at: expiresAt
  })

const admittedRow = (
  { issuedAt }: Actor,
  { plan, sessionId, kind, ownerRequestDigest }: ProposedLifecycle
): string =>
  JSON.stringify({
    plan: plan.id,
    session: sessionId,
    kind,
    owner_request_digest: ownerRequestDigest,
    issued_at: issuedAt * 1000
  })

const hasten = (sql: SqlClient.SqlClient, { sessionId }: ProposedLifecycle) =>
  refusingSql(sql.unsafe(LOOK_AT_HOLDER, [sessionId]))

export class LifecycleStore extends Context.Tag("sessions/LifecycleStore")<
  LifecycleStore,
  {
    /** The plan that the key leads to: the given one, or its faster twin. */
    readonly admit: (
      actor: Actor,
      key: RequestKey,
      proposed: ProposedLifecycle
    ) => Effect.Effect<KeptLifecycle, LifecycleRefusal>
    /** Where the guard had done what was asked: the key leads to the plan that is admitted, if there is one. */
    readonly keepReached: (
      actor: Actor,
      key: RequestKey,
      asked: NamedLifecycle
    ) => Effect.Effect<KeptLifecycle, LifecycleRefusal>
    /** An operation of such a nonce that left under another session of the same key and wallet. */
    readonly sentUnder: (
      session: StoredSession,
      nonces: { readonly from: bigint; readonly to: bigint }
    ) => Effect.Effect<Option.Option<string>, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    LifecycleStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors

      const ask = ({ accountId }: Actor, question: string, values: ReadonlyArray<unknown>) =>
        sql.unsafe(question, values).pipe(
          refusingSql,
          Effect.flatMap(([row]) => Effect.orDie(decodeVerdict(row))),
          asked => actors.run(accountId, asked),
          Effect.flatMap(keptLifecycle)
        )

      return {
        admit: (actor, { key, identity }, proposed) =>
          ask(actor, ADMIT, [
            actor.accountId,
            key,
            identity,
            planRow(actor, proposed.plan),
            admittedRow(actor, proposed),
            proposed.compiledHash,
            plansFor(actor),
            keysFor(actor),
            MAXIMUM_SUPERSEDED
          ]).pipe(Effect.tapErrorTag("SESSION_RETIREMENT_REQUIRED", () => hasten(sql, proposed))),
        keepReached: (actor, { key, identity }, { sessionId, kind }) =>
          ask(actor, KEEP_REACHED, [
            actor.accountId,
            actor.id,
            key,
            identity,
            sessionId,
            kind,
            keysFor(actor)
          ]),
        sentUnder: ({ id, accountId, chainId, wallet, sessionKey }, { from, to }) =>
          sql
            .unsafe<{ id: string }>(SENT_UNDER, [
              chainId,
              wallet.toLowerCase(),
              String(from),
              String(to),
              sessionKey,
              id,
              accountId
            ])
            .pipe(
              refusingSql,
              Effect.map(([row]) => Option.fromNullable(row?.id))
            )
      }
    })
  )
}
