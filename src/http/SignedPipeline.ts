/** The order of work for a signed request, cheap first: nothing is consumed before the signature is verified. */
import { Context, Effect, Either } from "effect"
import { judgeEnrolling } from "../accounts/Enrollment.ts"
import type { LedgerRequest } from "../accounts/LedgerVerdict.ts"
import { NonceLedger } from "../accounts/NonceLedger.ts"
import { Principal } from "../accounts/Principal.ts"
import { Forbidden, type RateLimited, type ServiceBusy } from "../accounts/refusals.ts"
import { actorOf, ledgerRequest, signatureClaim, type Transmitted } from "../auth/Authenticate.ts"
import { Idempotency, unlessKeyNamesAnother } from "../auth/Idempotency.ts"
import { parseSignedHeaders, type SignedHeaders } from "../auth/RequestHeaders.ts"
import { checkWindow } from "../auth/RequestWindow.ts"
import { IdempotencyRequired } from "../auth/refusals.ts"
import { SignedRequest } from "../auth/SignedRequest.ts"
import { workingFor } from "../chain/Work.ts"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import { Settings } from "../settings/Settings.ts"
import { Signatures } from "../signatures/Signatures.ts"
import { stage } from "../telemetry/Stage.ts"
import { failpoint } from "../values/Failpoint.ts"
import { providingLast } from "../values/Providing.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { makeAcceptedLately } from "./AcceptedLately.ts"
import { AddressBudget } from "./AddressBudget.ts"
import type { SignedAccess } from "./api/Access.ts"
import { type BodyRule, checkDeclaredBody, declaresBody, NO_BODY, readBody } from "./BufferedRequest.ts"
import { chargeFirst, giveBack } from "./Charging.ts"
import { makeContractPlaces } from "./ContractPlaces.ts"
import { type Exchange, header } from "./Exchange.ts"
import { parseQuery } from "./Input.ts"
import { InWork } from "./InWork.ts"
import type { Prepared, SignedRoute } from "./Route.ts"

export interface SignedMatch<R> {
  readonly route: SignedRoute<R>
  readonly path: Readonly<Record<string, string>>
  readonly query: string | undefined
  readonly address: string
}

type Addressed = { readonly route: { readonly access: SignedAccess }; readonly address: string }

const transmitted = (exchange: Exchange, body: Uint8Array): Transmitted => ({
  method: exchange.method,
  target: exchange.target,
  contentType: header(exchange, "content-type") ?? "",
  body
})

const requireIdempotency = (headers: SignedHeaders, access: SignedAccess) =>
  access.idempotency === "required" && headers.idempotencyKey === undefined
    ? Either.left(new IdempotencyRequired())
    : Either.void

type Checked = Either.Either<unknown, AnyRefusal>

const faultOf = (checked: Checked): AnyRefusal | undefined =>
  Either.isLeft(checked) ? checked.left : undefined

const bodyRule = <R>({ takesBody, access }: SignedRoute<R>): BodyRule => ({
  takesBody,
  bytes: access.bodyBytes
})

interface Screened<R> {
  readonly headers: SignedHeaders
  readonly prepared: Prepared<R>
}

/** Everything that can be refused from the request line and the headers alone. */
const screen = <R>(
  exchange: Exchange,
  { route, path, query }: SignedMatch<R>,
  estimateMillis: number
): Either.Either<Screened<R>, AnyRefusal> =>
  Either.flatMap(parseSignedHeaders(exchange.headers), headers => {
    exchange.signed = headers
    const fault =
      faultOf(requireIdempotency(headers, route.access)) ??
      faultOf(checkDeclaredBody(exchange, bodyRule(route))) ??
      faultOf(checkWindow(headers, estimateMillis))
    if (fault !== undefined) return Either.left(fault)
    return Either.map(
      Either.flatMap(parseQuery(query, route), parameters => route.prepare(path, parameters)),
      prepared => ({ headers, prepared })
    )
  })

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

const verifying = stage("Authenticate.verify")

