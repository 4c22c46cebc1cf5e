/** Decides about a signed request in the order of cost, and does its work as its principal: nothing is consumed before the signature is verified. */
import { Context, Effect, Either } from "effect"
import { judgeEnrolling } from "../accounts/Enrollment.ts"
import type { Admission, LedgerRequest, QuotaFigures } from "../accounts/LedgerVerdict.ts"
import { NonceLedger } from "../accounts/NonceLedger.ts"
import { type Actor, Principal } from "../accounts/Principal.ts"
import { Forbidden, type RateLimited, type ServiceBusy } from "../accounts/refusals.ts"
import { CurrentWork, type Work } from "../chain/Work.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { Signatures } from "../signatures/Signatures.ts"
import { stage } from "../telemetry/Requests.ts"
import { failpoint } from "../values/Failpoint.ts"
import { providingLast } from "../values/Providing.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { makeAskContract } from "./AskContract.ts"
import type { Border, Rights } from "./Border.ts"
import { Idempotency, unlessKeyNamesAnother } from "./Idempotency.ts"
import { IdempotencyRequired } from "./refusals.ts"
import {
  checkWindow,
  type HeaderValues,
  headerOf,
  NO_BODY,
  parseSignedHeaders,
  type SignedHeaders,
  SignedRequest,
  signatureClaim
} from "./SignedRequest.ts"

/** A request as it was transmitted, and what becomes known of it, also where it is refused. */
export interface Transmission {
  readonly id: string
  readonly method: string
  readonly target: string
  readonly headers: HeaderValues
  signed: SignedHeaders | undefined
  /** Absent until it was read. */
  body: Uint8Array | undefined
  quota: { readonly kind: "owner" | "bots"; readonly figures: QuotaFigures } | undefined
  /** Whether its client's address has paid for it. */
  charged: boolean
}

type Checked = Either.Either<unknown, AnyRefusal>

/** Its parameters are decoded; its body waits for its bytes, and its work for a body that is good. */
export type Prepared<A, R> = (body: Uint8Array) => Either.Either<Effect.Effect<A, AnyRefusal, R>, AnyRefusal>

export interface ToAuthenticate<Exchange, A, R> {
  readonly exchange: Exchange
  readonly access: Rights
  /** The client address or network that it counts against. */
  readonly address: string
  /** Whether it declares a body as the route takes one. */
  readonly declared: () => Checked
  readonly prepare: () => Either.Either<Prepared<A, R>, AnyRefusal>
  /** Absent where no body is declared. */
  readonly reading: Effect.Effect<Uint8Array, AnyRefusal> | undefined
}

interface Screened<A, R> {
  readonly headers: SignedHeaders
  readonly prepared: Prepared<A, R>
}

const requireIdempotency = (headers: SignedHeaders, { idempotency }: Rights) =>
  idempotency === "required" && headers.idempotencyKey === undefined
    ? Either.left(new IdempotencyRequired())
    : Either.void

const faultOf = (checked: Checked): AnyRefusal | undefined =>
  Either.isLeft(checked) ? checked.left : undefined

/** Everything that can be refused from the request line and the headers alone. */
const screen = <Exchange extends Transmission, A, R>(
  { exchange, access, declared, prepare }: ToAuthenticate<Exchange, A, R>,
  estimateMillis: number
): Either.Either<Screened<A, R>, AnyRefusal> =>
  Either.flatMap(parseSignedHeaders(exchange.headers), headers => {
    exchange.signed = headers
    const fault =
      faultOf(requireIdempotency(headers, access)) ??
      faultOf(declared()) ??
      faultOf(checkWindow(headers, estimateMillis))
    return fault === undefined
      ? Either.map(prepare(), given => ({ headers, prepared: given }))
      : Either.left(fault)
  })

const verifying = stage("Authenticate.verify")

