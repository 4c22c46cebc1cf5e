/** Turns a signed request into its principal: the ledger judges, and enrols who may be new. */
import { Effect, Either } from "effect"
import { judgeEnrolling } from "../accounts/Enrollment.ts"
import type { Admission, LedgerRequest } from "../accounts/LedgerVerdict.ts"
import { NonceLedger } from "../accounts/NonceLedger.ts"
import type { Actor } from "../accounts/Principal.ts"
import { Forbidden } from "../accounts/refusals.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import type { Border } from "./Border.ts"
import type { SignedHeaders } from "./RequestHeaders.ts"
import type { Rights } from "./Rights.ts"

const ledgerRequest = (headers: SignedHeaders, rights: Rights): LedgerRequest => ({
  accountId: headers.accountId,
  signer: headers.signer,
  grantId: headers.grantId,
  ownerOnly: rights.ownerOnly,
  scope: rights.scope,
  nonce: headers.nonce,
  issuedAt: headers.issuedAt,
  expiresAt: headers.expiresAt,
  wantsAccount: rights.wantsAccount
})

/** The principal of an admitted request; owner authority needs the absent grant and the owner's own signature. */
export const actorOf = (headers: SignedHeaders, admission: Admission): Either.Either<Actor, Forbidden> => {
  const signed = {
    accountId: headers.accountId,
    authorityChainId: headers.authorityChainId,
    ownerAddress: headers.owner,
    signer: headers.signer,
    issuedAt: headers.issuedAt,
    expiresAt: headers.expiresAt,
    nonce: headers.nonce
  }
  if (headers.grantId === undefined) {
    return headers.signer === headers.owner
      ? Either.right({ ...signed, kind: "owner", id: `owner:${headers.accountId}` })
      : Either.left(new Forbidden())
  }
  return admission.scopes === undefined
    ? Either.left(new Forbidden())
    : Either.right({
        ...signed,
        kind: "bot",
        id: `bot:${headers.grantId}`,
        grantId: headers.grantId,
        scopes: admission.scopes
      })
}

type Checked = Either.Either<unknown, AnyRefusal>

interface Addressed {
  readonly access: Rights
  readonly address: string
}

const enrolling = (headers: SignedHeaders, address: string, request: LedgerRequest, checked: Checked) =>
  headers.signer === headers.owner && headers.grantId === undefined
    ? judgeEnrolling(
        {
          accountId: headers.accountId,
          authorityChainId: headers.authorityChainId,
          owner: headers.owner,
          address
        },
        { ...request, wantsAccount: true },
        checked
      )
    : Effect.fail(new Forbidden())

/** Fresh keys cost nothing: without the charge one client could enrol all accounts that there may be. */
export const makeJudge = <Exchange>(border: Border<Exchange>) =>
  Effect.map(
    NonceLedger,
    ledger =>
      (exchange: Exchange, headers: SignedHeaders, { access, address }: Addressed, check: () => Checked) => {
        const request = ledgerRequest(headers, access)
        return access.enrolment
          ? Effect.zipRight(border.charge(exchange, address), enrolling(headers, address, request, check()))
          : ledger.judge(request)
      }
  )
