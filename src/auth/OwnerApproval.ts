/** The owner's fresh consent to one dispatch: the owner's own request for it, or a signed approval that a bot carries. */
import { Effect, Either, type ParseResult, Schema } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { refusedSignature } from "../signatures/RefusedSignature.ts"
import { Signatures } from "../signatures/Signatures.ts"
import { stage } from "../telemetry/Requests.ts"
import { misfitOf } from "../values/Expectation.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { APPROVAL_WINDOW } from "../values/TypedData.ts"
import { sponsorshipApprovalDigest, transactionApprovalDigest } from "../values/TypedDataHash.ts"
import { ApprovalBody, SponsorshipApprovalBody } from "./ApprovalBody.ts"
import { asksFor, asksToPublish } from "./OwnRequest.ts"
import {
  InvalidOwnerApproval,
  InvalidOwnerApprovalSignature,
  OwnerApprovalExpired,
  OwnerApprovalMismatch,
  OwnerApprovalRequired
} from "./refusals.ts"
import { SignedRequest, type Transmitted } from "./SignedRequest.ts"

/** Exactly one transaction of a step. */
export interface Dispatchable {
  readonly planId: string
  readonly commitment: Bytes32
  readonly stepIndex: number
  readonly transactionHash: Bytes32
}

/** Exactly these signatures of a sponsorship's requests. */
export interface Publishable {
  readonly sponsorshipId: string
  readonly commitment: Bytes32
  readonly submissionHash: Bytes32
}

type AnyBody = ApprovalBody | SponsorshipApprovalBody

/** What is consented to: no approval of one kind stands in for another. */
interface Kind<Body extends AnyBody, What> {
  readonly decode: (given: unknown) => Either.Either<Body, ParseResult.ParseError>
  readonly digest: (audience: string, chainId: number, message: Omit<Body, "signature">) => Uint8Array
  /** The members that say what. */
  readonly says: (what: What, body: Body) => Readonly<Record<string, boolean>>
  readonly isAskedBy: (request: Transmitted, what: What) => boolean
}

const ofTransaction: Kind<ApprovalBody, Dispatchable> = {
  decode: Schema.decodeUnknownEither(ApprovalBody),
  digest: transactionApprovalDigest,
  says: (what, body) => ({
    planId: body.planId === what.planId,
    commitment: body.commitment === what.commitment,
    stepIndex: body.stepIndex === what.stepIndex,
    transactionHash: body.transactionHash === what.transactionHash
  }),
  isAskedBy: asksFor
}

const ofSponsorship: Kind<SponsorshipApprovalBody, Publishable> = {
  decode: Schema.decodeUnknownEither(SponsorshipApprovalBody),
  digest: sponsorshipApprovalDigest,
  says: (what, body) => ({
    sponsorshipId: body.sponsorshipId === what.sponsorshipId,
    commitment: body.commitment === what.commitment,
    submissionHash: body.submissionHash === what.submissionHash
  }),
  isAskedBy: asksToPublish
}

export interface Approval {
  readonly form: "owner-request" | "owner-approval"
  readonly signer: string
  readonly issuedAt: number
  readonly expiresAt: number
  readonly nonce: Hex
}

/** At a time of the database, in milliseconds. */
const checkFreshness = ({ issuedAt, expiresAt }: Approval, nowMillis: number) => {
  const now = Math.floor(nowMillis / 1000)
  return expiresAt <= now || issuedAt > now + APPROVAL_WINDOW.futureAllowanceSeconds
    ? Effect.fail(new OwnerApprovalExpired())
    : Effect.void
}

const misshapen = (error: ParseResult.ParseError) => {
  const { path: parts, expected } = misfitOf(error)
  const path = ["ownerApproval", ...parts].map(String).join(".")
  return new InvalidOwnerApproval({ context: { path, expected } })
}