/** What every signed request asks, looked up once. */
export const makeAuthenticate = <Exchange extends Transmission>(border: Border<Exchange>) =>
  Effect.gen(function* () {
    const { audience } = yield* Settings
    const clock = yield* DatabaseClock
    const contracts = yield* makeAskContract(border)
    const idempotency = yield* Idempotency
    const judge = yield* makeJudge(border)
    const signatures = yield* Signatures

    const verified = Effect.fnUntraced(function* <A, R>(
      asked: ToAuthenticate<Exchange, A, R>,
      { headers, prepared }: Screened<A, R>,
      body: Uint8Array
    ) {
      const { exchange, access, address } = asked
      const { method, target } = exchange
      exchange.body = body
      yield* failpoint("request.bodyRead")
      const sent = { method, target, contentType: headerOf(exchange.headers, "content-type") ?? "", body }
      const asking = contracts.letAsk(exchange, headers, address)
      const { by } = yield* verifying(
        Effect.suspend(() =>
          signatures.verify<RateLimited | ServiceBusy>(signatureClaim(audience, headers, sent), asking)
        )
      )
      if (by === "contract") contracts.accepted(address)
      // Fresh keys cost nothing: without the charge one client could enrol all accounts that there may be.
      if (access.enrolment) yield* border.charge(exchange, address)
      else if (exchange.charged) yield* border.giveBack(exchange, address)
      yield* border.enterWork(exchange)
      yield* failpoint("request.verified")
      const judgement = yield* judge(exchange, headers, asked, () => prepared(body))
      yield* failpoint("request.judged")
      if (judgement.quota !== undefined)
        exchange.quota = { kind: headers.grantId === undefined ? "owner" : "bots", figures: judgement.quota }
      const services = yield* admitted(asked, headers, sent, yield* judgement.verdict)
      const work = Effect.suspend(() => Effect.flatten(prepared(body)))
      return yield* providingLast(services)(
        access.idempotency === "required" ? unlessKeyNamesAnother(idempotency, work) : work
      )
    })

    return <A, R>(asked: ToAuthenticate<Exchange, A, R>) =>
      Effect.flatMap(clock.estimate, estimate => {
        const screened = screen(asked, estimate)
        if (Either.isLeft(screened)) return Effect.fail(screened.left)
        const go = (body: Uint8Array) => verified(asked, screened.right, body)
        return asked.reading === undefined ? go(NO_BODY) : Effect.flatMap(asked.reading, go)
      })
  })

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
const actorOf = (headers: SignedHeaders, admission: Admission): Either.Either<Actor, Forbidden> => {
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

/** As whom an admitted request works, on what, and for whom calls are made. */
const admitted = <Exchange extends Transmission>(
  { exchange, access, address }: ToAuthenticate<Exchange, unknown, unknown>,
  headers: SignedHeaders,
  sent: Omit<typeof SignedRequest.Service, "requestId" | "idempotencyKey" | "address" | "account">,
  admission: Admission
): Either.Either<Context.Context<Principal | SignedRequest>, Forbidden> =>
  Either.map(actorOf(headers, admission), actor =>
    Context.make(Principal, actor).pipe(
      Context.add(SignedRequest, {
        ...sent,
        requestId: exchange.id,
        idempotencyKey: headers.idempotencyKey,
        address,
        account: admission.account
      }),
      Context.add(CurrentWork, paidFor(headers, access))
    )
  )

const paidFor = ({ accountId }: SignedHeaders, { scope }: Rights): Work => ({
  kind: scope === "relay" ? "relay" : "read",
  account: accountId
})

interface Addressed {
  readonly access: Rights
  readonly address: string
}

const enrolling = (
  headers: SignedHeaders,
  address: string,
  request: LedgerRequest,
  ready: Effect.Effect<unknown, AnyRefusal>
) =>
  headers.signer === headers.owner && headers.grantId === undefined
    ? judgeEnrolling(
        {
          accountId: headers.accountId,
          authorityChainId: headers.authorityChainId,
          owner: headers.owner,
          address
        },
        { ...request, wantsAccount: true },
        ready
      )
    : Effect.fail(new Forbidden())

/** The ledger judges, and enrols who may be new, where the request has no fault. */
const makeJudge = <Exchange>(border: Border<Exchange>) =>
  Effect.map(
    NonceLedger,
    ledger =>
      (exchange: Exchange, headers: SignedHeaders, { access, address }: Addressed, check: () => Checked) => {
        const request = ledgerRequest(headers, access)
        return access.enrolment
          ? enrolling(headers, address, request, Effect.zipRight(check(), border.enterEnrolment(exchange)))
          : ledger.judge(request)
      }
  )
