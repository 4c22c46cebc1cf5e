/** The SQL of publications: one statement gives the right to publish for good, one stores what became of it. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import type { Approval } from "../auth/OwnerApproval.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { type ClaimRefusal, isClaimed } from "../dispatch/ClaimVerdict.ts"
import { CLAIM_ANSWERS, CLAIM_REFUSALS, SPONSORSHIP_REFUSALS } from "../dispatch/ClaimVerdicts.ts"
import type { JudgedDependencies } from "../dispatch/JudgedDependencies.ts"
import type { SponsorshipConflict } from "../dispatch/refusals.ts"
import { keysFor } from "../plans/Storage.ts"
import { stage } from "../telemetry/Requests.ts"
import { decoder } from "../values/Conforms.ts"
import { RandomIds } from "../values/RandomIds.ts"
import { APPROVAL_WINDOW } from "../values/TypedData.ts"
import type { SignedSubmission } from "./ForwardSignatures.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import { ForwardNonceReserved, SponsorshipExpired, SponsorshipNotFound } from "./refusals.ts"
import { type PublicationToken, publicationSettling } from "./SettlePublications.ts"
import type { SettledPublication } from "./SponsorshipRow.ts"

const LEASE_MS = 60_000
const FIRST_SWEEP_MS = 2_000

const CLAIM = `SELECT verdict, bound_to
FROM claim_sponsorship(json_populate_record(NULL::publication_request, $1::json))`

const STANDS =
  "SELECT publication_stands(json_populate_record(NULL::publication_request, $1::json)) AS stands"
const UNJUDGED: JudgedDependencies = { revision: null, blockedBy: [] }

export interface PublicationRequest {
  readonly actor: Actor
  readonly key: RequestKey
  readonly sponsorshipId: string
  readonly submission: SignedSubmission
  readonly approval: Approval
}

const Verdict = Schema.Struct({
  verdict: Schema.Literal(...CLAIM_ANSWERS, ...CLAIM_REFUSALS, ...SPONSORSHIP_REFUSALS),
  bound_to: Schema.NullOr(Schema.String)
})

const decodeVerdict = decoder(Verdict)

type PublicationRefusal =
  | Exclude<ClaimRefusal, { readonly _tag: "NONCE_RESERVED" | "PLAN_EXPIRED" }>
  | SponsorshipNotFound
  | SponsorshipConflict
  | SponsorshipExpired
  | ForwardNonceReserved

const claimedBy = (
  { verdict, bound_to }: typeof Verdict.Type,
  blockedBy: ReadonlyArray<number>
): Effect.Effect<boolean, PublicationRefusal> => {
  switch (verdict) {
    case "SPONSORSHIP_NOT_FOUND":
      return Effect.fail(new SponsorshipNotFound())
    case "SPONSORSHIP_EXPIRED":
      return Effect.fail(new SponsorshipExpired())
    case "FORWARD_NONCE_RESERVED":
      return Effect.fail(new ForwardNonceReserved())
    default:
      return Effect.catchTags(isClaimed({ verdict, bound_to }, blockedBy), {
        NONCE_RESERVED: Effect.die,
        PLAN_EXPIRED: Effect.die
      })
  }
}

const asked = (
  { actor, key, sponsorshipId, submission, approval }: PublicationRequest,
  { revision, blockedBy }: JudgedDependencies
) => ({
  account_id: actor.accountId,
  principal: actor.id,
  grant_id: actor.kind === "bot" ? actor.grantId : null,
  sponsorship: sponsorshipId,
  key: key.key,
  identity: key.identity,
  keys_per_account: keysFor(actor),
  submission_hash: submission.hash,
  signatures: submission.signatures,
  judged_revision: revision,
  is_blocked: blockedBy.length > 0,
  approval_form: approval.form,
  approval_signer: approval.signer,
  approval_nonce: approval.nonce,
  approval_issued_at: approval.issuedAt,
  approval_expires_at: approval.expiresAt,
  future_allowance_seconds: APPROVAL_WINDOW.futureAllowanceSeconds,
  lease_millis: LEASE_MS,
  sweep_millis: FIRST_SWEEP_MS
})

export class PublicationStore extends Context.Tag("sponsorship/PublicationStore")<
  PublicationStore,
  {
    /** For one request, whose claim stands under it or not at all. */
    readonly newToken: (sponsorshipId: string) => Effect.Effect<PublicationToken>
    /** False where this very request has it already, by another token. */
    readonly claim: (
      request: PublicationRequest,
      token: PublicationToken,
      judged: JudgedDependencies
    ) => Effect.Effect<boolean, PublicationRefusal | DatabaseUnavailable>
    /** Whether the claim that nobody was told of was made, and it may be published still. */
    readonly stands: (
      request: PublicationRequest,
      token: PublicationToken
    ) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Once: what is settled stays, and is shown. */
    readonly settle: (
      token: PublicationToken,
      told: Option.Option<ProviderQuote>
    ) => Effect.Effect<SettledPublication, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    PublicationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = yield* RandomIds
      return {
        newToken: (sponsorshipId: string) => Effect.map(ids.uuid, token => ({ sponsorshipId, token })),
        claim: Effect.fnUntraced(function* (request, { token }, judged) {
          const [row] = yield* refusingSql(
            sql.unsafe(CLAIM, [JSON.stringify({ ...asked(request, judged), token })])
          )
          return yield* claimedBy(yield* Effect.orDie(decodeVerdict(row)), judged.blockedBy)
        }, stage("PublicationStore.claim")),
        stands: (request, { token }) =>
          refusingSql(
            sql.unsafe<{ readonly stands: boolean }>(STANDS, [
              JSON.stringify({ ...asked(request, UNJUDGED), token })
            ])
          ).pipe(Effect.map(([row]) => row?.stands === true)),
        settle: yield* publicationSettling
      }
    })
  )
}