const parse = <Body extends AnyBody>(
  { decode }: Pick<Kind<Body, never>, "decode">,
  given: unknown
): Either.Either<Body, InvalidOwnerApproval> =>
  Either.flatMap(Either.mapLeft(decode(given), misshapen), body =>
    body.expiresAt > body.issuedAt && body.expiresAt - body.issuedAt <= APPROVAL_WINDOW.maximumSeconds
      ? Either.right(body)
      : Either.left(
          new InvalidOwnerApproval({
            detail: `The window must be 1 to ${APPROVAL_WINDOW.maximumSeconds} seconds long.`,
            context: { path: "ownerApproval.expiresAt" }
          })
        )
  )

const differing = (
  { accountId, principalId }: AnyBody,
  actor: Actor,
  says: Readonly<Record<string, boolean>>
): ReadonlyArray<string> => {
  const equal: Readonly<Record<string, boolean>> = {
    accountId: accountId === actor.accountId,
    principalId: principalId === actor.id,
    ...says
  }
  return Object.keys(equal).filter(member => equal[member] === false)
}

const verifySignature = Effect.fn("OwnerApproval.verify")(function* (
  digest: (audience: string) => Uint8Array,
  signature: AnyBody["signature"],
  actor: Actor
) {
  const { audience } = yield* Settings
  const signatures = yield* Signatures
  const signed = digest(audience)
  yield* signatures
    .verify({
      digest: signed,
      signature,
      signer: actor.ownerAddress,
      role: "owner",
      authorityChainId: actor.authorityChainId
    })
    .pipe(
      Effect.catchTag(
        "INVALID_SIGNATURE",
        () =>
          new InvalidOwnerApprovalSignature({
            context: refusedSignature(signed, signature, actor.ownerAddress)
          })
      )
    )
})

const presenceOf =
  <Body extends AnyBody>(kind: Pick<Kind<Body, never>, "decode">) =>
  (actor: Actor, given: unknown) => {
    if (actor.kind === "owner")
      return given === undefined
        ? Effect.void
        : Effect.fail(
            new InvalidOwnerApproval({
              detail: "The owner's own request is the approval; leave ownerApproval out."
            })
          )
    return given === undefined ? Effect.fail(new OwnerApprovalRequired()) : Effect.asVoid(parse(kind, given))
  }

/** A bot that needs a new dispatch must carry an approval at all; cheap, before any chain is asked. */
export const requirePresence = presenceOf(ofTransaction)
export const requirePublicationPresence = presenceOf(ofSponsorship)

const ownApproval = Effect.fnUntraced(function* (actor: Actor, isAsked: boolean) {
  if (!isAsked) return yield* new OwnerApprovalMismatch({ context: { members: ["request"] } })
  const { signer, issuedAt, expiresAt, nonce } = actor
  const own: Approval = { form: "owner-request", signer, issuedAt, expiresAt, nonce }
  /** Only an early refusal: the claim looks at the database's clock again. */
  yield* checkFreshness(own, yield* (yield* DatabaseClock).estimate)
  return own
})

const approving = <Body extends AnyBody, What>(kind: Kind<Body, What>) =>
  Effect.fnUntraced(function* (actor: Actor, given: unknown, what: What) {
    if (actor.kind === "owner") return yield* ownApproval(actor, kind.isAskedBy(yield* SignedRequest, what))
    const body = yield* parse(kind, given)
    const members = differing(body, actor, kind.says(what, body))
    if (members.length > 0) return yield* new OwnerApprovalMismatch({ context: { members } })
    const { signature, ...message } = body
    const { issuedAt, expiresAt, nonce } = body
    const approval: Approval = {
      form: "owner-approval",
      signer: actor.ownerAddress,
      issuedAt,
      expiresAt,
      nonce
    }
    yield* checkFreshness(approval, yield* (yield* DatabaseClock).millis)
    yield* failpoint("approval.clockRead")
    yield* verifySignature(
      audience => kind.digest(audience, actor.authorityChainId, message),
      signature,
      actor
    )
    yield* failpoint("approval.verified")
    return approval
  }, stage("OwnerApproval.approve"))

export const approveDispatch = approving(ofTransaction)
export const approvePublication = approving(ofSponsorship)