/** What every signed request asks, looked up once. */
export const makeSignedWork = Effect.gen(function* () {
  const { audience, chains } = yield* Settings
  const configured = new Set(chains.map(({ chainId }) => chainId))
  const acceptedLately = yield* makeAcceptedLately
  const askingWithin = makeContractPlaces()
  const budget = yield* AddressBudget
  const clock = yield* DatabaseClock
  const idempotency = yield* Idempotency
  const inWork = yield* InWork
  const ledger = yield* NonceLedger
  const signatures = yield* Signatures

  /** Asking costs a chain's calls before anybody is known, so the address pays when it begins; who asks no chain needs no place. */
  const letAsk =
    (exchange: Exchange, { authorityChainId, accountId }: SignedHeaders, address: string) =>
    <A, E>(ask: Effect.Effect<A, E>) =>
      configured.has(authorityChainId)
        ? Effect.zipRight(
            chargeFirst(budget, exchange, "unauthenticated", address),
            askingWithin(
              { chainId: authorityChainId, accountId, address },
              workingFor({ kind: "verification", address, wasAccepted: acceptedLately.has(address) })(ask)
            )
          )
        : ask

  /** Fresh keys cost nothing: without the charge one client could enrol all accounts that there may be. */
  const judge = (
    exchange: Exchange,
    headers: SignedHeaders,
    { route: { access }, address }: Addressed,
    check: () => Checked
  ) => {
    const request = ledgerRequest(headers, access)
    return access.enrolment
      ? Effect.zipRight(
          chargeFirst(budget, exchange, "unauthenticated", address),
          enrolling(headers, address, request, check())
        )
      : ledger.judge(request)
  }

  const verified = Effect.fnUntraced(function* <R>(
    exchange: Exchange,
    match: SignedMatch<R>,
    { headers, prepared }: Screened<R>,
    body: Uint8Array
  ) {
    const { access } = match.route
    const { address } = match
    exchange.body = body
    yield* failpoint("request.bodyRead")
    const sent = transmitted(exchange, body)
    const asking = letAsk(exchange, headers, address)
    const { by } = yield* verifying(
      Effect.suspend(() =>
        signatures.verify<RateLimited | ServiceBusy>(signatureClaim(audience, headers, sent), asking)
      )
    )
    if (by === "contract") {
      acceptedLately.add(address)
      yield* giveBack(budget, exchange, address)
    }
    yield* inWork.enter(exchange)
    yield* failpoint("request.verified")
    const judgement = yield* judge(exchange, headers, match, () => prepared(body))
    yield* failpoint("request.judged")
    if (judgement.quota !== undefined)
      exchange.quota = { kind: headers.grantId === undefined ? "owner" : "bots", figures: judgement.quota }
    const admission = yield* judgement.verdict
    const actor = yield* actorOf(headers, admission)
    const { idempotencyKey } = headers
    const request = { ...sent, requestId: exchange.id, idempotencyKey, address, account: admission.account }
    const services = Context.make(Principal, actor).pipe(Context.add(SignedRequest, request))
    const work = Effect.suspend(() => Effect.flatten(prepared(body)))
    const kind = access.scope === "relay" ? "relay" : "read"
    const paid = workingFor({ kind, account: headers.accountId })
    return yield* paid(
      providingLast(services)(
        access.idempotency === "required" ? unlessKeyNamesAnother(idempotency, work) : work
      )
    )
  })

  return <R>(exchange: Exchange, match: SignedMatch<R>) =>
    Effect.flatMap(clock.estimate, estimate => {
      const checked = Either.flatMap(budget.check("unauthenticated", match.address), () =>
        screen(exchange, match, estimate)
      )
      if (Either.isLeft(checked)) return Effect.fail(checked.left)
      const go = (body: Uint8Array) => verified(exchange, match, checked.right, body)
      return declaresBody(exchange)
        ? Effect.flatMap(inWork.reading(readBody(exchange, match.route.access.bodyBytes)), go)
        : go(NO_BODY)
    })
})
