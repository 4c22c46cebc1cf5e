/** The owner's fresh consent to one dispatch: the owner's own request for it, or a signed approval that a bot carries. */
import { Effect, Either, type ParseResult, Schema } from "effect"
import type { Actor } from "../accounts/Principal.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { Signatures } from "../signatures/Signatures.ts"
import { stage } from "../telemetry/Requests.ts"
import { misfitOf } from "../values/Expectation.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { Bytes32, Hex } from "../values/Scalars.ts"
import { APPROVAL_WINDOW } from "../values/TypedData.ts"
import { transactionApprovalDigest } from "../values/TypedDataHash.ts"
import { ApprovalBody } from "./ApprovalBody.ts"
import { asksFor } from "./OwnRequest.ts"
import {
  InvalidOwnerApproval,
  InvalidOwnerApprovalSignature,
  OwnerApprovalExpired,
  OwnerApprovalMismatch,
  OwnerApprovalRequired
} from "./refusals.ts"
import { SignedRequest } from "./SignedRequest.ts"

const decodeBody = Schema.decodeUnknownEither(ApprovalBody)

/** What exactly is to be dispatched. */
export interface Dispatchable {
  readonly planId: string
  readonly commitment: Bytes32
  readonly stepIndex: number
  readonly transactionHash: Bytes32
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

const parse = (given: unknown): Either.Either<ApprovalBody, InvalidOwnerApproval> =>
  Either.flatMap(Either.mapLeft(decodeBody(given), misshapen), body =>
    body.expiresAt > body.issuedAt && body.expiresAt - body.issuedAt <= APPROVAL_WINDOW.maximumSeconds
      ? Either.right(body)
      : Either.left(
          new InvalidOwnerApproval({
            detail: `The window must be 1 to ${APPROVAL_WINDOW.maximumSeconds} seconds long.`,
            context: { path: "ownerApproval.expiresAt" }
          })
        )
  )

const differing = (body: ApprovalBody, actor: Actor, dispatchable: Dispatchable): ReadonlyArray<string> => {
  const equal: Readonly<Record<string, boolean>> = {
    accountId: body.accountId === actor.accountId,
    principalId: body.principalId === actor.id,
    planId: body.planId === dispatchable.planId,
    commitment: body.commitment === dispatchable.commitment,
    stepIndex: body.stepIndex === dispatchable.stepIndex,
    transactionHash: body.transactionHash === dispatchable.transactionHash
  }
  return Object.keys(equal).filter(member => equal[member] === false)
}

const verifySignature = Effect.fn("OwnerApproval.verify")(function* (body: ApprovalBody, actor: Actor) {
  const { audience } = yield* Settings
  const signatures = yield* Signatures
  const { signature, ...message } = body
  yield* signatures
    .verify({
      digest: transactionApprovalDigest(audience, actor.authorityChainId, message),
      signature,
      signer: actor.ownerAddress,
      role: "owner",
      authorityChainId: actor.authorityChainId
    })
    .pipe(Effect.catchTag("INVALID_SIGNATURE", () => new InvalidOwnerApprovalSignature()))
})

/** A bot that needs a new dispatch must carry an approval at all; cheap, before any chain is asked. */
export const requirePresence = (actor: Actor, given: unknown) => {
  if (actor.kind === "owner")
    return given === undefined
      ? Effect.void
      : Effect.fail(
          new InvalidOwnerApproval({
            detail: "The owner's own request is the approval; leave ownerApproval out."
          })
        )
  return given === undefined ? Effect.fail(new OwnerApprovalRequired()) : Effect.asVoid(parse(given))
}

export const approveDispatch = Effect.fnUntraced(function* (
  actor: Actor,
  given: unknown,
  dispatchable: Dispatchable
) {
  const clock = yield* DatabaseClock
  if (actor.kind === "owner") {
    if (!asksFor(yield* SignedRequest, dispatchable))
      return yield* new OwnerApprovalMismatch({ context: { members: ["request"] } })
    const { signer, issuedAt, expiresAt, nonce } = actor
    const own: Approval = { form: "owner-request", signer, issuedAt, expiresAt, nonce }
    /** Only an early refusal: the claim looks at the database's clock again. */
    yield* checkFreshness(own, yield* clock.estimate)
    return own
  }
  const body = yield* parse(given)
  const members = differing(body, actor, dispatchable)
  if (members.length > 0) return yield* new OwnerApprovalMismatch({ context: { members } })
  const { issuedAt, expiresAt, nonce } = body
  const approval: Approval = {
    form: "owner-approval",
    signer: actor.ownerAddress,
    issuedAt,
    expiresAt,
    nonce
  }
  yield* checkFreshness(approval, yield* clock.millis)
  yield* failpoint("approval.clockRead")
  yield* verifySignature(body, actor)
  yield* failpoint("approval.verified")
  return approval
}, stage("OwnerApproval.approve"))
