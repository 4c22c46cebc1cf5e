/** What the ledger asks and answers for one signed request, and the refusals its verdicts stand for. */
import { Effect, Schema } from "effect"
import { REQUEST_WINDOW } from "../values/TypedData.ts"
import { type Account, accountFromRow, type Scope, Scopes } from "./Account.ts"
import {
  AccountNotFound,
  AuthExpired,
  Forbidden,
  NonceReused,
  RateLimited,
  StorageLimit
} from "./refusals.ts"

/** As `admit_requests` bounds those whose window is not over. */
export const LIVE_NONCES = { perAccount: 1000, reservedForOwner: 32 } as const

export interface LedgerRequest {
  readonly accountId: string
  /** Lower case. */
  readonly signer: string
  readonly grantId: string | undefined
  readonly ownerOnly: boolean
  readonly scope: Scope
  readonly nonce: `0x${string}`
  readonly issuedAt: number
  readonly expiresAt: number
  /** Whether the answer should carry the account record. */
  readonly wantsAccount: boolean
}

export interface QuotaFigures {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

export interface Admission {
  readonly clockMillis: number
  readonly scopes: Scopes | undefined
  readonly account: Account | undefined
}

export const Judged = Schema.Struct({
  verdict: Schema.Literal(
    "OK",
    "HELD",
    "ALONE",
    "ACCOUNT_NOT_FOUND",
    "FORBIDDEN",
    "AUTH_EXPIRED",
    "NONCE_REUSED",
    "RATE_LIMITED",
    "STORAGE_LIMIT"
  ),
  quota_limit: Schema.NullOr(Schema.Number),
  quota_remaining: Schema.NullOr(Schema.Number),
  retry_after: Schema.NullOr(Schema.Number),
  clock_millis: Schema.Number,
  scopes: Schema.NullOr(Scopes),
  account_record: Schema.NullOr(Schema.Unknown)
})
export type Judged = typeof Judged.Type

export type LedgerRefusal =
  | AccountNotFound
  | AuthExpired
  | Forbidden
  | NonceReused
  | RateLimited
  | StorageLimit

const quotaFigures = (judged: Judged): QuotaFigures | undefined =>
  judged.quota_limit === null
    ? undefined
    : {
        limit: judged.quota_limit,
        remaining: judged.quota_remaining ?? 0,
        resetSeconds: 60 - (Math.floor(judged.clock_millis / 1000) % 60)
      }

const admission = (judged: Judged, account: Account | undefined): Admission => ({
  clockMillis: judged.clock_millis,
  scopes: judged.scopes ?? undefined,
  account
})

const admitted = (judged: Judged): Effect.Effect<Admission> =>
  judged.account_record === null
    ? Effect.succeed(admission(judged, undefined))
    : Effect.map(accountFromRow(judged.account_record), ({ account }) => admission(judged, account))

/** Who is not its owner learns of an account that is not there what one that is there would tell. */
const unfound = (
  { accountId, signer, issuedAt, expiresAt }: LedgerRequest,
  clockMillis: number
): LedgerRefusal => {
  const now = Math.floor(clockMillis / 1000)
  if (expiresAt <= now || issuedAt > now + REQUEST_WINDOW.futureAllowanceSeconds) return new AuthExpired()
  return accountId.endsWith(`:${signer}`) ? new AccountNotFound() : new Forbidden()
}

type Final = Exclude<Judged["verdict"], "HELD" | "ALONE">

const refusalOf = (judged: Judged, verdict: Final, request: LedgerRequest): LedgerRefusal | undefined => {
  const retryAfterSeconds = judged.retry_after ?? 1
  switch (verdict) {
    case "OK":
      return undefined
    case "ACCOUNT_NOT_FOUND":
      return unfound(request, judged.clock_millis)
    case "FORBIDDEN":
      return new Forbidden()
    case "AUTH_EXPIRED":
      return new AuthExpired()
    case "NONCE_REUSED":
      return new NonceReused()
    case "RATE_LIMITED":
      return new RateLimited({ retryAfterSeconds, context: { limit: judged.quota_limit } })
    case "STORAGE_LIMIT":
      return new StorageLimit({
        detail:
          "The account's nonces whose time windows are not over fill their bound; shorter windows free them sooner.",
        retryAfterSeconds,
        context: { limit: "unexpired nonces" }
      })
  }
}

export interface Judgement {
  /** Absent where the request was not counted. */
  readonly quota: QuotaFigures | undefined
  readonly verdict: Effect.Effect<Admission, LedgerRefusal>
}

export const judgementOf = (judged: Judged, request: LedgerRequest): Judgement => {
  const { verdict } = judged
  const quota = quotaFigures(judged)
  if (verdict === "HELD" || verdict === "ALONE")
    return { quota, verdict: Effect.dieMessage("the ledger left a request unjudged") }
  const refusal = refusalOf(judged, verdict, request)
  return { quota, verdict: refusal === undefined ? admitted(judged) : Effect.fail(refusal) }
}
